// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeRankings: the RankingsSearch of a LeafTree whose neighbors are kept.
// One pass over the lists finds, for all rankings, the first neighbor of higher
// rank of each point. The other points are searched, one ranking at a time.
// Include it only in files that are compiled with OpenMP.

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
    const auto num_slots = static_cast<int64_t>(tree.tree.leaf_ids.size());
    auto places = std::make_shared<Places>();
    leaf_tree_internal::FindFirstNeighbors(tree.tree, neighbors, num_threads,
                                           counts, &places->firsts);
    ResizeVector(tree.tree.num_points, num_threads, &places->slots);
    ResizeVector(num_slots, num_threads, &last_);
    ResizeVector(num_slots, num_threads, &last_keys_);
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int64_t slot = 0; slot < num_slots; ++slot) {
      last_[slot] = -1;
      const int32_t id = tree.tree.leaf_ids[slot];
      if (id >= 0) places->slots[id] = static_cast<int32_t>(slot);
    }
    places_ = std::move(places);
  }

  std::unique_ptr<RankingsSearch> Copy() const override {
    return std::make_unique<LeafTreeRankings>(*this);
  }

  absl::Status Search(int which, absl::Span<const int32_t> ranks,
                      int num_threads, absl::Span<int32_t> ids,
                      absl::Span<double> keys) override {
    const LeafTree& tree = bounded_.tree;
    const AlignedVector<int32_t> leaf_ranks = leaf_tree_internal::BySlot(
        tree, ranks, std::numeric_limits<int32_t>::max(), num_threads);
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
      const auto set = [&](int64_t slot, int32_t near, double key) {
        const int32_t id = tree.leaf_ids[slot];
        last_[slot] = near;
        last_keys_[slot] = keys[id] = key;
        ids[id] = near < 0 ? -1 : tree.leaf_ids[near];
      };
      const auto search_points = [&] {
        if (searched.count == 0) return;
        for (int lane = searched.count; lane < kLeafSize; ++lane) {
          leaf_tree_internal::SetIdle(lane, &block);
        }
        search.nearest_of_higher_rank(
            tree, bounded_.bounds, tree_ranks,
            leaf_tree_internal::BlockOfPoints(tree, &searched),
            static_cast<int32_t>(searched.slots[0] / kLeafSize), &block,
            &evaluations);
        for (int lane = 0; lane < searched.count; ++lane) {
          const int32_t id = block.ids[lane];
          set(searched.slots[lane], id < 0 ? -1 : places_->slots[id],
              block.keys[lane]);
        }
        searched.count = 0;
      };
#pragma omp for schedule(dynamic, 1)
      for (int32_t group = 0; group < num_groups; ++group) {
        if (StopRequested(work_)) continue;
        for (int32_t leaf = group << group_height;
             leaf < (group + 1) << group_height; ++leaf) {
          const int64_t first = int64_t{leaf} * kLeafSize;
          for (int64_t slot = first; slot < first + tree.leaf_counts[leaf];
               ++slot) {
            const int first_near =
                leaf_tree_internal::FirstNeighbor(places_->firsts[slot], which);
            const int32_t before = last_[slot];
            if (first_near < kKeptNeighbors) {
              const int32_t near =
                  neighbors_.slots.data()[slot * kKeptNeighbors + first_near];
              set(slot, near,
                  near == before ? last_keys_[slot]
                                 : search.slot_key(tree, slot, near));
              continue;
            }
            const bool begins =
                before >= 0 && leaf_ranks[before] < leaf_ranks[slot];
            const int lane = searched.count++;
            searched.slots[lane] = slot;
            block.keys[lane] = begins ? last_keys_[slot]
                                      : std::numeric_limits<double>::infinity();
            block.ids[lane] = begins ? tree.leaf_ids[before] : -1;
            block.ranks[lane] = leaf_ranks[slot];
            block.gains[lane] = std::numeric_limits<int32_t>::min();
            if (searched.count == kLeafSize) search_points();
          }
        }
        search_points();
      }
    }
    *evaluations_ += evaluations;
    return StopRequested(work_)
               ? absl::CancelledError("the search of points was stopped")
               : absl::OkStatus();
  }

 private:
  // What copies share.
  struct Places {
    // By id.
    std::vector<int32_t> slots;
    // By slot.
    AlignedVector<leaf_tree_internal::FirstNeighbors> firsts;
  };

  const BoundedTree<Bounds>& bounded_;
  const LeafNeighbors& neighbors_;
  const WorkShare* const work_;
  std::atomic<int64_t>* const evaluations_;
  std::shared_ptr<const Places> places_;
  // By slot: the answer to the last ranking, as a slot or -1, and its key.
  AlignedVector<int32_t> last_;
  AlignedVector<double> last_keys_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_RANKINGS_H_
