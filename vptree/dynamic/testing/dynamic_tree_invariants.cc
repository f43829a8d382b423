// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/dynamic/testing/dynamic_tree_invariants.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "vptree/box_tree/box_bounds.h"
#include "vptree/dynamic/dynamic_leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {
namespace {

template <class Bounds>
absl::Status CheckShape(const DynamicLeafTree<Bounds>& dynamic) {
  const BoundedTree<Bounds>& bounded = dynamic.bounded();
  const LeafTree& tree = bounded.tree;
  const absl::Span<const int64_t> slots = dynamic.slots();
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded.bounds);
  const int32_t d = dynamic.num_dimensions();
  const auto wrong = [](absl::string_view what, int64_t where) {
    return absl::InternalError(absl::StrCat(what, " at ", where));
  };
  std::vector<double> row(d);
  int32_t num_points = 0;
  for (int32_t leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    const int32_t* ids = tree.LeafIds(leaf);
    for (int32_t slot = 0; slot < kLeafSize; ++slot) {
      const int32_t id = ids[slot];
      if (slot >= tree.leaf_counts[leaf]) {
        if (id != -1) return wrong("an id in an empty slot of leaf", leaf);
        for (int32_t k = 0; k < d; ++k) {
          if (tree.LeafCoordinates(leaf)[int64_t{k} * kLeafSize + slot] !=
              std::numeric_limits<double>::infinity()) {
            return wrong("coordinates in an empty slot of leaf", leaf);
          }
        }
        continue;
      }
      ++num_points;
      if (!dynamic.IsLive(id) ||
          slots[id] != int64_t{leaf} * kLeafSize + slot) {
        return wrong("a stale slot of id", id);
      }
      dynamic.CopyPoint(id, row.data());
      const double* box = bounded.leaf_boxes.data() + int64_t{2} * d * leaf;
      for (int32_t k = 0; k < d; ++k) {
        if (row[k] < box[k] || row[k] > box[d + k]) {
          return wrong("a point outside of the box of leaf", leaf);
        }
      }
      // To itself the key is 0: no node above may exclude that.
      for (int32_t node = tree.first_leaf() + leaf; node > 0;
           node = (node - 1) / 2) {
        const int32_t parent = (node - 1) / 2;
        double lower[2], upper[2];
        search.child_keys(tree, bounded.bounds, parent, row.data(), lower,
                          upper);
        if (lower[node - 2 * parent - 1] > 0) {
          return wrong("a point outside of the bounds of node", node);
        }
        if (tree.node_min_ids[node] > id) {
          return wrong("a smaller id than the smallest of node", node);
        }
      }
    }
  }
  if (num_points != tree.num_points) return wrong("points in", num_points);
  int32_t num_live = 0;
  for (const int64_t slot : slots) num_live += slot >= 0 ? 1 : 0;
  if (num_live != num_points) return wrong("live ids", num_live);
  for (int32_t node = 0; node < tree.num_nodes(); ++node) {
    const int32_t left = 2 * node + 1;
    const int32_t count =
        node >= tree.first_leaf()
            ? tree.leaf_counts[node - tree.first_leaf()]
            : tree.node_counts[left] + tree.node_counts[left + 1];
    if (tree.node_counts[node] != count) return wrong("count of node", node);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckInvariants(const DynamicTree& tree) {
  if (const auto* box =
          dynamic_cast<const DynamicLeafTree<BoxBounds>*>(&tree)) {
    return CheckShape(*box);
  }
  return CheckShape(dynamic_cast<const DynamicLeafTree<VantageBounds>&>(tree));
}

}  // namespace warpclust
