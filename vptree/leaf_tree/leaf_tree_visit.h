// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Traversals of a LeafTree for one query point. The caller supplies what to do
// at points and at whole subtrees.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_VISIT_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_VISIT_H_

#include <cstdint>

#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

// Calls visit_leaf(leaf) for the leaves of the subtree at `node`, in order.
template <class VisitLeaf>
void VisitLeaves(const LeafTree& tree, int32_t node, VisitLeaf visit_leaf) {
  // The leaves of the subtree are consecutive.
  int64_t first = node;
  int64_t last = node;
  while (first < tree.first_leaf()) {
    first = 2 * first + 1;
    last = 2 * last + 2;
  }
  for (int64_t leaf = first; leaf <= last; ++leaf) {
    visit_leaf(static_cast<int32_t>(leaf - tree.first_leaf()));
  }
}

// Calls visit_node(node) for subtrees whose points all have key < radius_key,
// and visit_slot(leaf, slot) for each other point with such a key.
template <class Bounds, class VisitNode, class VisitSlot>
void VisitRange(const LeafTree& tree, const Bounds& bounds, const double* point,
                double radius_key, VisitNode visit_node, VisitSlot visit_slot,
                int64_t* evaluations) {
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounds);
  int32_t pending[kMaxTreeHeight + 2];
  int num_pending = 0;
  pending[num_pending++] = 0;
  while (num_pending > 0) {
    const int32_t node = pending[--num_pending];
    if (node < tree.first_leaf()) {
      double lower[2], upper[2];
      search.child_keys(tree, bounds, node, point, lower, upper);
      *evaluations += 2;
      for (int c = 1; c >= 0; --c) {
        const int32_t child = 2 * node + 1 + c;
        if (tree.node_counts[child] == 0) continue;
        if (upper[c] < radius_key) {
          visit_node(child);
        } else if (lower[c] < radius_key) {
          pending[num_pending++] = child;
        }
      }
    } else {
      const int32_t leaf = node - tree.first_leaf();
      alignas(64) double keys[kLeafSize];
      search.leaf_keys(tree, leaf, point, keys);
      *evaluations += tree.leaf_counts[leaf];
      for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        if (keys[slot] < radius_key) visit_slot(leaf, slot);
      }
    }
  }
}

// Calls visit(leaf, slot, key) for points that are Preferred to *worst, nearer
// subtrees first. `visit` may improve *worst.
template <class Bounds, class Visit>
void VisitNearest(const LeafTree& tree, const Bounds& bounds,
                  const double* point, const NearestPoint* worst, Visit visit,
                  int64_t* evaluations) {
  struct Pending {
    int32_t node;
    double lower;
  };
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounds);
  const auto worth = [&](const Pending& p) {
    return tree.node_counts[p.node] > 0 &&
           Preferred(p.lower, tree.node_min_ids[p.node], worst->key, worst->id);
  };
  Pending pending[kMaxTreeHeight + 2];
  int num_pending = 0;
  pending[num_pending++] = {0, 0};
  while (num_pending > 0) {
    const Pending next = pending[--num_pending];
    if (!worth(next)) continue;
    if (next.node < tree.first_leaf()) {
      double lower[2], upper[2];
      search.child_keys(tree, bounds, next.node, point, lower, upper);
      *evaluations += 2;
      const int far = lower[1] < lower[0] ? 0 : 1;
      const int32_t left = 2 * next.node + 1;
      pending[num_pending++] = {left + far, lower[far]};
      pending[num_pending++] = {left + 1 - far, lower[1 - far]};
    } else {
      const int32_t leaf = next.node - tree.first_leaf();
      alignas(64) double keys[kLeafSize];
      search.leaf_keys(tree, leaf, point, keys);
      *evaluations += tree.leaf_counts[leaf];
      const int32_t* ids = tree.LeafIds(leaf);
      for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        if (Preferred(keys[slot], ids[slot], worst->key, worst->id)) {
          visit(leaf, slot, keys[slot]);
        }
      }
    }
  }
}

// Returns the largest key from `point` to a point of the tree, 0 without any.
template <class Bounds>
double LargestKeyInTree(const LeafTree& tree, const Bounds& bounds,
                        const double* point, int64_t* evaluations) {
  struct Pending {
    int32_t node;
    double upper;
  };
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounds);
  double largest = 0;
  Pending pending[kMaxTreeHeight + 2];
  int num_pending = 0;
  pending[num_pending++] = {0, std::numeric_limits<double>::infinity()};
  while (num_pending > 0) {
    const Pending next = pending[--num_pending];
    if (tree.node_counts[next.node] == 0 || next.upper <= largest) continue;
    if (next.node < tree.first_leaf()) {
      double lower[2], upper[2];
      search.child_keys(tree, bounds, next.node, point, lower, upper);
      *evaluations += 2;
      // The farther child first.
      const int near = upper[1] < upper[0] ? 1 : 0;
      const int32_t left = 2 * next.node + 1;
      pending[num_pending++] = {left + near, upper[near]};
      pending[num_pending++] = {left + 1 - near, upper[1 - near]};
    } else {
      const int32_t leaf = next.node - tree.first_leaf();
      const int32_t count = tree.leaf_counts[leaf];
      alignas(64) double keys[kLeafSize];
      search.leaf_keys(tree, leaf, point, keys);
      *evaluations += count;
      largest = std::max(largest, *std::max_element(keys, keys + count));
    }
  }
  return largest;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_VISIT_H_
