// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Both trees against the plain loop over all points, at each SIMD level.

#include "vptree/leaf_tree/leaf_tree_index.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/cpu_features.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Random = std::mt19937_64;

// Kinds of points that trees find hard.
enum class Kind { kUniform, kLattice, kDuplicates, kEqual, kLine, kSkewed };
constexpr Kind kKinds[] = {Kind::kUniform, Kind::kLattice, Kind::kDuplicates,
                           Kind::kEqual,   Kind::kLine,    Kind::kSkewed};

PointMatrix MakePoints(Kind kind, int32_t n, int32_t d, Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int32_t i = 0; i < n; ++i) {
    const double along = uniform(*random);
    for (int32_t k = 0; k < d; ++k) {
      const double u = uniform(*random);
      double x = u;
      switch (kind) {
        case Kind::kUniform:
          break;
        case Kind::kLattice:
          x = std::floor(3 * u);
          break;
        case Kind::kDuplicates:
          x = along < 0.8 ? 7.0 : u;
          break;
        case Kind::kEqual:
          x = 2.5;
          break;
        case Kind::kLine:
          x = (k + 1) * along;
          break;
        case Kind::kSkewed:
          x = k == 0 ? 1e9 * std::exp(8 * u) : 1e-3 * u;
          break;
      }
      points.values.push_back(x);
    }
  }
  return points;
}

std::vector<int32_t> MakeRanks(int32_t n, Random* random) {
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), *random);
  return ranks;
}

double Key(const PointMatrix& points, Norm norm, int32_t i, int32_t j) {
  return DistanceKey(norm, points.Row(i), points.Row(j), points.num_dimensions);
}

// A key that is somewhere among those of the points, often exactly one.
double MakeRadiusKey(const PointMatrix& points, Norm norm, Random* random) {
  if (points.num_points == 0) return 1;
  std::uniform_int_distribution<int32_t> point(0, points.num_points - 1);
  const double key = Key(points, norm, point(*random), point(*random));
  const double factors[] = {0, 0.01, 0.1, 1, 1, 1, 2, kInfinity};
  const double factor = factors[(*random)() % 8];
  return key > 0 ? key * factor : factor;
}

std::vector<std::unique_ptr<NeighborIndex>> MakeTrees(const PointMatrix& points,
                                                      Norm norm,
                                                      int num_threads) {
  std::vector<std::unique_ptr<NeighborIndex>> trees;
  trees.push_back(*BuildBoxTreeIndex(points, norm, num_threads));
  trees.push_back(*BuildVpTreeIndex(points, norm, num_threads));
  return trees;
}

// Up to 40 radii, so that there are several passes; some are equal.
void ExpectCountsOfEach(const PointMatrix& points, Norm norm,
                        const NeighborIndex& tree, Random* random) {
  const int32_t n = points.num_points;
  std::vector<double> radius_keys((*random)() % 3 == 0 ? (*random)() % 41 : 5);
  for (double& key : radius_keys) key = MakeRadiusKey(points, norm, random);
  std::sort(radius_keys.begin(), radius_keys.end());
  std::vector<int32_t> counts(n * radius_keys.size(), -1);
  const absl::Status status =
      tree.CountWithinEach(radius_keys, absl::MakeSpan(counts));
  ASSERT_TRUE(status.ok()) << status;
  for (size_t r = 0; r < radius_keys.size(); ++r) {
    std::vector<int32_t> of_one(n, -1);
    ASSERT_TRUE(tree.CountWithin(radius_keys[r], absl::MakeSpan(of_one)).ok());
    ASSERT_EQ(std::vector<int32_t>(counts.begin() + r * n,
                                   counts.begin() + (r + 1) * n),
              of_one)
        << "radius " << r << " of " << radius_keys.size();
  }
}

// Ranks by falling counts.
std::vector<int32_t> RanksOfCounts(const std::vector<int32_t>& counts) {
  std::vector<int32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(counts.size());
  for (size_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank]] = static_cast<int32_t>(rank);
  }
  return ranks;
}

// With kept neighbors: the counts of the same radii, and the answers by them in
// any order of the rankings.
void ExpectRankings(const PointMatrix& points, Norm norm,
                    const NeighborIndex& tree, int32_t num_rankings,
                    Random* random) {
  const int32_t n = points.num_points;
  std::vector<double> radius_keys(num_rankings);
  for (double& key : radius_keys) key = MakeRadiusKey(points, norm, random);
  std::sort(radius_keys.begin(), radius_keys.end());
  std::vector<std::vector<int32_t>> counts(num_rankings);
  auto search = tree.CountAndRank(radius_keys, absl::MakeSpan(counts));
  ASSERT_TRUE(search.ok()) << search.status();
  ASSERT_EQ(*search == nullptr, num_rankings > 16);
  for (int32_t searched = 0; searched < num_rankings; ++searched) {
    const auto which = static_cast<int32_t>((*random)() % num_rankings);
    std::vector<int32_t> of_one(n, -1);
    ASSERT_TRUE(
        tree.CountWithin(radius_keys[which], absl::MakeSpan(of_one)).ok());
    ASSERT_EQ(counts[which], of_one);
    if (*search == nullptr) continue;
    const std::vector<int32_t> ranks = RanksOfCounts(of_one);
    std::vector<int32_t> ids(n, -2);
    std::vector<double> keys(n, -1);
    const std::unique_ptr<RankingsSearch> copy = (*search)->Copy();
    RankingsSearch& searching = (*random)() % 2 == 0 ? *copy : **search;
    ASSERT_TRUE(searching
                    .Search(which, ranks, /*num_threads=*/1 + (*random)() % 3,
                            absl::MakeSpan(ids), absl::MakeSpan(keys))
                    .ok());
    // The ranks, and empty slots after them.
    std::vector<int32_t> by_slot(searching.slot_ranks().begin(),
                                 searching.slot_ranks().end());
    std::sort(by_slot.begin(), by_slot.end());
    ASSERT_GE(by_slot.size(), static_cast<size_t>(n));
    for (int32_t rank = 0; rank < n; ++rank) ASSERT_EQ(by_slot[rank], rank);
    for (int32_t i = 0; i < n; ++i) {
      NearestPoint expected;
      for (int32_t j = 0; j < n; ++j) {
        const double key = Key(points, norm, i, j);
        if (ranks[j] < ranks[i] &&
            Preferred(key, j, expected.key, expected.id)) {
          expected = {key, j};
        }
      }
      ASSERT_EQ(ids[i], expected.id) << "point " << i << " by " << which;
      ASSERT_EQ(keys[i], expected.key) << "point " << i << " by " << which;
    }
  }
}

// The k nearest points of all points, and of other points.
template <class Tree>
void ExpectKNearestOf(const PointMatrix& points, const PointMatrix& queries,
                      Norm norm) {
  const std::unique_ptr<Tree> tree =
      *Tree::Build(points, norm, /*num_threads=*/2);
  for (const bool among_others : {true, false}) {
    const PointMatrix& asked = among_others ? points : queries;
    const int32_t most = points.num_points - (among_others ? 1 : 0);
    for (const int32_t k : {1, 3, 40, most}) {
      std::vector<std::vector<NearestPoint>> found(asked.num_points);
      const auto take = [&](int32_t q, absl::Span<const double> keys,
                            absl::Span<const int32_t> ids) {
        for (size_t j = 0; j < keys.size(); ++j) {
          found[q].push_back({keys[j], ids[j]});
        }
      };
      const absl::Status status = among_others
                                      ? tree->KNearestOfEach(k, take)
                                      : tree->KNearestOf(asked, k, take);
      if (k < 1 || k > most) {
        EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << k;
        continue;
      }
      ASSERT_TRUE(status.ok()) << status;
      for (int32_t q = 0; q < asked.num_points; ++q) {
        std::vector<NearestPoint> all;
        for (int32_t j = 0; j < points.num_points; ++j) {
          if (among_others && j == q) continue;
          all.push_back({DistanceKey(norm, asked.Row(q), points.Row(j),
                                     points.num_dimensions),
                         j});
        }
        std::sort(all.begin(), all.end(),
                  [](const NearestPoint& a, const NearestPoint& b) {
                    return Preferred(a.key, a.id, b.key, b.id);
                  });
        all.resize(k);
        ASSERT_EQ(found[q], all) << "k = " << k << ", others " << among_others;
      }
    }
  }
}

void ExpectLargestKeys(const PointMatrix& points, Norm norm,
                       const NeighborIndex& tree, Random* random) {
  const int32_t n = points.num_points;
  const auto query = static_cast<int32_t>((*random)() % n);
  double largest = 0;
  for (int32_t j = 0; j < n; ++j) {
    largest = std::max(largest, Key(points, norm, query, j));
  }
  const auto found = tree.LargestKeyOf(
      absl::MakeConstSpan(points.Row(query), points.num_dimensions));
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->value(), largest);
}

bool ByRanks(const RankPair& a, const RankPair& b) {
  return std::pair(a.rank, a.other_rank) < std::pair(b.rank, b.other_rank);
}

// The pairs found are among those expected, and each of these that is missing
// has the labels of one of smaller rank that was found. Labels are by rank.
void ExpectAllThatMatter(const std::vector<RankPair>& expected,
                         const std::vector<int32_t>& labels,
                         std::vector<RankPair> found) {
  std::sort(found.begin(), found.end(), ByRanks);
  ASSERT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(),
                            found.end(), ByRanks));
  std::set<std::pair<int32_t, int32_t>> joined;
  auto next = found.begin();
  for (const RankPair& pair : expected) {
    const std::pair<int32_t, int32_t> of_pair =
        std::minmax(labels[pair.rank], labels[pair.other_rank]);
    if (next != found.end() && *next == pair) {
      joined.insert(of_pair);
      ++next;
    } else {
      ASSERT_TRUE(joined.count(of_pair) > 0)
          << pair.rank << " and " << pair.other_rank << " are not joined";
    }
  }
}

// With any groups: the pairs of the plain loop, from all parts at once and from
// one part after the other. Adds to *num_pairs.
void ExpectJoiningPairs(const PointMatrix& points, Norm norm, double radius_key,
                        const std::vector<int32_t>& counts,
                        const NeighborIndex& tree, Random* random,
                        int64_t* num_pairs) {
  const int32_t n = points.num_points;
  std::vector<int32_t> ranks = MakeRanks(n, random);
  std::vector<int32_t> num_above = {
      static_cast<int32_t>((*random)() % 2 == 0 ? n : (*random)() % (n + 1))};
  if ((*random)() % 2 == 0) {
    // By counts, which a tree with kept neighbors makes use of.
    ranks = RanksOfCounts(counts);
    num_above.assign(1 + (*random)() % 12, 0);
    for (size_t k = 0; k < num_above.size(); ++k) {
      num_above[k] = static_cast<int32_t>(
          std::count_if(counts.begin(), counts.end(),
                        [&](int32_t count) { return count > int64_t(k); }));
    }
  }
  const int32_t num_ranks = num_above[0];
  const auto num_labels = static_cast<int32_t>(1 + (*random)() % 12);
  std::vector<int32_t> labels(n);
  for (int32_t i = 0; i < n; ++i) {
    // Some labels have points far apart, others near each other.
    labels[i] = (*random)() % 4 == 0
                    ? static_cast<int32_t>((*random)() % num_labels)
                    : i * num_labels / n;
  }
  LabelForest forest(num_labels);
  int32_t level = 0;
  for (uint64_t joins = (*random)() % (2 * num_labels); joins > 0; --joins) {
    level += static_cast<int32_t>((*random)() % (n / num_labels + 1));
    forest.Join(static_cast<int32_t>((*random)() % num_labels),
                static_cast<int32_t>((*random)() % num_labels), level);
  }
  std::vector<RankPair> expected;
  for (int32_t i = 0; i < n; ++i) {
    // By root: the smallest rank.
    std::map<int32_t, int32_t> near;
    for (int32_t j = 0; j < n && ranks[i] < num_ranks; ++j) {
      if (ranks[j] >= ranks[i] || !(Key(points, norm, i, j) < radius_key)) {
        continue;
      }
      const int32_t root = forest.RootBelow(labels[j], ranks[i]);
      if (root == forest.RootBelow(labels[i], ranks[i])) continue;
      const auto [at, is_new] = near.insert({root, ranks[j]});
      at->second = std::min(at->second, ranks[j]);
    }
    for (const auto& [root, rank] : near) expected.push_back({ranks[i], rank});
  }
  std::sort(expected.begin(), expected.end(), ByRanks);
  *num_pairs += static_cast<int64_t>(expected.size());
  // Counts have a ranking, which has ranks by slot.
  std::vector<std::vector<int32_t>> found_counts(1);
  const std::unique_ptr<RankingsSearch> rankings =
      *tree.CountAndRank({radius_key}, absl::MakeSpan(found_counts));
  absl::Span<const int32_t> slot_ranks;
  if (num_above.size() > 1 && rankings != nullptr && (*random)() % 2 == 0) {
    std::vector<int32_t> ids(n);
    std::vector<double> keys(n);
    ASSERT_TRUE(rankings
                    ->Search(0, ranks, /*num_threads=*/2, absl::MakeSpan(ids),
                             absl::MakeSpan(keys))
                    .ok());
    slot_ranks = rankings->slot_ranks();
  }
  const std::unique_ptr<JoiningPairSearch> search =
      *tree.JoiningPairs(radius_key, ranks, slot_ranks, labels, num_above);
  ASSERT_NE(search, nullptr);
  std::vector<int32_t> by_rank(n);
  for (int32_t i = 0; i < n; ++i) by_rank[ranks[i]] = labels[i];
  std::vector<RankPair> at_once;
  ASSERT_TRUE(search->Search(forest, 0, /*without_next=*/false, &at_once).ok());
  ExpectAllThatMatter(expected, by_rank, std::move(at_once));
  std::vector<RankPair> by_part;
  for (int part = 2; part >= 0; --part) {
    ASSERT_TRUE(search->Search(forest, part, part < 2, &by_part).ok());
  }
  ExpectAllThatMatter(expected, by_rank, std::move(by_part));
}

void ExpectAllPointsSearches(const PointMatrix& points, Norm norm,
                             double radius_key, int num_threads, Random* random,
                             int64_t* num_pairs) {
  const int32_t n = points.num_points;
  const std::vector<int32_t> ranks = MakeRanks(n, random);
  std::vector<int32_t> labels(n);
  const int32_t num_labels = 1 + static_cast<int32_t>((*random)() % 5);
  for (int32_t& label : labels) {
    label = static_cast<int32_t>((*random)() % num_labels);
  }
  std::vector<int32_t> counts(n, 0);
  std::vector<NearestPoint> nearest(n);
  std::vector<int32_t> best(n, n);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double key = Key(points, norm, i, j);
      if (key < radius_key) {
        ++counts[i];
        if (labels[i] != labels[j]) best[i] = std::min(best[i], ranks[j]);
      }
      if (ranks[j] < ranks[i] &&
          Preferred(key, j, nearest[i].key, nearest[i].id)) {
        nearest[i] = {key, j};
      }
    }
  }
  for (const std::unique_ptr<NeighborIndex>& tree :
       MakeTrees(points, norm, num_threads)) {
    SCOPED_TRACE(std::string(tree->name()));
    ASSERT_EQ(tree->num_points(), n);
    std::vector<int32_t> tree_counts(n, -1);
    ASSERT_TRUE(
        tree->CountWithin(radius_key, absl::MakeSpan(tree_counts)).ok());
    ASSERT_EQ(tree_counts, counts);
    ExpectCountsOfEach(points, norm, *tree, random);
    if ((*random)() % 2 == 0) {
      ASSERT_TRUE(tree->KeepNeighbors().ok());
      if (n > 0) {
        const int32_t num_rankings = (*random)() % 8 == 0 ? 17 : 3;
        ExpectRankings(points, norm, *tree, num_rankings, random);
      }
    }
    if (n > 0) {
      ExpectLargestKeys(points, norm, *tree, random);
      ExpectJoiningPairs(points, norm, radius_key, counts, *tree, random,
                         num_pairs);
    }
    // From the answers for other ranks, from any other points, or from nothing.
    std::vector<NearestPoint> tree_nearest(n);
    if ((*random)() % 3 == 0) {
      ASSERT_TRUE(tree->NearestOfHigherRank(MakeRanks(n, random),
                                            absl::MakeSpan(tree_nearest))
                      .ok());
    } else if ((*random)() % 2 == 0) {
      for (int32_t i = 0; i < n; ++i) {
        const int32_t other = static_cast<int32_t>((*random)() % n);
        if (other != i) tree_nearest[i] = {Key(points, norm, i, other), other};
      }
    }
    ASSERT_TRUE(
        tree->NearestOfHigherRank(ranks, absl::MakeSpan(tree_nearest)).ok());
    for (int32_t i = 0; i < n; ++i) {
      ASSERT_EQ(tree_nearest[i].id, nearest[i].id) << "point " << i;
      ASSERT_EQ(tree_nearest[i].key, nearest[i].key) << "point " << i;
    }
    std::vector<int32_t> tree_best(n, n);
    ASSERT_TRUE(tree->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(tree_best))
                    .ok());
    ASSERT_EQ(tree_best, best);
    // From bounds, some of them 0.
    std::vector<int32_t> lowered(n);
    std::vector<int32_t> tree_lowered(n);
    for (int32_t i = 0; i < n; ++i) {
      tree_lowered[i] = static_cast<int32_t>((*random)() % (n + 1));
      if ((*random)() % 3 == 0) tree_lowered[i] = 0;
      lowered[i] = std::min(tree_lowered[i], best[i]);
    }
    ASSERT_TRUE(tree->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(tree_lowered))
                    .ok());
    ASSERT_EQ(tree_lowered, lowered);
    ASSERT_TRUE(tree->EstimateSeconds(radius_key).ok());
    if (n > 1) {
      EXPECT_GT(tree->distance_evaluations(), 0);
    }
  }
}

template <class Tree>
void ExpectPointSearches(const PointMatrix& points, Norm norm,
                         const std::vector<double>& query, double radius) {
  const double radius_key = KeyOfRadius(norm, radius);
  const std::unique_ptr<Tree> tree = *Tree::Build(points, norm, 1);
  std::vector<NearestPoint> all;
  std::vector<int32_t> within;
  for (int32_t j = 0; j < points.num_points; ++j) {
    const double key =
        DistanceKey(norm, query.data(), points.Row(j), points.num_dimensions);
    all.push_back({key, j});
    if (key < radius_key) within.push_back(j);
  }
  std::sort(all.begin(), all.end(),
            [](const NearestPoint& a, const NearestPoint& b) {
              return Preferred(a.key, a.id, b.key, b.id);
            });
  ASSERT_EQ(*tree->RangeList(query, radius), within);
  ASSERT_EQ(*tree->RangeCount(query, radius),
            static_cast<int32_t>(within.size()));
  for (const int32_t k : {0, 1, 3, 40, 1000}) {
    std::vector<NearestPoint> nearest(
        all.begin(), all.begin() + std::min<size_t>(k, all.size()));
    ASSERT_EQ(*tree->KNearest(query, k), nearest) << "k = " << k;
  }
  ASSERT_EQ(*tree->Nearest(query), all.empty() ? NearestPoint() : all[0]);
}

class LeafTreeIndexTest : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    SetSimdLevelLimitForTesting(GetParam());
    if (CpuSimdLevel() != GetParam()) GTEST_SKIP() << "not on this CPU";
  }
  void TearDown() override { SetSimdLevelLimitForTesting(SimdLevel::kAvx512); }
};

INSTANTIATE_TEST_SUITE_P(Levels, LeafTreeIndexTest,
                         testing::Values(SimdLevel::kBaseline, SimdLevel::kAvx2,
                                         SimdLevel::kAvx512),
                         [](const testing::TestParamInfo<SimdLevel>& level) {
                           return std::string(SimdLevelName(level.param));
                         });

TEST_P(LeafTreeIndexTest, AllPointsSearchesAreThoseOfThePlainLoop) {
  const int32_t sizes[] = {0, 1, 2, 31, 32, 33, 64, 65, 100, 257, 700};
  const int32_t dimensions[] = {1, 2, 3, 4, 5, 9, 17, 40};
  int64_t num_pairs = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Kind kind = kKinds[random() % 6];
    const int32_t n = sizes[random() % 11];
    const int32_t d = dimensions[random() % 8];
    const Norm norm = static_cast<Norm>(random() % 3);
    const PointMatrix points = MakePoints(kind, n, d, &random);
    const double radius_key = MakeRadiusKey(points, norm, &random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", kind ", static_cast<int>(kind),
                              ", n = ", n, ", d = ", d, ", norm ",
                              static_cast<int>(norm), ", r = ", radius_key));
    ExpectAllPointsSearches(points, norm, radius_key, 1 + seed % 3, &random,
                            &num_pairs);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(num_pairs, 1000);
}

TEST_P(LeafTreeIndexTest, PointSearchesAreThoseOfThePlainLoop) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    const Kind kind = kKinds[random() % 6];
    const int32_t n = static_cast<int32_t>(random() % 400);
    const int32_t d = 1 + static_cast<int32_t>(random() % 6);
    const Norm norm = static_cast<Norm>(random() % 3);
    const PointMatrix points = MakePoints(kind, n, d, &random);
    std::vector<double> query = MakePoints(kind, 1, d, &random).values;
    if (n > 0 && seed % 2 == 0) {
      query.assign(points.Row(n / 2), points.Row(n / 2) + d);
    }
    const double radius_key = MakeRadiusKey(points, norm, &random);
    const double radius =
        norm == Norm::kL2 ? std::sqrt(radius_key) : radius_key;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    ExpectPointSearches<BoxTree>(points, norm, query, radius);
    ExpectPointSearches<VpTree>(points, norm, query, radius);
    if (HasFatalFailure()) return;
  }
}

// Counts at 16 radii on enough points for many leaves: ties with radii, radii
// next to keys, duplicates, integers, outliers, and scales up to where floats
// and doubles end.
TEST_P(LeafTreeIndexTest, KNearestAreThoseOfThePlainLoop) {
  Random random(17);
  for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
    for (const Kind kind : {Kind::kUniform, Kind::kLattice, Kind::kLine}) {
      for (const int32_t d : {1, 3, 7, 40}) {
        for (const int32_t n : {1, 33, 300}) {
          SCOPED_TRACE(absl::StrCat("n ", n, ", d ", d));
          const PointMatrix points = MakePoints(kind, n, d, &random);
          const PointMatrix queries = MakePoints(kind, 20, d, &random);
          ExpectKNearestOf<BoxTree>(points, queries, norm);
          ExpectKNearestOf<VpTree>(points, queries, norm);
        }
      }
    }
  }
}

TEST_P(LeafTreeIndexTest, CountsOfManyRadiiAreThoseOfThePlainLoop) {
  constexpr int32_t kPoints = 400;
  constexpr int kRadii = 16;
  enum class Shape { kUniform, kIntegers, kClusters, kDuplicates, kOutliers };
  int64_t seed = 0;
  for (const int32_t d : {1, 2, 3, 5, 9, 16, 17}) {
    for (const Shape shape :
         {Shape::kUniform, Shape::kIntegers, Shape::kClusters,
          Shape::kDuplicates, Shape::kOutliers}) {
      for (const double scale : {1.0, 1e-30, 1e-99, 1e-140, 1e140}) {
        Random random(++seed);
        SCOPED_TRACE(testing::Message() << d << " dimensions, seed " << seed);
        PointMatrix points;
        points.num_points = kPoints;
        points.num_dimensions = d;
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (int32_t i = 0; i < kPoints; ++i) {
          const double size = shape == Shape::kOutliers && random() % 9 == 0
                                  ? std::exp(20 * uniform(random))
                                  : 1;
          const double center = static_cast<double>(random() % 4);
          for (int32_t k = 0; k < d; ++k) {
            double x = uniform(random);
            if (shape == Shape::kIntegers) x = std::floor(40 * x);
            if (shape == Shape::kClusters) x = 0.01 * x + center;
            if (shape == Shape::kDuplicates) x = std::floor(3 * x) / 3;
            points.values.push_back(scale * size * x);
          }
        }
        std::vector<double> keys;
        for (int r = 0; r < kRadii; ++r) {
          const int32_t i = static_cast<int32_t>(random() % kPoints);
          int32_t j = i;
          // Near pairs too.
          for (int trial = 0; trial < 1 + 3 * r; ++trial) {
            const int32_t other = static_cast<int32_t>(random() % kPoints);
            if (other != i && (j == i || Key(points, Norm::kL2, i, other) <
                                             Key(points, Norm::kL2, i, j))) {
              j = other;
            }
          }
          const double key = Key(points, Norm::kL2, i, j);
          const double factors[] = {1, 1, 1, 1 + 1e-7, 1 - 1e-7, 0.5};
          keys.push_back(random() % 2 == 0   ? key * factors[random() % 6]
                         : random() % 2 == 0 ? std::nextafter(key, 0)
                                             : std::nextafter(key, kInfinity));
        }
        std::sort(keys.begin(), keys.end());
        std::vector<int32_t> expected(kPoints * kRadii, 0);
        for (int32_t i = 0; i < kPoints; ++i) {
          for (int32_t j = 0; j < kPoints; ++j) {
            const double key = Key(points, Norm::kL2, i, j);
            // The radii that reach it are the last ones.
            for (int r = kRadii; j != i && r > 0 && key < keys[r - 1]; --r) {
              ++expected[(r - 1) * kPoints + i];
            }
          }
        }
        for (const auto& tree : MakeTrees(points, Norm::kL2, 2)) {
          SCOPED_TRACE(std::string(tree->name()));
          std::vector<int32_t> counts(expected.size(), -1);
          ASSERT_TRUE(tree->CountWithinEach(keys, absl::MakeSpan(counts)).ok());
          ASSERT_EQ(counts, expected);
        }
      }
    }
  }
}

TEST(LeafTreeLayoutTest, EveryPointIsInOneSlotAndBoundsHold) {
  for (const Kind kind : kKinds) {
    for (const int32_t n : {1, 32, 33, 1000}) {
      Random random(n);
      const PointMatrix points = MakePoints(kind, n, 3, &random);
      const std::unique_ptr<BoxTree> box =
          *BoxTree::Build(points, Norm::kL2, 2);
      const LeafTree& tree = box->tree();
      EXPECT_LE((n + tree.num_leaves() - 1) / tree.num_leaves(), kLeafSize);
      std::vector<int32_t> seen(n, 0);
      for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
        EXPECT_GE(tree.leaf_counts[leaf], n / tree.num_leaves());
        for (int32_t slot = 0; slot < kLeafSize; ++slot) {
          const int32_t id = tree.LeafIds(leaf)[slot];
          if (slot >= tree.leaf_counts[leaf]) {
            EXPECT_EQ(id, -1);
            EXPECT_EQ(tree.LeafCoordinates(leaf)[slot], kInfinity);
            continue;
          }
          ++seen[id];
          for (int32_t k = 0; k < 3; ++k) {
            const double x = tree.LeafCoordinates(leaf)[k * kLeafSize + slot];
            EXPECT_EQ(x, points.Row(id)[k]);
            for (int32_t node = tree.first_leaf() + leaf;;
                 node = (node - 1) / 2) {
              EXPECT_LE(box->bounds().Box(node, 3)[k], x);
              EXPECT_GE(box->bounds().Box(node, 3)[3 + k], x);
              EXPECT_LE(tree.node_min_ids[node], id);
              if (node == 0) break;
            }
          }
        }
      }
      EXPECT_EQ(seen, std::vector<int32_t>(n, 1));
      EXPECT_EQ(tree.node_counts[0], n);
    }
  }
}

// Threads divide ranges that lie side by side; none may touch the other's. With
// three coordinates and this many points, larger halves on the left once did.
TEST(LeafTreeIndexThreadsTest, NoPointIsLost) {
  constexpr int32_t kPoints = 437645;
  Random random(2);
  const PointMatrix points = MakePoints(Kind::kUniform, kPoints, 3, &random);
  std::vector<int32_t> all(kPoints);
  std::iota(all.begin(), all.end(), 0);
  const auto has_all = [&](const LeafTree& tree) {
    std::vector<int32_t> ids;
    for (const int32_t id : tree.leaf_ids) {
      if (id >= 0) ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    return ids == all;
  };
  for (int run = 0; run < 15; ++run) {
    SCOPED_TRACE(absl::StrCat("run ", run));
    ASSERT_TRUE(has_all((*BoxTree::Build(points, Norm::kL2, 2))->tree()));
  }
  ASSERT_TRUE(has_all((*VpTree::Build(points, Norm::kL2, 2))->tree()));
}

TEST(LeafTreeIndexErrorsTest, BadArgumentsAreInvalid) {
  Random random(1);
  const PointMatrix points = MakePoints(Kind::kUniform, 50, 2, &random);
  const double nan = std::nan("");
  for (const std::unique_ptr<NeighborIndex>& tree :
       MakeTrees(points, Norm::kL2, 1)) {
    std::vector<int32_t> ok(50), wrong(49);
    std::vector<NearestPoint> nearest(50), wrong_nearest(51);
    const auto invalid = [](const absl::Status& status) {
      return absl::IsInvalidArgument(status);
    };
    EXPECT_TRUE(invalid(tree->CountWithin(1, absl::MakeSpan(wrong))));
    EXPECT_TRUE(invalid(tree->CountWithin(-1, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(tree->CountWithin(nan, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(tree->EstimateSeconds(nan).status()));
    EXPECT_TRUE(
        invalid(tree->NearestOfHigherRank(wrong, absl::MakeSpan(nearest))));
    EXPECT_TRUE(
        invalid(tree->NearestOfHigherRank(ok, absl::MakeSpan(wrong_nearest))));
    EXPECT_TRUE(invalid(
        tree->HighestRankOfOtherLabel(nan, ok, ok, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(
        tree->HighestRankOfOtherLabel(1, ok, wrong, absl::MakeSpan(ok))));
  }
  const std::unique_ptr<VpTree> tree = *VpTree::Build(points, Norm::kL2, 1);
  EXPECT_TRUE(absl::IsInvalidArgument(tree->Nearest({1.0}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->Nearest({1.0, nan}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->KNearest({1, 2}, -1).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->RangeList({1, 2}, -1).status()));
  PointMatrix bad = points;
  bad.values[3] = nan;
  EXPECT_TRUE(
      absl::IsInvalidArgument(BuildBoxTreeIndex(bad, Norm::kL2, 1).status()));
}

}  // namespace
}  // namespace warpclust
