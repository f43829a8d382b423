// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeJoiningPairs: the JoiningPairSearch of a LeafTree. Include it only in
// files that are compiled with OpenMP.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_JOINS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_JOINS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "vptree/leaf_tree/found_pairs.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {

namespace leaf_tree_internal {

// Returns LeafTreeGroups::node_levels, of the points with ranks below end_rank.
std::vector<int32_t> NodeLevels(const LeafTree& tree,
                                const LeafTreeLabels& labels,
                                const LabelForest& forest, int32_t end_rank,
                                int num_threads);

// Sets `block` for the points of a leaf with ranks below end_rank.
void SetGroupBlock(const LeafTreeGroups& groups, int32_t leaf, int32_t count,
                   int32_t end_rank, GroupBlock* block);

// Appends the pairs of a leaf's points of rank num_above[kKeptNeighbors] or
// more. Their neighbors are all others within the radius, and more.
void AppendPairsOfNeighbors(const LeafTreeGroups& groups,
                            const LeafNeighbors& neighbors,
                            absl::Span<const int32_t> num_above, int32_t leaf,
                            int32_t count, FoundPairs* pairs);

// Appends what was found.
void AppendPairs(const GroupBlock& block, FoundPairs* pairs);
// The same for the queries of the lanes.
void AppendPairs(const GroupBlock& block, const int32_t* queries,
                 std::vector<QueryPair>* pairs);

}  // namespace leaf_tree_internal

template <class Bounds>
class LeafTreeJoiningPairs final : public JoiningPairSearch {
 public:
  // `neighbors` may be empty.
  LeafTreeJoiningPairs(const BoundedTree<Bounds>& tree,
                       const LeafNeighbors& neighbors, double radius_key,
                       absl::Span<const int32_t> ranks,
                       absl::Span<const int32_t> slot_ranks,
                       absl::Span<const int32_t> labels,
                       absl::Span<const int32_t> num_above, int num_threads,
                       const WorkShare* work, std::atomic<int64_t>* evaluations)
      : tree_(tree),
        neighbors_(neighbors),
        has_lists_(!neighbors.empty() && num_above.size() > kKeptNeighbors),
        num_above_(num_above.begin(), num_above.end()),
        first_listed_(num_above_[has_lists_ ? kKeptNeighbors : 0]),
        radius_key_(radius_key),
        num_threads_(num_threads),
        work_(work),
        evaluations_(evaluations),
        by_slot_(leaf_tree_internal::LabelsBySlot(
            tree.tree, ranks, slot_ranks, labels, /*end_rank=*/first_listed_,
            num_threads)),
        node_boxes_(tree.tree.num_dimensions <= kMaxFilterDimensions
                        ? BoxesOfSearchers()
                        : leaf_tree_internal::BoxesOfNodes(tree, &boxes_)) {}

  absl::Status Search(const LabelForest& forest, int part, bool without_next,
                      std::vector<RankPair>* pairs) override {
    const LeafTree& tree = tree_.tree;
    const LeafTreeSearch<Bounds>& search = SearchFor(tree, tree_.bounds);
    const std::vector<int32_t> levels = NodeLevelsOf(forest);
    const LeafTreeGroups groups = {by_slot_.View(), levels.data(), &forest,
                                   node_boxes_};
    const int32_t num_leaves = tree.num_leaves();
    const int32_t stride = int32_t{1} << 3 * part;
    const int32_t next_mask = (int32_t{1} << 3 * (part + 1)) - 1;
    // Leaves of a node share the way down from the root. In other parts than
    // the last, each is alone.
    const int32_t group_height =
        part == 0 ? std::min(tree.height, kBlocksHeight) : 0;
    const int32_t num_parts = num_leaves / (stride << group_height);
    int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads_) reduction(+ : evaluations)
    {
      GroupBlock block;
      ReachedGroups reached;
      leaf_tree_internal::FoundPairs found;
#pragma omp for schedule(dynamic, ChunkFor(num_parts, num_threads_))
      for (int32_t first = 0; first < num_leaves;
           first += stride << group_height) {
        if (StopRequested(work_)) continue;
        const int32_t node =
            ((tree.first_leaf() + 1 + first) >> group_height) - 1;
        bool is_reached = false;
        for (int32_t leaf = first; leaf < first + (1 << group_height); ++leaf) {
          if (without_next && (leaf & next_mask) == 0) continue;
          const int32_t count = tree.leaf_counts[leaf];
          if (has_lists_) {
            leaf_tree_internal::AppendPairsOfNeighbors(
                groups, neighbors_, num_above_, leaf, count, &found);
          }
          const int32_t min_rank =
              by_slot_.summaries[tree.first_leaf() + leaf].min_rank;
          if (min_rank >= first_listed_) continue;
          leaf_tree_internal::SetGroupBlock(groups, leaf, count, first_listed_,
                                            &block);
          if (!is_reached) {
            search.reach_groups(tree, groups, tree, groups, node, radius_key_,
                                &reached, &evaluations);
            is_reached = true;
          }
          search.groups_apart(tree, groups,
                              {tree.LeafCoordinates(leaf),
                               NodeBox(node_boxes_, tree.first_leaf() + leaf,
                                       tree.num_dimensions),
                               count},
                              radius_key_, reached, leaf - first, &block,
                              &evaluations);
          leaf_tree_internal::AppendPairs(block, &found);
        }
      }
#pragma omp critical(warpclust_joining_pairs)
      pairs->insert(pairs->end(), found.pairs().begin(), found.pairs().end());
    }
    *evaluations_ += evaluations;
    return NotStopped();
  }

  absl::Status SearchOf(const PointMatrix& queries,
                        absl::Span<const int32_t> query_ranks,
                        absl::Span<const int32_t> query_labels,
                        const LabelForest& forest,
                        std::vector<QueryPair>* pairs) override {
    const auto count = static_cast<size_t>(queries.num_points);
    RETURN_IF_ERROR(CheckLength("query ranks", query_ranks.size(), count));
    RETURN_IF_ERROR(CheckLength("query labels", query_labels.size(), count));
    if (num_above_.size() > 1) {
      return absl::FailedPreconditionError(
          "pairs that join labels: expected one number of points above, found "
          "several");
    }
    const LeafTree& tree = tree_.tree;
    if (count == 0 || tree.num_points == 0) return absl::OkStatus();
    ASSIGN_OR_RETURN(const BoundedTree<Bounds> asking,
                     TreeOfQueries(tree_, queries, num_threads_));
    // Those of larger rank are not in the summaries of the tree.
    std::vector<int32_t> limits(query_ranks.begin(), query_ranks.end());
    for (int32_t& limit : limits) limit = std::min(limit, first_listed_);
    const leaf_tree_internal::SlotLabels labels =
        leaf_tree_internal::LabelsBySlot(asking.tree, limits,
                                         /*slot_ranks=*/{}, query_labels,
                                         LabelForest::kNever, num_threads_);
    const std::vector<int32_t> asking_levels = leaf_tree_internal::NodeLevels(
        asking.tree, labels.View(), forest, LabelForest::kNever, num_threads_);
    std::vector<double> boxes;
    const LeafTreeGroups askers = {
        labels.View(), asking_levels.data(), &forest,
        leaf_tree_internal::BoxesOfNodes(asking, &boxes)};
    const std::vector<int32_t> levels = NodeLevelsOf(forest);
    const LeafTreeGroups groups = {by_slot_.View(), levels.data(), &forest,
                                   node_boxes_};
    const LeafTreeSearch<Bounds>& search = SearchFor(tree, tree_.bounds);
    const int32_t group_height = std::min(asking.tree.height, kBlocksHeight);
    const int32_t num_groups = asking.tree.num_leaves() >> group_height;
    int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads_) reduction(+ : evaluations)
    {
      GroupBlock block;
      ReachedGroups reached;
      std::vector<QueryPair> found;
#pragma omp for schedule(dynamic, ChunkFor(num_groups, num_threads_))
      for (int32_t group = 0; group < num_groups; ++group) {
        const int32_t node = num_groups - 1 + group;
        if (asking.tree.node_counts[node] == 0 || StopRequested(work_)) {
          continue;
        }
        search.reach_groups(tree, groups, asking.tree, askers, node,
                            radius_key_, &reached, &evaluations);
        const int32_t first = group << group_height;
        for (int32_t leaf = first; leaf < first + (1 << group_height); ++leaf) {
          const int32_t in_leaf = asking.tree.leaf_counts[leaf];
          leaf_tree_internal::SetGroupBlock(askers, leaf, in_leaf,
                                            LabelForest::kNever, &block);
          if (block.max_rank == 0) continue;
          search.groups_apart(
              tree, groups, leaf_tree_internal::BlockOfLeaf(asking, leaf),
              radius_key_, reached, leaf - first, &block, &evaluations);
          leaf_tree_internal::AppendPairs(block, asking.tree.LeafIds(leaf),
                                          &found);
        }
      }
#pragma omp critical(warpclust_query_pairs)
      pairs->insert(pairs->end(), found.begin(), found.end());
    }
    *evaluations_ += evaluations;
    return NotStopped();
  }

 private:
  absl::Status NotStopped() const {
    return StopRequested(work_)
               ? absl::CancelledError("the search of points was stopped")
               : absl::OkStatus();
  }

  std::vector<int32_t> NodeLevelsOf(const LabelForest& forest) const {
    return leaf_tree_internal::NodeLevels(tree_.tree, by_slot_.View(), forest,
                                          first_listed_, num_threads_);
  }

  // Sets boxes_ to the box of each node's points with ranks below
  // first_listed_. Only these search and are found.
  const double* BoxesOfSearchers() {
    const LeafTree& tree = tree_.tree;
    const LeafTreeSearch<Bounds>& search = SearchFor(tree, tree_.bounds);
    boxes_.resize(int64_t{2} * tree.num_nodes() * tree.num_dimensions);
    const int32_t num_leaves = tree.num_leaves();
#pragma omp parallel for num_threads(num_threads_) schedule(static)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      double* box = boxes_.data() + int64_t{2} * (tree.first_leaf() + leaf) *
                                        tree.num_dimensions;
      search.box_of_ranks(tree, leaf, by_slot_.ranks.data(), first_listed_,
                          box);
    }
    SetInnerBoxes(tree.num_dimensions, &boxes_);
    return boxes_.data();
  }

  const BoundedTree<Bounds>& tree_;
  const LeafNeighbors& neighbors_;
  const bool has_lists_;
  const std::vector<int32_t> num_above_;
  // Points of this rank or more have all others within the radius in their
  // lists, or none.
  const int32_t first_listed_;
  const double radius_key_;
  const int num_threads_;
  const WorkShare* const work_;
  std::atomic<int64_t>* const evaluations_;
  const leaf_tree_internal::SlotLabels by_slot_;
  std::vector<double> boxes_;
  const double* const node_boxes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_JOINS_H_
