// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree_index.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/threads.h"
#include "vptree/box_bounds.h"
#include "vptree/leaf_tree_search.h"
#include "vptree/leaf_tree_visit.h"
#include "vptree/vantage_bounds.h"

namespace warpclust {
namespace {

constexpr int32_t kNoRank = std::numeric_limits<int32_t>::max();

absl::Status OutOfMemory() {
  return absl::ResourceExhaustedError("not enough memory for a tree search");
}

absl::Status CheckLength(absl::string_view what, size_t found, int32_t n) {
  if (found == static_cast<size_t>(n)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, ": expected ", n, " elements, found ", found));
}

absl::Status CheckRadiusKey(double radius_key) {
  if (radius_key >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "radius key: expected a number of at least 0, found ", radius_key));
}

absl::Status CheckQuery(absl::Span<const double> query, const LeafTree& tree) {
  if (tree.num_points > 0) {
    absl::Status status =
        CheckLength("query coordinates", query.size(), tree.num_dimensions);
    if (!status.ok()) return status;
  }
  for (const double x : query) {
    // Beyond, squares are infinite (PointMatrix::Validate).
    if (!(std::fabs(x) <= 1e150)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "query: expected coordinates up to 1e150 in magnitude, found ", x));
    }
  }
  return absl::OkStatus();
}

QueryBlock BlockOfLeaf(const LeafTree& tree,
                       const std::vector<double>& leaf_boxes, int32_t leaf) {
  return {tree.LeafCoordinates(leaf),
          leaf_boxes.data() + int64_t{2} * leaf * tree.num_dimensions,
          tree.leaf_counts[leaf]};
}

// values[id] for each slot of the leaves, `empty` for empty slots.
AlignedVector<int32_t> BySlot(const LeafTree& tree,
                              absl::Span<const int32_t> values, int32_t empty,
                              int num_threads) {
  AlignedVector<int32_t> by_slot(tree.leaf_ids.size());
  const int64_t num_slots = static_cast<int64_t>(by_slot.size());
#pragma omp parallel for num_threads(num_threads) schedule(static)
  for (int64_t slot = 0; slot < num_slots; ++slot) {
    const int32_t id = tree.leaf_ids[slot];
    by_slot[slot] = id < 0 ? empty : values[id];
  }
  return by_slot;
}

}  // namespace

template <class Bounds>
absl::StatusOr<std::unique_ptr<LeafTreeIndex<Bounds>>>
LeafTreeIndex<Bounds>::Build(const PointMatrix& points, Norm norm,
                             int num_threads) {
  if (absl::Status status = points.Validate(); !status.ok()) return status;
  const int threads = ResolveThreads(num_threads);
  try {
    std::unique_ptr<LeafTreeIndex> index(new LeafTreeIndex);
    index->num_threads_ = threads;
    index->tree_ = MakeLeafTree(
        points, norm, BuildBounds(points, norm, threads, &index->bounds_),
        threads);
    const LeafTree& tree = index->tree_;
    index->leaf_boxes_.resize(int64_t{2} * tree.num_leaves() *
                              tree.num_dimensions);
    for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
      BoxOfBlock(
          tree.LeafCoordinates(leaf), tree.leaf_counts[leaf],
          tree.num_dimensions,
          index->leaf_boxes_.data() + int64_t{2} * leaf * tree.num_dimensions);
    }
    return index;
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("not enough memory for a tree");
  }
}

template <class Bounds>
template <class Write>
void LeafTreeIndex<Bounds>::CountLeaves(double radius_key, int32_t stride,
                                        Write write) const {
  const LeafTreeSearch<Bounds>& search = SearchFor(tree_, &bounds_);
  const int32_t num_leaves = tree_.num_leaves();
  // A point counts itself, unless nothing is within the radius.
  const int32_t self = radius_key > 0 ? 1 : 0;
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; leaf += stride) {
    int32_t counts[kLeafSize];
    search.count_within(tree_, bounds_, BlockOfLeaf(tree_, leaf_boxes_, leaf),
                        radius_key, counts, &evaluations);
    const int32_t* ids = tree_.LeafIds(leaf);
    for (int slot = 0; slot < tree_.leaf_counts[leaf]; ++slot) {
      write(ids[slot], counts[slot] - self);
    }
  }
  evaluations_ += evaluations;
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::CountWithin(
    double radius_key, absl::Span<int32_t> counts) const {
  absl::Status status = CheckLength("counts", counts.size(), num_points());
  if (status.ok()) status = CheckRadiusKey(radius_key);
  if (!status.ok() || num_points() == 0) return status;
  CountLeaves(radius_key, 1,
              [counts](int32_t id, int32_t count) { counts[id] = count; });
  return absl::OkStatus();
}

template <class Bounds>
absl::StatusOr<double> LeafTreeIndex<Bounds>::EstimateSeconds(
    double radius_key) const {
  absl::Status status = CheckRadiusKey(radius_key);
  if (!status.ok()) return status;
  if (num_points() == 0) return 0.0;
  // Fewer leaves than threads would be timed as if the rest of the threads had
  // nothing to do.
  const int32_t num_leaves = tree_.num_leaves();
  const int32_t stride =
      std::max(1, std::min(50, num_leaves / (32 * num_threads_)));
  const auto start = std::chrono::steady_clock::now();
  CountLeaves(radius_key, stride, [](int32_t, int32_t) {});
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  const int32_t num_sampled = (num_leaves + stride - 1) / stride;
  return seconds.count() * num_leaves / num_sampled;
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  absl::Status status = CheckLength("ranks", ranks.size(), num_points());
  if (status.ok())
    status = CheckLength("nearest", nearest.size(), num_points());
  if (!status.ok() || num_points() == 0) return status;
  AlignedVector<int32_t> leaf_ranks;
  std::vector<int32_t> node_min_ranks;
  try {
    leaf_ranks = BySlot(tree_, ranks, kNoRank, num_threads_);
    node_min_ranks.resize(tree_.num_nodes());
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
  const int32_t num_leaves = tree_.num_leaves();
  const int32_t first_leaf = tree_.first_leaf();
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t* begin = leaf_ranks.data() + int64_t{leaf} * kLeafSize;
    node_min_ranks[first_leaf + leaf] =
        *std::min_element(begin, begin + kLeafSize);
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    node_min_ranks[node] =
        std::min(node_min_ranks[2 * node + 1], node_min_ranks[2 * node + 2]);
  }

  const LeafTreeSearch<Bounds>& search = SearchFor(tree_, &bounds_);
  const LeafTreeRanks tree_ranks = {leaf_ranks.data(), node_min_ranks.data()};
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = tree_.leaf_counts[leaf];
    NearestBlock block;
    for (int slot = 0; slot < kLeafSize; ++slot) {
      const bool used = slot < count;
      block.keys[slot] = used ? std::numeric_limits<double>::infinity()
                              : -std::numeric_limits<double>::infinity();
      block.ids[slot] = -1;
      block.ranks[slot] = used ? leaf_ranks[int64_t{leaf} * kLeafSize + slot]
                               : std::numeric_limits<int32_t>::min();
    }
    search.nearest_of_higher_rank(tree_, bounds_, tree_ranks,
                                  BlockOfLeaf(tree_, leaf_boxes_, leaf), leaf,
                                  &block, &evaluations);
    const int32_t* ids = tree_.LeafIds(leaf);
    for (int slot = 0; slot < count; ++slot) {
      nearest[ids[slot]] = {block.keys[slot], block.ids[slot]};
    }
  }
  evaluations_ += evaluations;
  return absl::OkStatus();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::HighestRankOfOtherLabel(
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<int32_t> best) const {
  absl::Status status = CheckLength("ranks", ranks.size(), num_points());
  if (status.ok()) status = CheckLength("labels", labels.size(), num_points());
  if (status.ok()) status = CheckLength("best", best.size(), num_points());
  if (status.ok()) status = CheckRadiusKey(radius_key);
  if (!status.ok() || num_points() == 0) return status;
  AlignedVector<int32_t> leaf_ranks;
  AlignedVector<int32_t> leaf_labels;
  std::vector<LabelSummary> summaries;
  try {
    leaf_ranks = BySlot(tree_, ranks, kNoRank, num_threads_);
    leaf_labels = BySlot(tree_, labels, 0, num_threads_);
    summaries.resize(tree_.num_nodes());
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
  const int32_t num_leaves = tree_.num_leaves();
  const int32_t first_leaf = tree_.first_leaf();
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    LabelSummary summary = {kNoRank, 0, kNoRank};
    const int64_t first = int64_t{leaf} * kLeafSize;
    for (int64_t slot = first; slot < first + tree_.leaf_counts[leaf]; ++slot) {
      summary =
          MergeLabels(summary, {leaf_ranks[slot], leaf_labels[slot], kNoRank});
    }
    summaries[first_leaf + leaf] = summary;
  }
  for (int32_t node = first_leaf - 1; node >= 0; --node) {
    summaries[node] =
        MergeLabels(summaries[2 * node + 1], summaries[2 * node + 2]);
  }

  const LeafTreeSearch<Bounds>& search = SearchFor(tree_, &bounds_);
  const LeafTreeLabels tree_labels = {leaf_ranks.data(), leaf_labels.data(),
                                      summaries.data()};
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads_) schedule(dynamic, 8) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    LabelBlock block;
    for (int slot = 0; slot < kLeafSize; ++slot) {
      block.best[slot] = tree_.num_points;
      block.labels[slot] = leaf_labels[int64_t{leaf} * kLeafSize + slot];
    }
    search.highest_rank_of_other_label(tree_, bounds_, tree_labels,
                                       BlockOfLeaf(tree_, leaf_boxes_, leaf),
                                       radius_key, &block, &evaluations);
    const int32_t* ids = tree_.LeafIds(leaf);
    for (int slot = 0; slot < tree_.leaf_counts[leaf]; ++slot) {
      best[ids[slot]] = block.best[slot];
    }
  }
  evaluations_ += evaluations;
  return absl::OkStatus();
}

template <class Bounds>
absl::StatusOr<int32_t> LeafTreeIndex<Bounds>::RangeCount(
    absl::Span<const double> query, double radius_key) const {
  absl::Status status = CheckQuery(query, tree_);
  if (status.ok()) status = CheckRadiusKey(radius_key);
  if (!status.ok()) return status;
  if (num_points() == 0) return 0;
  int32_t count = 0;
  int64_t evaluations = 0;
  VisitRange(
      tree_, bounds_, query.data(), radius_key,
      [&](int32_t node) { count += tree_.node_counts[node]; },
      [&](int32_t, int32_t) { ++count; }, &evaluations);
  evaluations_ += evaluations;
  return count;
}

template <class Bounds>
absl::StatusOr<std::vector<int32_t>> LeafTreeIndex<Bounds>::RangeList(
    absl::Span<const double> query, double radius_key) const {
  absl::Status status = CheckQuery(query, tree_);
  if (status.ok()) status = CheckRadiusKey(radius_key);
  if (!status.ok()) return status;
  std::vector<int32_t> found;
  if (num_points() == 0) return found;
  int64_t evaluations = 0;
  try {
    VisitRange(
        tree_, bounds_, query.data(), radius_key,
        [&](int32_t node) {
          VisitLeaves(tree_, node, [&](int32_t leaf) {
            const int32_t* ids = tree_.LeafIds(leaf);
            found.insert(found.end(), ids, ids + tree_.leaf_counts[leaf]);
          });
        },
        [&](int32_t leaf, int32_t slot) {
          found.push_back(tree_.LeafIds(leaf)[slot]);
        },
        &evaluations);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
  evaluations_ += evaluations;
  std::sort(found.begin(), found.end());
  return found;
}

template <class Bounds>
absl::StatusOr<std::vector<NearestPoint>> LeafTreeIndex<Bounds>::KNearest(
    absl::Span<const double> query, int32_t k) const {
  absl::Status status = CheckQuery(query, tree_);
  if (!status.ok()) return status;
  if (k < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("k: expected at least 0, found ", k));
  }
  const size_t wanted = std::min(k, num_points());
  // A heap, the worst on top.
  std::vector<NearestPoint> best;
  if (wanted == 0) return best;
  const auto before = [](const NearestPoint& a, const NearestPoint& b) {
    return Preferred(a.key, a.id, b.key, b.id);
  };
  int64_t evaluations = 0;
  try {
    best.reserve(wanted + 1);
    NearestPoint worst;
    VisitNearest(
        tree_, bounds_, query.data(), &worst,
        [&](int32_t leaf, int32_t slot, double key) {
          best.push_back({key, tree_.LeafIds(leaf)[slot]});
          std::push_heap(best.begin(), best.end(), before);
          if (best.size() > wanted) {
            std::pop_heap(best.begin(), best.end(), before);
            best.pop_back();
          }
          if (best.size() == wanted) worst = best.front();
        },
        &evaluations);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
  evaluations_ += evaluations;
  std::sort_heap(best.begin(), best.end(), before);
  return best;
}

template <class Bounds>
absl::StatusOr<NearestPoint> LeafTreeIndex<Bounds>::Nearest(
    absl::Span<const double> query) const {
  absl::StatusOr<std::vector<NearestPoint>> nearest = KNearest(query, 1);
  if (!nearest.ok()) return nearest.status();
  return nearest->empty() ? NearestPoint() : nearest->front();
}

template class LeafTreeIndex<BoxBounds>;
template class LeafTreeIndex<VantageBounds>;

}  // namespace warpclust
