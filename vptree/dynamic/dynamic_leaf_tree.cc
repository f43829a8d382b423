// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/dynamic/dynamic_leaf_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_bounds.h"
#include "vptree/dynamic/dynamic_bounds.h"
#include "vptree/dynamic/subtree_room.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_visit.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {
namespace {

// Rebuilt leaves hold at most this many points, of 32. Half full leaves make
// the searches of a batch 1.4 times slower.
constexpr int32_t kBuildFill = 27;

int32_t LevelOf(int32_t node) {
  int32_t level = 0;
  while (((node + 1) >> (level + 1)) != 0) ++level;
  return level;
}

int32_t HeightFor(int64_t num_points) {
  int32_t height = 0;
  while (num_points > (int64_t{kBuildFill} << height)) ++height;
  return height;
}

// Sorts rows and ids by id, which is how ties are broken.
void SortById(PointMatrix* rows, std::vector<int32_t>* ids) {
  const int32_t d = rows->num_dimensions;
  std::vector<int32_t> order(ids->size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return (*ids)[a] < (*ids)[b]; });
  std::vector<double> values(rows->values.size());
  std::vector<int32_t> sorted(ids->size());
  for (size_t i = 0; i < order.size(); ++i) {
    sorted[i] = (*ids)[order[i]];
    std::copy_n(rows->Row(order[i]), d,
                values.begin() + static_cast<int64_t>(i) * d);
  }
  rows->values = std::move(values);
  *ids = std::move(sorted);
}

}  // namespace

template <class Bounds>
DynamicLeafTree<Bounds>::DynamicLeafTree(Norm norm, int32_t num_dimensions,
                                         int num_threads)
    : num_threads_(num_threads) {
  tree_.tree = EmptyLeafTree(norm, num_dimensions, 0);
  PointMatrix none;
  none.num_dimensions = num_dimensions;
  Rebuild(none, 0);
  maintenance_ = Maintenance();
}

template <class Bounds>
absl::Status DynamicLeafTree<Bounds>::Insert(const PointMatrix& batch) {
  if (batch.num_points == 0) return absl::OkStatus();
  if (batch.num_dimensions != num_dimensions()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected points of ", num_dimensions(),
                     " dimensions, found ", batch.num_dimensions));
  }
  RETURN_IF_ERROR(batch.Validate());
  const int32_t first_id = num_ids();
  if (batch.num_points > std::numeric_limits<int32_t>::max() - first_id) {
    return absl::ResourceExhaustedError("expected at most 2^31 - 1 ids");
  }
  slots_.resize(int64_t{first_id} + batch.num_points, -1);
  if (batch.num_points >= num_points()) {
    Rebuild(batch, first_id);
  } else {
    InsertBatch(batch, first_id);
  }
  return absl::OkStatus();
}

template <class Bounds>
absl::Status DynamicLeafTree<Bounds>::Remove(absl::Span<const int32_t> ids) {
  std::vector<int32_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!IsLive(sorted[i]) || (i > 0 && sorted[i] == sorted[i - 1])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected distinct ids of live points, found ", sorted[i],
          IsLive(sorted[i]) ? " twice" : ", which is not live"));
    }
  }
  if (!sorted.empty()) RemoveBatch(sorted);
  return absl::OkStatus();
}

template <class Bounds>
void DynamicLeafTree<Bounds>::InsertBatch(const PointMatrix& batch,
                                          int32_t first_id) {
  while (int64_t{num_points()} + batch.num_points >
         RoomOfSubtree(tree_.tree, 0)) {
    AddLevelOfLeaves();
  }
  std::vector<LeafArrival> arrivals(batch.num_points);
  for (int32_t row = 0; row < batch.num_points; ++row) {
    arrivals[row] = {RouteToLeaf(tree_.tree, batch.Row(row), &tree_.bounds),
                     row};
  }
  std::sort(arrivals.begin(), arrivals.end(),
            [](const LeafArrival& a, const LeafArrival& b) {
              return a.leaf < b.leaf || (a.leaf == b.leaf && a.row < b.row);
            });
  const std::vector<int32_t> subtrees = SubtreesToBuild(tree_.tree, arrivals);
  for (size_t begin = 0; begin < arrivals.size();) {
    // All arrivals of one leaf, or of one subtree; they are adjacent.
    const int32_t leaf = arrivals[begin].leaf;
    const int32_t subtree = subtrees[begin];
    size_t end = begin + 1;
    while (end < arrivals.size() && (subtree < 0 ? arrivals[end].leaf == leaf
                                                 : subtrees[end] == subtree)) {
      ++end;
    }
    if (subtree >= 0) {
      BuildSubtree(subtree, batch, first_id, arrivals.data() + begin,
                   end - begin);
    } else {
      for (size_t i = begin; i < end; ++i) {
        Append(leaf, first_id + arrivals[i].row, batch.Row(arrivals[i].row));
      }
      UpdateLeaf(leaf);
    }
    begin = end;
  }
  UpdateInner();
}

template <class Bounds>
void DynamicLeafTree<Bounds>::BuildSubtree(int32_t node,
                                           const PointMatrix& batch,
                                           int32_t first_id,
                                           const LeafArrival* arrivals,
                                           size_t num_arrivals) {
  const int32_t d = num_dimensions();
  const int32_t level = LevelOf(node);
  const int32_t height = tree_.tree.height - level;
  PointMatrix rows;
  rows.num_dimensions = d;
  std::vector<int32_t> ids;
  GatherSubtree(node, &rows, &ids);
  for (size_t i = 0; i < num_arrivals; ++i) {
    const double* row = batch.Row(arrivals[i].row);
    rows.values.insert(rows.values.end(), row, row + d);
    ids.push_back(first_id + arrivals[i].row);
  }
  rows.num_points = static_cast<int32_t>(ids.size());
  SortById(&rows, &ids);
  Bounds bounds;
  // Small subtrees are not worth threads.
  const int threads = rows.num_points < 20000 ? 1 : num_threads_;
  const std::vector<int32_t> order =
      BuildBounds(rows, tree_.tree.norm, height, threads, &bounds);
  ReplaceSubtree(bounds, height, node, d, &tree_.bounds);
  const int32_t first_leaf = (node + 1 - (int32_t{1} << level)) << height;
  FillLeaves(rows, order, ids, height, first_leaf, threads, &tree_.tree);
  for (int32_t j = 0; j < (int32_t{1} << height); ++j) {
    UpdateLeaf(first_leaf + j);
  }
  ++maintenance_.subtree_builds;
  maintenance_.points_moved += rows.num_points;
}

template <class Bounds>
void DynamicLeafTree<Bounds>::Rebuild(const PointMatrix& batch,
                                      int32_t first_id) {
  const int32_t d = num_dimensions();
  PointMatrix rows;
  rows.num_dimensions = d;
  std::vector<int32_t> ids;
  GatherSubtree(0, &rows, &ids);
  rows.num_points = static_cast<int32_t>(ids.size());
  SortById(&rows, &ids);
  // New ids come after all others.
  rows.values.insert(rows.values.end(), batch.values.begin(),
                     batch.values.end());
  for (int32_t row = 0; row < batch.num_points; ++row) {
    ids.push_back(first_id + row);
  }
  rows.num_points = static_cast<int32_t>(ids.size());
  const Norm norm = tree_.tree.norm;
  // Frees the old tree first.
  tree_ = BoundedTree<Bounds>();
  tree_ = BuildTree<Bounds>(rows, ids, norm, HeightFor(rows.num_points),
                            num_threads_);
  VisitLeaves(tree_.tree, 0, [this](int32_t leaf) { UpdateSlots(leaf); });
  removed_since_build_ = 0;
  ++maintenance_.full_builds;
  maintenance_.points_moved += rows.num_points;
}

template <class Bounds>
void DynamicLeafTree<Bounds>::AddLevelOfLeaves() {
  const LeafTree old = std::move(tree_.tree);
  const int32_t d = old.num_dimensions;
  AddLevel(old, &tree_.bounds);
  tree_.tree = EmptyLeafTree(old.norm, d, old.height + 1);
  tree_.tree.num_points = old.num_points;
  tree_.leaf_boxes.resize(int64_t{2} * d * tree_.tree.num_leaves());
  std::vector<double> row(d);
  for (int32_t leaf = 0; leaf < old.num_leaves(); ++leaf) {
    int32_t slots[kLeafSize];
    const int32_t count = old.leaf_counts[leaf];
    const int32_t half = SplitLeaf(old, leaf, slots, &tree_.bounds);
    for (int32_t i = 0; i < count; ++i) {
      for (int32_t k = 0; k < d; ++k) {
        row[k] = old.LeafCoordinates(leaf)[int64_t{k} * kLeafSize + slots[i]];
      }
      Append(2 * leaf + (i < half ? 0 : 1), old.LeafIds(leaf)[slots[i]],
             row.data());
    }
    UpdateLeaf(2 * leaf);
    UpdateLeaf(2 * leaf + 1);
  }
  UpdateInner();
  ++maintenance_.leaf_splits;
  maintenance_.points_moved += old.num_points;
}

template <class Bounds>
void DynamicLeafTree<Bounds>::RemoveBatch(absl::Span<const int32_t> ids) {
  LeafTree& tree = tree_.tree;
  const int32_t d = num_dimensions();
  removed_since_build_ += static_cast<int64_t>(ids.size());
  std::vector<int32_t> leaves;
  leaves.reserve(ids.size());
  for (const int32_t id : ids) {
    const int32_t leaf = static_cast<int32_t>(slots_[id] / kLeafSize);
    const int32_t slot = static_cast<int32_t>(slots_[id] % kLeafSize);
    // The last point of the leaf closes the gap.
    const int32_t last = --tree.leaf_counts[leaf];
    int32_t* leaf_ids = tree.leaf_ids.data() + int64_t{leaf} * kLeafSize;
    double* block = tree.LeafCoordinates(leaf);
    leaf_ids[slot] = leaf_ids[last];
    slots_[leaf_ids[slot]] = int64_t{leaf} * kLeafSize + slot;
    leaf_ids[last] = -1;
    slots_[id] = -1;
    for (int32_t k = 0; k < d; ++k) {
      double* row = block + int64_t{k} * kLeafSize;
      row[slot] = row[last];
      row[last] = std::numeric_limits<double>::infinity();
    }
    leaves.push_back(leaf);
  }
  tree.num_points -= static_cast<int32_t>(ids.size());
  if (removed_since_build_ > tree.num_points) {
    PointMatrix none;
    none.num_dimensions = d;
    Rebuild(none, num_ids());
    return;
  }
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  for (const int32_t leaf : leaves) UpdateLeaf(leaf);
  UpdateInner();
}

template <class Bounds>
void DynamicLeafTree<Bounds>::GatherSubtree(int32_t node, PointMatrix* rows,
                                            std::vector<int32_t>* ids) const {
  const LeafTree& tree = tree_.tree;
  const int32_t d = num_dimensions();
  VisitLeaves(tree, node, [&](int32_t leaf) {
    const double* block = tree.LeafCoordinates(leaf);
    for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
      ids->push_back(tree.LeafIds(leaf)[slot]);
      for (int32_t k = 0; k < d; ++k) {
        rows->values.push_back(block[int64_t{k} * kLeafSize + slot]);
      }
    }
  });
}

template <class Bounds>
void DynamicLeafTree<Bounds>::Append(int32_t leaf, int32_t id,
                                     const double* row) {
  LeafTree& tree = tree_.tree;
  const int32_t slot = tree.leaf_counts[leaf]++;
  tree.leaf_ids[int64_t{leaf} * kLeafSize + slot] = id;
  double* block = tree.LeafCoordinates(leaf);
  for (int32_t k = 0; k < tree.num_dimensions; ++k) {
    block[int64_t{k} * kLeafSize + slot] = row[k];
  }
}

template <class Bounds>
void DynamicLeafTree<Bounds>::UpdateSlots(int32_t leaf) {
  const int32_t* ids = tree_.tree.LeafIds(leaf);
  for (int32_t slot = 0; slot < tree_.tree.leaf_counts[leaf]; ++slot) {
    slots_[ids[slot]] = int64_t{leaf} * kLeafSize + slot;
  }
}

template <class Bounds>
void DynamicLeafTree<Bounds>::UpdateLeaf(int32_t leaf) {
  UpdateSlots(leaf);
  UpdateLeafMinId(leaf, &tree_.tree);
  UpdateLeafBox(tree_.tree, leaf, &tree_.leaf_boxes);
}

template <class Bounds>
void DynamicLeafTree<Bounds>::UpdateInner() {
  UpdateInnerNodes(&tree_.tree);
  RefreshBounds(tree_.tree, tree_.leaf_boxes.data(), &tree_.bounds);
}

template <class Bounds>
void DynamicLeafTree<Bounds>::CopyPoint(int32_t id, double* row) const {
  const int32_t leaf = static_cast<int32_t>(slots_[id] / kLeafSize);
  const double* block =
      tree_.tree.LeafCoordinates(leaf) + slots_[id] % kLeafSize;
  for (int32_t k = 0; k < num_dimensions(); ++k) {
    row[k] = block[int64_t{k} * kLeafSize];
  }
}

template class DynamicLeafTree<BoxBounds>;
template class DynamicLeafTree<VantageBounds>;

}  // namespace warpclust
