// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of a LeafTree for a block of up to 32 query points that lie near
// each other: a warp of the paper's GPU kernels (Liu et al. 2023, sections 4.1
// and 4.2) as lanes of CPU vectors. One traversal serves boxes and vantage
// points, each norm, and each SIMD level; the functions of one combination are
// a LeafTreeSearch.
//
// What is within a radius, and what is nearest, is decided by distance keys in
// their specified arithmetic (distance_key.h): all combinations give the same
// answers, bounds only save work.
//
// Thread-safety: all functions are pure in their output arguments.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_

#include <cstdint>

#include "vptree/leaf_tree/leaf_tree.h"

namespace warpclust {

// Query points. Lanes from `count` on are computed with, and ignored.
struct QueryBlock {
  // Coordinate k of a lane is coordinates[32 k + lane]; at a cache line
  // boundary. A leaf's block will do.
  const double* coordinates;
  // Their bounding box: low of each dimension, then high.
  const double* box;
  int32_t count;
};

// Ranks of the points in a tree, 0 the highest, as the searches read them.
struct LeafTreeRanks {
  // Of the point in a slot (leaf_ids' layout); INT32_MAX for empty slots.
  const int32_t* leaf_ranks;
  // Of each node the smallest.
  const int32_t* node_min_ranks;
  // Of each node the largest gain of its points (NearestBlock); or null.
  const int32_t* node_max_gains;
};

// The nearest points of a block so far: what the search may only improve.
struct NearestBlock {
  // -infinity for lanes that search nothing.
  alignas(64) double keys[kLeafSize];
  alignas(64) int32_t ids[kLeafSize];
  // Only points of smaller rank are looked for. INT32_MIN for lanes that search
  // nothing.
  alignas(64) int32_t ranks[kLeafSize];
  // Only nodes with a larger gain are searched. INT32_MIN: all; INT32_MAX for
  // lanes that search nothing.
  alignas(64) int32_t gains[kLeafSize];
};

// What a node's points say to a search for other labels.
struct LabelSummary {
  // The smallest rank, and the label of that point.
  int32_t min_rank;
  int32_t min_label;
  // The smallest rank among points of other labels than min_label.
  int32_t other_min_rank;
};

// Of two sets of points together. Ranks are distinct but for INT32_MAX, which
// is none.
inline LabelSummary MergeLabels(const LabelSummary& a, const LabelSummary& b) {
  const LabelSummary& first = a.min_rank <= b.min_rank ? a : b;
  const LabelSummary& second = a.min_rank <= b.min_rank ? b : a;
  const int32_t other = second.min_label == first.min_label
                            ? second.other_min_rank
                            : second.min_rank;
  return {first.min_rank, first.min_label,
          other < first.other_min_rank ? other : first.other_min_rank};
}

struct LeafTreeLabels {
  const int32_t* leaf_ranks;
  const int32_t* leaf_labels;
  const LabelSummary* node_summaries;
};

struct LabelBlock {
  // The smallest rank of another label so far.
  alignas(64) int32_t best[kLeafSize];
  alignas(64) int32_t labels[kLeafSize];
};

template <class Bounds>
struct LeafTreeSearch {
  // Sets counts[lane] to the points of the tree, a query point that is one of
  // them included, with key < radius_key. Adds the distances that it computed
  // to *evaluations, as all functions do.
  void (*count_within)(const LeafTree& tree, const Bounds& bounds,
                       const QueryBlock& query, double radius_key,
                       int32_t* counts, int64_t* evaluations);

  // Improves `nearest` to the Preferred points of smaller rank. Begins in
  // start_leaf, which should be near the block, and goes up from there.
  void (*nearest_of_higher_rank)(const LeafTree& tree, const Bounds& bounds,
                                 const LeafTreeRanks& ranks,
                                 const QueryBlock& query, int32_t start_leaf,
                                 NearestBlock* nearest, int64_t* evaluations);

  // Improves block->best to the smallest rank of a point with key < radius_key
  // and another label than the lane's.
  void (*highest_rank_of_other_label)(const LeafTree& tree,
                                      const Bounds& bounds,
                                      const LeafTreeLabels& labels,
                                      const QueryBlock& query,
                                      double radius_key, LabelBlock* block,
                                      int64_t* evaluations);

  // keys[slot] from `point` (contiguous coordinates) to each slot of a leaf;
  // infinite for empty slots.
  void (*leaf_keys)(const LeafTree& tree, int32_t leaf, const double* point,
                    double* keys);

  // No key from `point` to a point of the left (0) or right (1) child of an
  // inner node is below lower[c] or above upper[c]. Nothing meaningful for a
  // child without points.
  void (*child_keys)(const LeafTree& tree, const Bounds& bounds, int32_t node,
                     const double* point, double* lower, double* upper);
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_
