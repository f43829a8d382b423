// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelForest: labels that are joined to groups one pair after the other, each
// join at a level. It answers for every level which labels are joined below it.
//
//   LabelForest forest(3);
//   forest.Join(0, 1, /*level=*/5);
//   forest.Join(1, 2, /*level=*/7);
//   forest.LevelOf(0, 2);        // 7
//   forest.RootBelow(0, 6) == forest.RootBelow(1, 6);  // true
//
// Complexity: O(log n) per question, as smaller trees hang below larger ones
// and paths are not shortened.

#ifndef WARPCLUST_VPTREE_POINTS_LABEL_FOREST_H_
#define WARPCLUST_VPTREE_POINTS_LABEL_FOREST_H_

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace warpclust {

class LabelForest {
 public:
  static constexpr int32_t kNever = std::numeric_limits<int32_t>::max();

  // Labels are 0 … num_labels - 1.
  explicit LabelForest(int32_t num_labels) : nodes_(num_labels) {
    for (int32_t label = 0; label < num_labels; ++label) {
      nodes_[label].parent = label;
    }
  }

  // Levels are at least 0 and do not fall from one join to the next. Returns
  // whether the labels were apart.
  bool Join(int32_t a, int32_t b, int32_t level) {
    a = RootBelow(a, kNever);
    b = RootBelow(b, kNever);
    if (a == b) return false;
    if (nodes_[a].size < nodes_[b].size) std::swap(a, b);
    nodes_[b].parent = a;
    nodes_[b].level = level;
    nodes_[a].size += nodes_[b].size;
    joined_.push_back(b);
    return true;
  }

  // Undoes all joins, in a time that depends on their number only.
  void Separate() {
    for (const int32_t label : joined_) {
      nodes_[nodes_[label].parent].size = 1;
      nodes_[label] = {label};
    }
    joined_.clear();
  }

  // The label that stands for the group of `label` by the joins below `level`.
  int32_t RootBelow(int32_t label, int32_t level) const {
    while (nodes_[label].level < level) label = nodes_[label].parent;
    return label;
  }

  // The level of the join that brought the labels together: -1 if they are
  // equal, kNever if they are apart.
  int32_t LevelOf(int32_t a, int32_t b) const {
    int32_t level = -1;
    while (a != b) {
      // Levels rise on the way up.
      if (nodes_[b].level < nodes_[a].level) std::swap(a, b);
      level = nodes_[a].level;
      if (level == kNever) break;
      a = nodes_[a].parent;
    }
    return level;
  }

 private:
  struct Node {
    int32_t parent = 0;
    // Of the join to the parent.
    int32_t level = kNever;
    int32_t size = 1;
  };
  std::vector<Node> nodes_;
  // The labels that are not their own parents.
  std::vector<int32_t> joined_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_LABEL_FOREST_H_
