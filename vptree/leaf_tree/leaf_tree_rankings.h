// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeRankings: the RankingsSearch of a LeafTree whose neighbors are kept.
// One pass over the lists finds, for all rankings, the first neighbor of higher
// rank of each point. From one ranking to the next, only points whose first
// neighbor changes get another answer. Points without any are searched, one
// ranking and point at a time. Include it only in files that are compiled with
// OpenMP.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_RANKINGS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_RANKINGS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_counts.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

namespace leaf_tree_internal {

// Which neighbor of a slot is the first of higher rank, by ranking: 4 bits
// each.
using FirstNeighbors = uint64_t;
static_assert(kMostRadii * 4 == 64 && kKeptNeighbors < 16);

// kKeptNeighbors if none is.
inline int FirstNeighbor(FirstNeighbors firsts, int ranking) {
  return static_cast<int>(firsts >> 4 * ranking & 15);
}

// Bit s: whether point s of a leaf has no neighbor of higher rank, or another
// first one than in the ranking `last`, if that is not negative.
uint32_t ChangedNeighbors(const FirstNeighbors* firsts, int count, int last,
                          int ranking);

// Sets firsts[slot] by `counts`, of kMostRadii radii, which it leaves in
// another order.
void FindFirstNeighbors(const LeafTree& tree, const LeafNeighbors& neighbors,
                        int num_threads, LeafCounts* counts,
                        AlignedVector<FirstNeighbors>* firsts);

}  // namespace leaf_tree_internal

template <class Bounds>
class LeafTreeRankings final : public RankingsSearch {
 public:
  // `counts` are those of FindFirstNeighbors.
  LeafTreeRankings(const BoundedTree<Bounds>& tree,
                   const LeafNeighbors& neighbors, int num_threads,
                   const WorkShare* work, std::atomic<int64_t>* evaluations,
                   LeafCounts* counts)
      : bounded_(tree),
        neighbors_(neighbors),
        work_(work),
        evaluations_(evaluations) {
    auto firsts = std::make_shared<Firsts>();
    leaf_tree_internal::FindFirstNeighbors(tree.tree, neighbors, num_threads,
                                           counts, firsts.get());
    firsts_ = std::move(firsts);
    std::vector<double> boxes;
    wide_ = std::make_shared<WideBoxes>(MakeWideBoxes(
        tree.tree, leaf_tree_internal::BoxesOfNodes(tree, &boxes)));
    const auto num_slots = static_cast<int64_t>(tree.tree.leaf_ids.size());
    ResizeVector(num_slots, num_threads, &last_slots_);
    ResizeVector(tree.tree.num_points, num_threads, &last_ids_);
    ResizeVector(tree.tree.num_points, num_threads, &last_keys_);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int64_t slot = 0; slot < num_slots; ++slot) last_slots_[slot] = -1;
  }

  std::unique_ptr<RankingsSearch> Copy() const override {
    return std::make_unique<LeafTreeRankings>(*this);
  }

  absl::Status Search(int which, absl::Span<const int32_t> ranks,
                      int num_threads, absl::Span<int32_t> ids,
                      absl::Span<double> keys) override {
    const LeafTree& tree = bounded_.tree;
    slot_ranks_ = leaf_tree_internal::BySlot(
        tree, ranks, std::numeric_limits<int32_t>::max(), num_threads);
    const std::vector<int32_t> node_min_ranks =
        leaf_tree_internal::NodeMinima(tree, slot_ranks_, num_threads);
    const LeafTreeRanks tree_ranks = {slot_ranks_.data(), node_min_ranks.data(),
                                      /*node_max_gains=*/nullptr};
    const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded_.bounds);
    const int32_t num_leaves = tree.num_leaves();
    int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) \
    schedule(dynamic, ChunkFor(num_leaves, num_threads)) \
    reduction(+ : evaluations)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      if (StopRequested(work_)) continue;
      const int64_t first = int64_t{leaf} * kLeafSize;
      const int32_t* leaf_ids = tree.LeafIds(leaf);
      // Answers are stored by id, too, for changed points only: a pass over all
      // slots would take longer.
      const auto set = [&](int lane, int32_t nearest, double key) {
        last_slots_[first + lane] = nearest;
        last_ids_[leaf_ids[lane]] = nearest < 0 ? -1 : tree.leaf_ids[nearest];
        last_keys_[leaf_ids[lane]] = key;
      };
      uint32_t searching = 0;
      NearestPoint begins[kLeafSize];
      for (uint32_t changed = leaf_tree_internal::ChangedNeighbors(
               firsts_->data() + first, tree.leaf_counts[leaf], last_, which);
           changed != 0; changed &= changed - 1) {
        const int lane = __builtin_ctz(changed);
        const int64_t slot = first + lane;
        const int first_near =
            leaf_tree_internal::FirstNeighbor((*firsts_)[slot], which);
        if (first_near < kKeptNeighbors) {
          const int32_t near =
              neighbors_.slots.data()[slot * kKeptNeighbors + first_near];
          set(lane, near, search.slot_key(tree, slot, near));
          continue;
        }
        searching |= uint32_t{1} << lane;
        // The last answer is a good beginning where it still has a higher rank.
        const int32_t before = last_slots_[slot];
        if (before >= 0 && slot_ranks_[before] < slot_ranks_[slot]) {
          begins[lane] = {last_keys_[leaf_ids[lane]], before};
        }
      }
      for (; searching != 0; searching &= searching - 1) {
        const int lane = __builtin_ctz(searching);
        NearestPoint& nearest = begins[lane];
        search.nearest_of_point(tree, bounded_.bounds, tree_ranks, *wide_,
                                first + lane, &nearest, &evaluations);
        set(lane, nearest.id, nearest.key);
      }
    }
    *evaluations_ += evaluations;
    last_ = which;
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t id = 0; id < tree.num_points; ++id) {
      ids[id] = last_ids_[id];
      keys[id] = last_keys_[id];
    }
    return StopRequested(work_)
               ? absl::CancelledError("the search of points was stopped")
               : absl::OkStatus();
  }

  absl::Span<const int32_t> slot_ranks() const override { return slot_ranks_; }

 private:
  using Firsts = AlignedVector<leaf_tree_internal::FirstNeighbors>;

  const BoundedTree<Bounds>& bounded_;
  const LeafNeighbors& neighbors_;
  const WorkShare* const work_;
  std::atomic<int64_t>* const evaluations_;
  // By slot. Copies share it.
  std::shared_ptr<const Firsts> firsts_;
  std::shared_ptr<const WideBoxes> wide_;
  // The last ranking, or -1, and by slot its ranks and the slots of the
  // answers.
  int last_ = -1;
  AlignedVector<int32_t> slot_ranks_;
  std::vector<int32_t> last_slots_;
  // By id, the answers and their keys.
  std::vector<int32_t> last_ids_;
  std::vector<double> last_keys_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_RANKINGS_H_
