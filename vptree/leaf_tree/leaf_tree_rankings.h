// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeRankings: the RankingsSearch of a LeafTree whose neighbors are kept.
// One pass over the lists finds, for all rankings, the first neighbor of higher
// rank of each point. From one ranking to the next, only points whose first
// neighbor changes get another answer. Points without any are searched, one
// ranking at a time. Include it only in files that are compiled with OpenMP.

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
#include "base/machine/work_share.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_nearest.h"
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

// Up to 32 points of some leaves near each other, which search together.
struct SearchedPoints {
  int32_t count = 0;
  int64_t slots[kLeafSize];
  NearestBlock nearest;
  AlignedVector<double> coordinates;
  std::vector<double> box;
};

// Sets coordinates and box.
QueryBlock BlockOfPoints(const LeafTree& tree, SearchedPoints* searched);

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
    const int32_t n = tree.tree.num_points;
    ResizeVector(n, num_threads, &last_ids_);
    ResizeVector(n, num_threads, &last_keys_);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int32_t id = 0; id < n; ++id) last_ids_[id] = -1;
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
    const AlignedVector<int32_t>& leaf_ranks = slot_ranks_;
    const std::vector<int32_t> node_min_ranks =
        leaf_tree_internal::NodeMinima(tree, leaf_ranks, num_threads);
    const LeafTreeRanks tree_ranks = {leaf_ranks.data(), node_min_ranks.data(),
                                      /*node_max_gains=*/nullptr};
    const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded_.bounds);
    // Where few points of a leaf search, those of some leaves do so together.
    const int32_t group_height = std::min(tree.height, 3);
    const int32_t num_groups = tree.num_leaves() >> group_height;
    int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : evaluations)
    {
      leaf_tree_internal::SearchedPoints searched;
      NearestBlock& block = searched.nearest;
      const auto set = [&](int64_t slot, int32_t near_id, double key) {
        const int32_t id = tree.leaf_ids[slot];
        last_ids_[id] = near_id;
        last_keys_[id] = key;
      };
      const auto search_points = [&] {
        if (searched.count == 0) return;
        for (int lane = 0; lane < searched.count; ++lane) {
          // Without branches, which would be decided one after the other by
          // what is far apart in memory.
          const int64_t slot = searched.slots[lane];
          const int32_t id = tree.leaf_ids[slot];
          const int32_t before = last_ids_[id];
          const bool begins =
              (before >= 0) & (ranks[std::max(before, 0)] < leaf_ranks[slot]);
          const double keys_of[2] = {std::numeric_limits<double>::infinity(),
                                     last_keys_[id]};
          block.keys[lane] = keys_of[begins ? 1 : 0];
          block.ids[lane] = begins ? before : -1;
          block.ranks[lane] = leaf_ranks[slot];
          block.gains[lane] = std::numeric_limits<int32_t>::min();
        }
        for (int lane = searched.count; lane < kLeafSize; ++lane) {
          leaf_tree_internal::SetIdle(lane, &block);
        }
        search.nearest_of_higher_rank(
            tree, bounded_.bounds, tree_ranks,
            leaf_tree_internal::BlockOfPoints(tree, &searched),
            static_cast<int32_t>(searched.slots[0] / kLeafSize), &block,
            &evaluations);
        for (int lane = 0; lane < searched.count; ++lane) {
          set(searched.slots[lane], block.ids[lane], block.keys[lane]);
        }
        searched.count = 0;
      };
#pragma omp for schedule(dynamic, 1)
      for (int32_t group = 0; group < num_groups; ++group) {
        if (StopRequested(work_)) continue;
        for (int32_t leaf = group << group_height;
             leaf < (group + 1) << group_height; ++leaf) {
          const int64_t first = int64_t{leaf} * kLeafSize;
          uint32_t changed = leaf_tree_internal::ChangedNeighbors(
              firsts_->data() + first, tree.leaf_counts[leaf], last_, which);
          for (; changed != 0; changed &= changed - 1) {
            const int64_t slot = first + __builtin_ctz(changed);
            const int first_near =
                leaf_tree_internal::FirstNeighbor((*firsts_)[slot], which);
            if (first_near < kKeptNeighbors) {
              const int32_t near =
                  neighbors_.slots.data()[slot * kKeptNeighbors + first_near];
              set(slot, tree.leaf_ids[near], search.slot_key(tree, slot, near));
              continue;
            }
            searched.slots[searched.count++] = slot;
            if (searched.count == kLeafSize) search_points();
          }
        }
        search_points();
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
  // The last ranking, or -1, and by id the answers to it and their keys.
  int last_ = -1;
  // The last ranking by slot.
  AlignedVector<int32_t> slot_ranks_;
  std::vector<int32_t> last_ids_;
  std::vector<double> last_keys_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_RANKINGS_H_
