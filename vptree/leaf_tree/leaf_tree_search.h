// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of a LeafTree for a block of up to 32 query points that lie near
// each other: a warp of the paper's GPU kernels (Liu et al. 2023, sections 4.1
// and 4.2) as lanes of CPU vectors. The same traversal serves boxes and vantage
// points, every norm and every SIMD level; a LeafTreeSearch lists the functions
// of one combination. A kind of bounds comes with SearchFor(tree, bounds),
// which returns them.
//
// Distance keys decide (distance_key.h), so all combinations give the same
// answers. Bounds only save work.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_

#include <cstdint>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_counts.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/label_summary.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

// Query points. Lanes from `count` on take part in computations; their results
// are ignored.
struct QueryBlock {
  // Coordinate k of a lane is coordinates[32 k + lane], as in a leaf. Aligned
  // to a cache line.
  const double* coordinates;
  // Their bounding box: low of each dimension, then high.
  const double* box;
  int32_t count;
};

// Ranks of the points in a tree; 0 is the highest.
struct LeafTreeRanks {
  // By slot, like leaf_ids; INT32_MAX for empty slots.
  const int32_t* leaf_ranks;
  // The smallest of each node.
  const int32_t* node_min_ranks;
  // The largest gain of each node's points (NearestBlock), or null.
  const int32_t* node_max_gains;
};

// The nearest points of a block so far. A search only improves them.
struct NearestBlock {
  // -infinity for lanes that search nothing.
  alignas(64) double keys[kLeafSize];
  alignas(64) int32_t ids[kLeafSize];
  // The search looks for points of smaller rank. INT32_MIN for lanes that
  // search nothing.
  alignas(64) int32_t ranks[kLeafSize];
  // The search visits nodes with a larger gain. INT32_MIN: all nodes; INT32_MAX
  // for lanes that search nothing.
  alignas(64) int32_t gains[kLeafSize];
};

// The nearest points of each lane of a leaf, itself left out.
struct NeighborBlock {
  int32_t leaf;
  // By lane, the best first; lanes with fewer neighbors end with infinite keys.
  alignas(64) double keys[kLeafSize][kKeptNeighbors];
  // The id in the high half, the slot in the low half.
  alignas(64) int64_t points[kLeafSize][kKeptNeighbors];
};

// The k nearest points of each lane.
struct KNearestBlock {
  explicit KNearestBlock(int32_t wanted)
      : k(wanted),
        most(2 * int64_t{k} + kLeafSize),
        room((most + 2 * kLeafSize) / kLeafSize * kLeafSize) {
    keys.Reserve(room * kLeafSize);
    ids.Reserve(room * kLeafSize);
    for (AlignedBuffer<double>& buffer : scratch) buffer.Reserve(room);
  }

  double* KeysOf(int lane) { return keys.data() + lane * room; }
  int32_t* IdsOf(int lane) { return ids.data() + lane * room; }
  // Sorts the points of a lane by key, then by id.
  void Sort(int lane);

  // At least 1. The tree has that many points, without the lane itself if the
  // block is a leaf.
  const int32_t k;
  // A lane with more points keeps the best k of them. There is room for a leaf
  // more, rounded up to whole vectors.
  const int64_t most;
  const int64_t room;
  // The leaf that the block is, of which a lane leaves itself out; else -1.
  int32_t leaf = -1;
  int64_t counts[kLeafSize];
  // A point that comes after this one is not among the k nearest. -infinity for
  // lanes that search nothing.
  alignas(64) double worst_keys[kLeafSize];
  alignas(64) int32_t worst_ids[kLeafSize];
  AlignedBuffer<double> keys;
  AlignedBuffer<int32_t> ids;
  // For the search.
  AlignedBuffer<double> scratch[2];
  std::vector<int32_t> equal_ids;
  // For Sort.
  std::vector<NearestPoint> sorted;
};

// With more neighbors it takes less time to sort them than to count for each
// how many are nearer.
inline constexpr int32_t kMostRanked = 256;

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

// Groups of labels, and what a search for pairs between them needs. Summaries,
// levels and boxes are of the points that search only, which are all that are
// found.
struct LeafTreeGroups {
  LeafTreeLabels labels;
  // By node: below which level its labels are not all joined; -1 if they are
  // equal.
  const int32_t* node_levels;
  const LabelForest* forest;
  // As NodeBoxes has them. In more than kMaxFilterDimensions dimensions they
  // may be larger.
  const double* node_boxes;
};

// The leaves that the blocks below a node may find other groups in.
struct ReachedGroups {
  // As SetBlockBoxes sets them.
  AlignedVector<double> block_boxes;
  struct Leaf {
    int32_t node;
    // Those of the node, here since blocks read them one after the other.
    int32_t level;
    LabelSummary summary;
  };
  std::vector<Leaf> leaves;
  // By leaf: bit b says whether block b is near, and the summary's min_rank.
  // As vectors test them: up to a whole number of 32, with no block.
  AlignedVector<int32_t> blocks;
  AlignedVector<int32_t> min_ranks;
};

// The groups near a block that are apart from those of its lanes.
struct GroupBlock {
  // In `best` the rank of each lane: the search looks for smaller ones. 0 for
  // lanes that search nothing.
  LabelBlock lanes;
  // The root of each lane's group below its rank, or -1 until it is needed.
  int32_t roots[kLeafSize];
  // The largest rank of the lanes.
  int32_t max_rank;
  // The different labels, and the lanes of each.
  int32_t num_labels;
  int32_t labels[kLeafSize];
  uint32_t lanes_of_label[kLeafSize];
  // What was found: a chain of groups per lane, -1 at its end.
  struct Group {
    int32_t root;
    // The smallest rank, and the label of that point.
    int32_t min_rank;
    int32_t min_label;
    int32_t next;
  };
  int32_t first_groups[kLeafSize];
  std::vector<Group> groups;
};

// Radii that one traversal counts for.
inline constexpr int kMostRadii = 16;

// The radii [begin, end) may contain some of a node's points, not all. Those
// below contain none; those from `end` on contain all, which count already.
struct NodeRadii {
  int32_t node;
  int32_t begin;
  int32_t end;
};

// Where the counts of all blocks below a node begin.
struct ReachedNodes {
  // The box of each node, as NodeBoxes has them.
  const double* node_boxes;
  // As SetBlockBoxes sets them.
  AlignedVector<double> block_boxes;
  struct Leaf {
    NodeRadii radii;
    // By block: bounds of the keys.
    alignas(64) double lower[kBlocks];
    alignas(64) double upper[kBlocks];
  };
  std::vector<Leaf> leaves;
  // By radius: how many more points than within the one before are within it
  // for all of the blocks.
  int64_t changes[kMostRadii + 1];
};

template <class Bounds>
struct LeafTreeSearch {
  // Sets counts[lane] to the number of points of the tree with key <
  // radius_key, including the query point if it is one of them. Like all
  // functions, adds the number of distances computed to *evaluations.
  void (*count_within)(const LeafTree& tree, const Bounds& bounds,
                       const QueryBlock& query, double radius_key,
                       int32_t* counts, int64_t* evaluations);

  // For a block that is a leaf, adds that number for radius_keys[r] to those of
  // radius r, or a part of it: once called for all leaves, `counts` has all.
  // The keys ascend; there are 1 to kMostRadii. `reached` is what reach_each
  // found for a node above the leaf, which is number `which` below it.
  // `integral` says that all coordinates are integers of at most 2^20 in
  // magnitude.
  void (*count_within_each)(const LeafTree& tree, int32_t leaf,
                            const double* radius_keys, int num_radii,
                            bool integral, const ReachedNodes& reached,
                            int which, LeafCounts* counts,
                            int64_t* evaluations);

  // Sets `reached`, except node_boxes, for the blocks below a node.
  void (*reach_each)(const LeafTree& tree, int32_t node,
                     const double* radius_keys, int num_radii,
                     ReachedNodes* reached, int64_t* evaluations);

  // Improves `nearest` to the Preferred points of smaller rank. Starts in
  // start_leaf, which should be near the block, and climbs from there.
  void (*nearest_of_higher_rank)(const LeafTree& tree, const Bounds& bounds,
                                 const LeafTreeRanks& ranks,
                                 const QueryBlock& query, int32_t start_leaf,
                                 NearestBlock* nearest, int64_t* evaluations);

  // The same for the point in a slot, alone. Instead of an id `nearest` has the
  // slot.
  void (*nearest_of_point)(const LeafTree& tree, const Bounds& bounds,
                           const LeafTreeRanks& ranks, const WideBoxes& wide,
                           int64_t slot, NearestPoint* nearest,
                           int64_t* evaluations);

  // Improves the lists of a leaf to the Preferred points. All points of the
  // tree have smaller ranks than the lanes. `query` is the leaf, and `nearest`
  // has the last element of each list.
  void (*neighbors_of_leaf)(const LeafTree& tree, const Bounds& bounds,
                            const LeafTreeRanks& ranks, const QueryBlock& query,
                            NearestBlock* nearest, NeighborBlock* lists,
                            int64_t* evaluations);

  // Sets the k nearest points of each lane, the best first. Starts in
  // start_leaf, as nearest_of_higher_rank does.
  void (*k_nearest)(const LeafTree& tree, const Bounds& bounds,
                    const QueryBlock& query, int32_t start_leaf,
                    KNearestBlock* block, int64_t* evaluations);

  // Improves block->best to the smallest rank of a point with key < radius_key
  // and another label than the lane's.
  void (*highest_rank_of_other_label)(const LeafTree& tree,
                                      const Bounds& bounds,
                                      const LeafTreeLabels& labels,
                                      const QueryBlock& query,
                                      double radius_key, LabelBlock* block,
                                      int64_t* evaluations);

  // Sets `box` to the box of a leaf's points with ranks below `end_rank`, which
  // may be empty. `leaf_ranks` are those of all slots.
  void (*box_of_ranks)(const LeafTree& tree, int32_t leaf,
                       const int32_t* leaf_ranks, int32_t end_rank,
                       double* box);

  // Sets `reached` to the leaves near a node that are not all joined to it, for
  // groups_apart of the blocks below it. The node is one of `asking`, whose
  // points have the ranks and labels of `askers`: the same tree and groups, or
  // others.
  void (*reach_groups)(const LeafTree& tree, const LeafTreeGroups& groups,
                       const LeafTree& asking, const LeafTreeGroups& askers,
                       int32_t node, double radius_key, ReachedGroups* reached,
                       int64_t* evaluations);

  // Adds to block->groups those of the points with key < radius_key and a
  // smaller rank than the lane's that are apart from the lane's own group by
  // the joins below its rank. `reached` is what reach_groups found for a
  // node above the block, which is number `which` below it.
  void (*groups_apart)(const LeafTree& tree, const LeafTreeGroups& groups,
                       const QueryBlock& query, double radius_key,
                       const ReachedGroups& reached, int which,
                       GroupBlock* block, int64_t* evaluations);

  // Sets keys[slot] to the key from `point` (contiguous coordinates) to each
  // slot of a leaf, infinite for empty slots.
  void (*leaf_keys)(const LeafTree& tree, int32_t leaf, const double* point,
                    double* keys);

  // The key of the points in two slots.
  double (*slot_key)(const LeafTree& tree, int64_t a, int64_t b);

  // Sets lower[c] and upper[c] to bounds of the keys from `point` to the points
  // of the left (0) or right (1) child of an inner node. They are meaningless
  // for a child without points.
  void (*child_keys)(const LeafTree& tree, const Bounds& bounds, int32_t node,
                     const double* point, double* lower, double* upper);
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_H_
