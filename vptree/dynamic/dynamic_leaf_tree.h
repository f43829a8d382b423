// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicLeafTree: the half of a DynamicTree that maintains the shape, for one
// kind of bounds; dynamic_tree.h describes how. The searches are in
// dynamic_tree.cc.
//
// Invariants: the points of a leaf are in its first slots; boxes, bounds,
// counts and smallest ids agree with the leaves after each batch.

#ifndef WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_LEAF_TREE_H_
#define WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_LEAF_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "vptree/dynamic/dynamic_tree.h"
#include "vptree/dynamic/subtree_room.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

template <class Bounds>
class DynamicLeafTree : public DynamicTree {
 public:
  DynamicLeafTree(Norm norm, int32_t num_dimensions, int num_threads);

  int32_t num_dimensions() const override { return tree_.tree.num_dimensions; }
  int32_t num_ids() const override {
    return static_cast<int32_t>(slots_.size());
  }
  int32_t num_points() const override { return tree_.tree.num_points; }
  bool IsLive(int32_t id) const override {
    return id >= 0 && id < num_ids() && slots_[id] >= 0;
  }
  void CopyPoint(int32_t id, double* row) const override;
  Maintenance maintenance() const override { return maintenance_; }
  absl::Status Insert(const PointMatrix& batch) override;
  absl::Status Remove(absl::Span<const int32_t> ids) override;

  // The arrays: the tree to search, and for each id leaf * 32 + slot, or -1 if
  // it is gone.
  const BoundedTree<Bounds>& bounded() const { return tree_; }
  absl::Span<const int64_t> slots() const { return slots_; }

 private:
  void InsertBatch(const PointMatrix& batch, int32_t first_id);
  void RemoveBatch(absl::Span<const int32_t> ids);
  // Rebuilds the whole tree from its points and the batch.
  void Rebuild(const PointMatrix& batch, int32_t first_id);
  // Splits every leaf.
  void AddLevelOfLeaves();
  void BuildSubtree(int32_t node, const PointMatrix& batch, int32_t first_id,
                    const LeafArrival* arrivals, size_t num_arrivals);
  // Appends the points of a subtree to rows and ids.
  void GatherSubtree(int32_t node, PointMatrix* rows,
                     std::vector<int32_t>* ids) const;
  void Append(int32_t leaf, int32_t id, const double* row);
  // Sets slots_ of the ids of a leaf.
  void UpdateSlots(int32_t leaf);
  // Sets slots_, the box and the smallest id of a leaf from its points.
  void UpdateLeaf(int32_t leaf);
  void UpdateInner();

  BoundedTree<Bounds> tree_;
  std::vector<int64_t> slots_;
  int64_t removed_since_build_ = 0;
  int num_threads_;
  Maintenance maintenance_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_LEAF_TREE_H_
