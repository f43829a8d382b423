// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random batches against plain loops over the points that are there.

#include "vptree/dynamic/dynamic_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "vptree/dynamic/testing/dynamic_tree_invariants.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Random = std::mt19937_64;
using Kind = DynamicTree::Kind;

// How the points of a stream lie.
enum class Stream { kUniform, kLattice, kEqual, kMoving };

PointMatrix MakeBatch(Stream stream, int32_t n, int32_t d, int time,
                      Random* random) {
  PointMatrix batch;
  batch.num_points = n;
  batch.num_dimensions = d;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    const double u = uniform(*random);
    switch (stream) {
      case Stream::kUniform:
        batch.values.push_back(u);
        break;
      case Stream::kLattice:
        batch.values.push_back(std::floor(3 * u));
        break;
      case Stream::kEqual:
        batch.values.push_back(time % 3 == 0 ? u : 1.5);
        break;
      case Stream::kMoving:
        batch.values.push_back(time + u);
        break;
    }
  }
  return batch;
}

// A tree, and what it should hold: an incremental density peaks in small.
class Model {
 public:
  Model(Kind kind, Norm norm, int32_t d, double radius_key, int num_threads)
      : norm_(norm),
        radius_key_(radius_key),
        tree_(*DynamicTree::Create(kind, norm, d, num_threads)) {}

  void Insert(const PointMatrix& batch, bool separately) {
    const int32_t first = tree_->num_ids();
    ASSERT_TRUE(tree_->Insert(batch).ok());
    ASSERT_EQ(tree_->num_ids(), first + batch.num_points);
    std::vector<uint8_t> marks(tree_->num_ids(), 0);
    for (int32_t i = 0; i < batch.num_points; ++i) {
      points_[first + i].assign(batch.Row(i),
                                batch.Row(i) + batch.num_dimensions);
      marks[first + i] = 1;
    }
    counts_.resize(tree_->num_ids(), 0);
    nearest_.resize(tree_->num_ids());
    std::vector<int32_t> gains(tree_->num_ids(), 0);
    CountMarked(marks, separately, &counts_, &gains);
    for (int32_t id = 0; id < first; ++id) counts_[id] += gains[id];
    for (int32_t i = 0; i < batch.num_points; ++i) {
      gains[first + i] = std::numeric_limits<int32_t>::max();
    }
    ExpectAll(gains);
  }

  void Remove(const std::vector<int32_t>& ids, bool separately) {
    std::vector<uint8_t> marks(tree_->num_ids(), 0);
    for (const int32_t id : ids) marks[id] = 1;
    std::vector<int32_t> gains(tree_->num_ids(), 0);
    std::vector<int32_t> gone_counts(tree_->num_ids(), 0);
    CountMarked(marks, separately, &gone_counts, &gains);
    ASSERT_TRUE(tree_->Remove(ids).ok());
    for (const int32_t id : ids) points_.erase(id);
    for (int32_t id = 0; id < tree_->num_ids(); ++id) {
      counts_[id] -= gains[id];
      gains[id] = -gains[id];
    }
    ExpectAll(gains);
  }

  // Some of the ids that are there.
  std::vector<int32_t> Choose(int32_t count, bool oldest,
                              Random* random) const {
    std::vector<int32_t> ids;
    for (const auto& point : points_) ids.push_back(point.first);
    if (!oldest) std::shuffle(ids.begin(), ids.end(), *random);
    ids.resize(std::min<size_t>(count, ids.size()));
    return ids;
  }

  int32_t size() const { return static_cast<int32_t>(points_.size()); }
  const DynamicTree& tree() const { return *tree_; }

 private:
  // Key of points order[i] and order[j] at i * size + j.
  std::vector<double> AllKeys(const std::vector<int32_t>& order) const {
    const size_t m = order.size();
    std::vector<const double*> rows;
    for (const int32_t id : order) rows.push_back(points_.at(id).data());
    std::vector<double> keys(m * m, 0);
    for (size_t i = 0; i < m; ++i) {
      for (size_t j = 0; j < i; ++j) {
        keys[i * m + j] = keys[j * m + i] =
            DistanceKey(norm_, rows[i], rows[j], tree_->num_dimensions());
      }
    }
    return keys;
  }

  void CountMarked(const std::vector<uint8_t>& marks, bool separately,
                   std::vector<int32_t>* counts, std::vector<int32_t>* gains) {
    const absl::Status status =
        separately ? tree_->CountMarkedSeparately(radius_key_, marks,
                                                  absl::MakeSpan(*counts),
                                                  absl::MakeSpan(*gains))
                   : tree_->CountMarkedIncidentally(radius_key_, marks,
                                                    absl::MakeSpan(*counts),
                                                    absl::MakeSpan(*gains));
    ASSERT_TRUE(status.ok()) << status;
    for (size_t id = 0; id < marks.size(); ++id) {
      if (marks[id] != 0) {
        ASSERT_EQ((*gains)[id], 0) << "marked " << id;
      }
    }
  }

  // Everything against plain loops; nearest_ is brought up to date.
  void ExpectAll(const std::vector<int32_t>& gains) {
    const absl::Status invariants = CheckInvariants(*tree_);
    ASSERT_TRUE(invariants.ok()) << invariants;
    ASSERT_EQ(tree_->num_points(), size());
    const int32_t n = tree_->num_ids();
    std::vector<double> row(tree_->num_dimensions());
    std::vector<int32_t> order;
    for (int32_t id = 0; id < n; ++id) {
      ASSERT_EQ(tree_->IsLive(id), points_.count(id) == 1);
      if (!tree_->IsLive(id)) continue;
      order.push_back(id);
      tree_->CopyPoint(id, row.data());
      ASSERT_EQ(row, points_[id]);
    }
    std::vector<int32_t> counts(n, -1);
    ASSERT_TRUE(tree_->CountWithin(radius_key_, absl::MakeSpan(counts)).ok());
    const std::vector<double> keys = AllKeys(order);
    const size_t m = order.size();
    for (size_t a = 0; a < m; ++a) {
      int32_t count = 0;
      for (size_t b = 0; b < m; ++b) {
        count += a != b && keys[a * m + b] < radius_key_ ? 1 : 0;
      }
      ASSERT_EQ(counts[order[a]], count) << "all, id " << order[a];
      ASSERT_EQ(counts_[order[a]], count) << "by gains, id " << order[a];
    }

    std::vector<int32_t> by_rank = order;
    std::sort(by_rank.begin(), by_rank.end(), [&](int32_t a, int32_t b) {
      return counts_[a] > counts_[b] || (counts_[a] == counts_[b] && a < b);
    });
    std::vector<int32_t> ranks(n, 0);
    for (size_t r = 0; r < m; ++r) {
      ranks[by_rank[r]] = static_cast<int32_t>(r);
    }
    std::vector<uint8_t> restart(n, 1);
    for (const int32_t id : order) {
      const int32_t near = nearest_[id].id;
      if (near >= 0 && tree_->IsLive(near) && ranks[near] < ranks[id]) {
        restart[id] = 0;
      }
    }
    ASSERT_TRUE(
        tree_->UpdateNearest(ranks, gains, restart, absl::MakeSpan(nearest_))
            .ok());
    std::vector<NearestPoint> afresh(n);
    ASSERT_TRUE(tree_->NearestOfHigherRank(ranks, absl::MakeSpan(afresh)).ok());
    for (size_t i = 0; i < m; ++i) {
      const int32_t a = order[i];
      NearestPoint nearest;
      for (size_t j = 0; j < m; ++j) {
        const int32_t b = order[j];
        const double key = keys[i * m + j];
        if (ranks[b] < ranks[a] && Preferred(key, b, nearest.key, nearest.id)) {
          nearest = {key, b};
        }
      }
      ASSERT_EQ(nearest_[a].id, nearest.id) << "updated, id " << a;
      ASSERT_EQ(nearest_[a].key, nearest.key) << "updated, id " << a;
      ASSERT_EQ(afresh[a].id, nearest.id) << "afresh, id " << a;
      ASSERT_EQ(afresh[a].key, nearest.key) << "afresh, id " << a;
    }
  }

  const Norm norm_;
  const double radius_key_;
  std::unique_ptr<DynamicTree> tree_;
  std::map<int32_t, std::vector<double>> points_;
  std::vector<int32_t> counts_;
  std::vector<NearestPoint> nearest_;
};

TEST(DynamicTreeTest, RandomBatchesAreThoseOfThePlainLoop) {
  DynamicTree::Maintenance seen;
  for (uint64_t seed = 0; seed < 48; ++seed) {
    Random random(seed);
    const Kind kind = seed % 2 == 0 ? Kind::kBox : Kind::kVantage;
    const Stream stream = static_cast<Stream>(seed / 2 % 4);
    const Norm norm = static_cast<Norm>(random() % 3);
    const int32_t d = 1 + static_cast<int32_t>(random() % 5);
    const double radius = 0.05 + 0.1 * static_cast<double>(random() % 8);
    Model model(kind, norm, d, norm == Norm::kL2 ? radius * radius : radius,
                seed % 8 >= 6 ? 2 : 1);
    for (int time = 0; time < 14; ++time) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", batch ", time, ", d = ", d,
                                ", size ", model.size()));
      const bool separately = random() % 2 == 0;
      if (time > 2 && random() % 3 == 0) {
        const int32_t count =
            static_cast<int32_t>(random() % (model.size() + 1));
        model.Remove(model.Choose(count, random() % 2 == 0, &random),
                     separately);
      } else {
        const int32_t sizes[] = {1, 5, 40, 90, 160};
        model.Insert(MakeBatch(stream, sizes[random() % 5], d, time, &random),
                     separately);
      }
      if (HasFatalFailure()) return;
    }
    const DynamicTree::Maintenance now = model.tree().maintenance();
    seen.full_builds += now.full_builds;
    seen.subtree_builds += now.subtree_builds;
    seen.leaf_splits += now.leaf_splits;
  }
  // The test is worth nothing if a way of keeping the shape never came up.
  EXPECT_GT(seen.full_builds, 20);
  EXPECT_GT(seen.subtree_builds, 100);
  EXPECT_GT(seen.leaf_splits, 20);
}

// One point at a time moves few others.
TEST(DynamicTreeTest, SingleInsertionsMoveFewPoints) {
  for (const Kind kind : {Kind::kBox, Kind::kVantage}) {
    for (const Stream stream :
         {Stream::kUniform, Stream::kEqual, Stream::kMoving}) {
      Random random(7);
      std::unique_ptr<DynamicTree> tree =
          *DynamicTree::Create(kind, Norm::kL2, 2, 1);
      constexpr int kPoints = 4000;
      for (int i = 0; i < kPoints; ++i) {
        ASSERT_TRUE(tree->Insert(MakeBatch(stream, 1, 2, i, &random)).ok());
      }
      ASSERT_TRUE(CheckInvariants(*tree).ok());
      EXPECT_EQ(tree->num_points(), kPoints);
      EXPECT_LT(tree->maintenance().points_moved, 100 * kPoints)
          << "stream " << static_cast<int>(stream);
    }
  }
}

TEST(DynamicTreeTest, EmptiesAndFillsAgain) {
  for (const Kind kind : {Kind::kBox, Kind::kVantage}) {
    Random random(3);
    Model model(kind, Norm::kL2, 2, 0.01, 1);
    for (int time = 0; time < 3; ++time) {
      model.Insert(MakeBatch(Stream::kUniform, 150, 2, 0, &random), false);
      model.Remove(model.Choose(150, false, &random), time % 2 == 0);
      ASSERT_EQ(model.size(), 0);
    }
    model.Insert(MakeBatch(Stream::kUniform, 33, 2, 0, &random), true);
  }
}

TEST(DynamicTreeTest, BadArgumentsAreInvalidAndChangeNothing) {
  const auto invalid = [](const absl::Status& status) {
    return absl::IsInvalidArgument(status);
  };
  EXPECT_TRUE(
      invalid(DynamicTree::Create(Kind::kBox, Norm::kL2, 0, 1).status()));
  EXPECT_TRUE(
      invalid(DynamicTree::Create(Kind::kBox, Norm::kL2, 2, -1).status()));
  Random random(1);
  std::unique_ptr<DynamicTree> tree =
      *DynamicTree::Create(Kind::kVantage, Norm::kL2, 2, 1);
  ASSERT_TRUE(
      tree->Insert(MakeBatch(Stream::kUniform, 50, 2, 0, &random)).ok());
  EXPECT_TRUE(
      invalid(tree->Insert(MakeBatch(Stream::kUniform, 5, 3, 0, &random))));
  PointMatrix bad = MakeBatch(Stream::kUniform, 5, 2, 0, &random);
  bad.values[3] = std::nan("");
  EXPECT_TRUE(invalid(tree->Insert(bad)));
  EXPECT_TRUE(invalid(tree->Remove({3, 50})));
  EXPECT_TRUE(invalid(tree->Remove({3, -1})));
  EXPECT_TRUE(invalid(tree->Remove({3, 4, 3})));
  EXPECT_EQ(tree->num_points(), 50);
  EXPECT_EQ(tree->num_ids(), 50);
  ASSERT_TRUE(tree->Remove({3}).ok());
  EXPECT_TRUE(invalid(tree->Remove({3})));
  std::vector<int32_t> ints(49);
  EXPECT_TRUE(invalid(tree->CountWithin(1, absl::MakeSpan(ints))));
  ints.resize(50);
  EXPECT_TRUE(invalid(tree->CountWithin(-1, absl::MakeSpan(ints))));
  EXPECT_TRUE(CheckInvariants(*tree).ok());
}

}  // namespace
}  // namespace warpclust
