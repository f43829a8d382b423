// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of higher rank of all points of a CudaLeafTree: the
// dependent points of Liu et al. 2023, section 4.2, without that section's
// limit to the leaves within d_c.
//
// A warp starts in its own leaf, then climbs to the root and searches the
// sibling of each node on the way, nearer child first. Each lane prunes by its
// own best. It skips a subtree if all points are too far, if none has a higher
// rank than the query, if keys are equal and none has a smaller id than the
// best, or, in an update, if none gained more density than the query.

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_nearest_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_queries_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/nearest_point.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
// With at most this many active queries, each lane takes a point of the leaf: a
// reduction per query then costs less than 32 turns of the other loop.
constexpr int kFewQueries = 5;
// Even queries of one leaf part ways, and a warp walks them one after the
// other. So 32 share a warp only if there are more of such warps than a GPU can
// run.
constexpr int32_t kMostQueryWarps = 1 << 14;

// Ranks by slot, and for each node the smallest rank, the smallest id and (in
// an update) the largest gain of its points.
struct RankView {
  int32_t* slot_ranks;
  int32_t* node_min_ranks;
  int32_t* node_min_ids;
  int32_t* node_max_gains;
};

// One thread per slot. Without `ranks`, ids replace them.
__global__ void LeafRanksKernel(LeafTreeView tree, const int32_t* ranks,
                                const int32_t* gains, RankView view) {
  const int64_t slot = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t leaf = slot / kLeafSlots;
  if (leaf >= tree.num_leaves) return;
  const int32_t id = tree.leaf_ids[slot];
  const int32_t rank = id < 0 ? INT32_MAX : ranks == nullptr ? id : ranks[id];
  view.slot_ranks[slot] = rank;
  const int32_t min_rank = __reduce_min_sync(kFullWarp, rank);
  const int32_t min_id = __reduce_min_sync(kFullWarp, id < 0 ? INT32_MAX : id);
  const int64_t node = tree.num_leaves - 1 + leaf;
  if (slot % kLeafSlots == 0) {
    view.node_min_ranks[node] = min_rank;
    view.node_min_ids[node] = min_id;
  }
  if (gains != nullptr) {
    const int32_t max_gain =
        __reduce_max_sync(kFullWarp, id < 0 ? INT32_MIN : gains[id]);
    if (slot % kLeafSlots == 0) view.node_max_gains[node] = max_gain;
  }
}

__global__ void LevelRanksKernel(int32_t first_node, int32_t nodes,
                                 RankView view) {
  const int32_t index =
      static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= nodes) return;
  const int32_t node = first_node + index;
  const int32_t left = 2 * node + 1;
  view.node_min_ranks[node] =
      min(view.node_min_ranks[left], view.node_min_ranks[left + 1]);
  view.node_min_ids[node] =
      min(view.node_min_ids[left], view.node_min_ids[left + 1]);
  if (view.node_max_gains != nullptr) {
    view.node_max_gains[node] =
        max(view.node_max_gains[left], view.node_max_gains[left + 1]);
  }
}

// What the search knows about a query besides its coordinates.
struct LaneState {
  int32_t rank;
  // Only points that gained more than this can improve an old answer; INT32_MIN
  // for a search from scratch.
  int32_t gain;
};

// A lane's best so far.
struct Best {
  double key;
  int32_t id;
};

// Returns whether a subtree may hold a better answer, by ranks and gains.
template <bool kUpdate>
__device__ bool MayConcern(int32_t node, const RankView& ranks,
                           const LaneState& state) {
  if (kUpdate && ranks.node_max_gains[node] <= state.gain) return false;
  return ranks.node_min_ranks[node] < state.rank;
}

// The same, by distance too.
template <bool kUpdate>
__device__ bool MayImprove(double min_key, int32_t node, const RankView& ranks,
                           const LaneState& state, const Best& best) {
  return MayConcern<kUpdate>(node, ranks, state) &&
         (min_key < best.key ||
          (min_key == best.key && ranks.node_min_ids[node] < best.id));
}

template <Norm kNorm, int kDimensions>
__device__ void SearchLeaf(const LeafTreeView& tree, const RankView& ranks,
                           const LaneQuery<kDimensions>& query,
                           const double* query_block, int32_t leaf,
                           unsigned lanes, int32_t rank, int lane, Best& best) {
  const double* block = tree.Block(leaf);
  const int32_t* slot_ranks = ranks.slot_ranks + int64_t{leaf} * kLeafSlots;
  const int32_t* ids = tree.leaf_ids + int64_t{leaf} * kLeafSlots;
  if (__popc(lanes) <= kFewQueries) {
    const int32_t my_rank = slot_ranks[lane];
    const int32_t my_id = ids[lane];
    while (lanes != 0) {
      const int source = __ffs(lanes) - 1;
      lanes &= lanes - 1;
      double key = BroadcastKey<kNorm>(query, query_block, source, block, lane,
                                       tree.num_dimensions);
      const int32_t query_rank = __shfl_sync(kFullWarp, rank, source);
      // The id of no point is the largest: it loses every tie.
      int32_t id = my_id;
      if (my_rank >= query_rank) {
        key = std::numeric_limits<double>::infinity();
        id = INT32_MAX;
      }
      for (int step = 16; step > 0; step /= 2) {
        const double other_key = __shfl_xor_sync(kFullWarp, key, step);
        const int32_t other_id = __shfl_xor_sync(kFullWarp, id, step);
        if (Preferred(other_key, other_id, key, id)) {
          key = other_key;
          id = other_id;
        }
      }
      if (lane == source && Preferred(key, id, best.key, best.id)) {
        best = {key, id};
      }
    }
  } else if ((lanes >> lane & 1) != 0) {
    const int points = tree.leaf_counts[leaf];
#pragma unroll 4
    for (int slot = 0; slot < points; ++slot) {
      if (slot_ranks[slot] >= rank) continue;
      const double key =
          SlotKey<kNorm>(query, block, slot, tree.num_dimensions);
      if (Preferred(key, ids[slot], best.key, best.id)) {
        best = {key, ids[slot]};
      }
    }
  }
}

// What a whole warp's queries require of a subtree: each condition is that of
// the least demanding query.
template <bool kUpdate>
struct SiblingFilter {
  const RankView& ranks;
  int32_t max_rank;
  int32_t min_gain;
  float max_key;

  // Called by a warp, with the state of each lane.
  __device__ SiblingFilter(const RankView& ranks, const LaneState& state,
                           double best_key)
      : ranks(ranks) {
    max_rank = __reduce_max_sync(kFullWarp, state.rank);
    const bool valid = state.rank >= 0;
    min_gain =
        kUpdate ? __reduce_min_sync(kFullWarp, valid ? state.gain : INT32_MAX)
                : INT32_MIN;
    // Keys are not negative, so the bits of their floats are in order.
    max_key = __uint_as_float(__reduce_max_sync(
        kFullWarp, valid ? __float_as_uint(__double2float_ru(best_key)) : 0u));
  }

  __device__ bool operator()(int32_t node, double min_key) const {
    return min_key <= max_key && ranks.node_min_ranks[node] < max_rank &&
           (!kUpdate || ranks.node_max_gains[node] > min_gain);
  }
};

// Rounds down, so that no waiting subtree is skipped wrongly.
__device__ float LowerFloat(double key) { return __double2float_rd(key); }

// Searches `node` and all below it for the lanes of a warp; `node_key` bounds
// the keys of this lane's query and the points there. `waiting_nodes` and
// `waiting_keys` are the warp's own shared memory, of kMaxTreeDepth elements.
// Returns the number of keys and bounds computed.
template <Norm kNorm, bool kUpdate, typename Bounds, int kDimensions>
__device__ __forceinline__ unsigned long long SearchBelow(
    const LeafTreeView& tree, const Bounds& bounds, const RankView& ranks,
    const LaneQuery<kDimensions>& query, const double* query_block,
    const LaneState& state, int lane, int32_t node, double node_key,
    int32_t* waiting_nodes, float (*waiting_keys)[32], Best& best) {
  unsigned long long evaluated = 0;
  int depth = 0;
  while (true) {
    const unsigned lanes = __ballot_sync(
        kFullWarp, MayImprove<kUpdate>(node_key, node, ranks, state, best));
    if (lanes != 0) {
      if (tree.IsLeaf(node)) {
        const int32_t leaf = tree.LeafOf(node);
        SearchLeaf<kNorm>(tree, ranks, query, query_block, leaf, lanes,
                          state.rank, lane, best);
        evaluated += __popc(lanes) * tree.leaf_counts[leaf];
      } else {
        double min_key[2];
        double max_key[2];
        bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                         min_key, max_key);
        evaluated += __popc(lanes);
        // The child that is nearer for most lanes goes first; at equal
        // distance, the one with the smaller ids, which win ties.
        const int32_t left = 2 * node + 1;
        const bool left_first =
            min_key[0] < min_key[1] ||
            (min_key[0] == min_key[1] &&
             ranks.node_min_ids[left] <= ranks.node_min_ids[left + 1]);
        const unsigned votes = __ballot_sync(kFullWarp, left_first) & lanes;
        const int first = 2 * __popc(votes) >= __popc(lanes) ? 0 : 1;
        if (lane == 0) waiting_nodes[depth] = left + 1 - first;
        waiting_keys[depth][lane] =
            LowerFloat(first == 0 ? min_key[1] : min_key[0]);
        ++depth;
        node = left + first;
        node_key = first == 0 ? min_key[0] : min_key[1];
        continue;
      }
    }
    if (depth == 0) break;
    --depth;
    __syncwarp();
    node = waiting_nodes[depth];
    node_key = waiting_keys[depth][lane];
    __syncwarp();
  }
  return evaluated;
}

template <typename Bounds, Norm kNorm, int kDimensions, bool kUpdate>
__global__ void __launch_bounds__(kThreads)
    NearestKernel(LeafTreeView tree, Bounds bounds, RankView ranks,
                  CudaNearestUpdate update, int32_t* nearest_ids,
                  double* nearest_keys, unsigned long long* evaluations) {
  __shared__ int32_t waiting_nodes[kWarps][kMaxTreeDepth];
  __shared__ float waiting_keys[kWarps][kMaxTreeDepth][32];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t position = int64_t{blockIdx.x} * kWarps + warp;
  if (position >= tree.num_leaves) return;
  const int32_t leaf = static_cast<int32_t>(position);
  const int queries = tree.leaf_counts[leaf];
  if (queries == 0) return;
  const double* query_block = tree.Block(leaf);
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  const bool valid = lane < queries;
  const int64_t slot = int64_t{leaf} * kLeafSlots + lane;
  // Empty lanes have rank -1: nothing can improve them.
  LaneState state = {valid ? ranks.slot_ranks[slot] : -1, INT32_MIN};
  Best best = {std::numeric_limits<double>::infinity(), INT32_MAX};
  const int32_t id = valid ? tree.leaf_ids[slot] : -1;
  if (kUpdate && valid && update.restart[id] == 0) {
    state.gain = update.gains[id];
    best = {nearest_keys[id], nearest_ids[id]};
  }
  const unsigned searching = __ballot_sync(
      kFullWarp, MayConcern<kUpdate>(tree.num_leaves - 1 + leaf, ranks, state));
  SearchLeaf<kNorm>(tree, ranks, query, query_block, leaf, searching,
                    state.rank, lane, best);
  unsigned long long evaluated =
      static_cast<unsigned>(__popc(searching) * queries);

  // Node + 1 numbers the path to the root by shifts.
  const int32_t path = tree.num_leaves + leaf;
  for (unsigned levels = bounds.template NearSiblings<kNorm>(
           path, tree.num_dimensions, lane,
           SiblingFilter<kUpdate>(ranks, state, best.key));
       levels != 0; levels &= levels - 1) {
    const int level = __ffs(static_cast<int>(levels)) - 1;
    const int32_t below = (path >> level) - 1;
    const int32_t parent = (below - 1) / 2;
    const int sibling = below == 2 * parent + 1 ? 1 : 0;
    double min_key[2];
    double max_key[2];
    const int32_t node = 2 * parent + 1 + sibling;
    // Cheaper than the bounds: may it improve any lane?
    if (__ballot_sync(kFullWarp, MayConcern<kUpdate>(node, ranks, state)) ==
        0) {
      continue;
    }
    bounds.template ChildKeys<kNorm>(parent, query, tree.num_dimensions,
                                     min_key, max_key);
    evaluated += queries;
    evaluated += SearchBelow<kNorm, kUpdate>(
        tree, bounds, ranks, query, query_block, state, lane, node,
        sibling == 0 ? min_key[0] : min_key[1], waiting_nodes[warp],
        waiting_keys[warp], best);
  }
  if (valid) {
    nearest_ids[id] = best.id == INT32_MAX ? -1 : best.id;
    nearest_keys[id] = best.key;
  }
  if (lane == 0) atomicAdd(evaluations, evaluated);
}

// From the root, for queries that may know a point: its key and an id. Of each
// block, `parts` warps take the same share, 32 / parts queries.
template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    NearestOfKernel(LeafTreeView tree, Bounds bounds, RankView ranks,
                    QueryView queries, int parts, const int32_t* query_ranks,
                    int32_t* nearest_ids, double* nearest_keys,
                    unsigned long long* evaluations) {
  __shared__ int32_t waiting_nodes[kWarps][kMaxTreeDepth];
  __shared__ float waiting_keys[kWarps][kMaxTreeDepth][32];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t position = int64_t{blockIdx.x} * kWarps + warp;
  const int64_t block = position / parts;
  if (block * 32 >= queries.count) return;  // Whole warps.
  const int32_t number = queries.Number(block, lane);
  const bool valid = number >= 0 && lane * parts / 32 == position % parts;
  const double* query_block = queries.Block(static_cast<int32_t>(block));
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  // Empty lanes have rank -1: nothing can improve them.
  const LaneState state = {valid ? query_ranks[number] : -1, INT32_MIN};
  Best best = {std::numeric_limits<double>::infinity(), INT32_MAX};
  if (valid) best = {nearest_keys[number], nearest_ids[number]};
  const unsigned long long evaluated = SearchBelow<kNorm, false>(
      tree, bounds, ranks, query, query_block, state, lane, /*node=*/0,
      /*node_key=*/0.0, waiting_nodes[warp], waiting_keys[warp], best);
  if (valid) {
    nearest_ids[number] = best.id;
    nearest_keys[number] = best.key;
  }
  if (lane == 0) atomicAdd(evaluations, evaluated);
}

// Fills the arrays of a RankView.
absl::Status FillRanks(const CudaLeafTree::Arrays& arrays, const int32_t* ranks,
                       const int32_t* gains, const RankView& view) {
  constexpr int kBlock = 256;
  const LeafTreeView tree(arrays);
  const int64_t slots = int64_t{arrays.num_leaves()} * kLeafSlots;
  LeafRanksKernel<<<BlocksFor(slots, kBlock), kBlock>>>(tree, ranks, gains,
                                                        view);
  RETURN_IF_ERROR(CudaLaunchStatus("ranks of leaves"));
  for (int level = arrays.height - 1; level >= 0; --level) {
    const int32_t nodes = int32_t{1} << level;
    LevelRanksKernel<<<BlocksFor(nodes, kBlock), kBlock>>>(nodes - 1, nodes,
                                                           view);
  }
  return CudaLaunchStatus("ranks of nodes");
}

template <typename Bounds, bool kUpdate>
absl::Status Launch(const CudaLeafTree::Arrays& arrays, const RankView& ranks,
                    const CudaNearestUpdate& update, int32_t* ids, double* keys,
                    uint64_t* evaluations) {
  const unsigned blocks = BlocksFor(arrays.num_leaves(), kWarps);
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        NearestKernel<Bounds, kNorm, kDimensions, kUpdate>
            <<<blocks, kThreads>>>(
                LeafTreeView(arrays), Bounds(arrays), ranks, update, ids, keys,
                reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("nearest points of higher rank");
}

template <typename Bounds>
absl::Status Launch(const CudaLeafTree::Arrays& arrays, const RankView& ranks,
                    const CudaNearestUpdate* update, int32_t* ids, double* keys,
                    uint64_t* evaluations) {
  return update == nullptr
             ? Launch<Bounds, false>(arrays, ranks, {}, ids, keys, evaluations)
             : Launch<Bounds, true>(arrays, ranks, *update, ids, keys,
                                    evaluations);
}

template <typename Bounds>
absl::Status LaunchOf(const CudaLeafTree::Arrays& arrays, const RankView& ranks,
                      const QueryBlocks& queries, const int32_t* query_ranks,
                      int32_t* ids, double* keys, uint64_t* evaluations) {
  int parts = 1;
  while (parts < 32 && queries.num_blocks() * 2 * parts <= kMostQueryWarps) {
    parts *= 2;
  }
  const unsigned blocks =
      BlocksFor(int64_t{queries.num_blocks()} * parts, kWarps);
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        NearestOfKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
            LeafTreeView(arrays), Bounds(arrays), ranks, QueryView(queries),
            parts, query_ranks, ids, keys,
            reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("nearest points of higher rank");
}

}  // namespace

absl::Status FindNearestOfHigherRank(const CudaLeafTree::Arrays& arrays,
                                     const int32_t* ranks,
                                     const CudaNearestUpdate* update,
                                     int32_t* ids, double* keys,
                                     uint64_t* evaluations) {
  DeviceBuffer<int32_t> slot_ranks, min_ranks, min_ids, max_gains;
  RETURN_IF_ERROR(AllocateInto(
      int64_t{arrays.num_leaves()} * CudaLeafTree::kLeafSize, slot_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), min_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), min_ids));
  if (update != nullptr) {
    RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), max_gains));
  }
  const RankView view = {slot_ranks.data(), min_ranks.data(), min_ids.data(),
                         max_gains.data()};
  RETURN_IF_ERROR(FillRanks(arrays, ranks,
                            update == nullptr ? nullptr : update->gains, view));
  return arrays.kind == CudaLeafTree::Kind::kBox
             ? Launch<BoxBoundsView>(arrays, view, update, ids, keys,
                                     evaluations)
             : Launch<VantageBoundsView>(arrays, view, update, ids, keys,
                                         evaluations);
}

absl::Status FillNodeMinIds(const CudaLeafTree::Arrays& arrays,
                            DeviceBuffer<int32_t>& node_min_ids) {
  DeviceBuffer<int32_t> slot_ranks, min_ranks;
  RETURN_IF_ERROR(AllocateInto(
      int64_t{arrays.num_leaves()} * CudaLeafTree::kLeafSize, slot_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), min_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), node_min_ids));
  return FillRanks(arrays, /*ranks=*/nullptr, /*gains=*/nullptr,
                   {slot_ranks.data(), min_ranks.data(), node_min_ids.data(),
                    /*node_max_gains=*/nullptr});
}

absl::Status CudaLeafTree::NearestOfHigherRank(
    const DeviceBuffer<int32_t>& ranks, DeviceBuffer<int32_t>& ids,
    DeviceBuffer<double>& keys) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids_));
  RETURN_IF_ERROR(AllocateInto(num_ids_, ids));
  RETURN_IF_ERROR(AllocateInto(num_ids_, keys));
  if (num_ids_ == 0) return absl::OkStatus();
  return FindNearestOfHigherRank(arrays_, ranks.data(), /*update=*/nullptr,
                                 ids.data(), keys.data(), evaluations_.data());
}

absl::Status CudaLeafTree::NearestOfHigherRankOf(
    const DevicePoints& queries, const DeviceBuffer<int32_t>& ranks,
    const DeviceBuffer<int32_t>& query_ranks, DeviceBuffer<int32_t>& query_ids,
    DeviceBuffer<double>& query_keys) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids_));
  const int32_t count = queries.num_points;
  RETURN_IF_ERROR(CheckLength("query_ranks", query_ranks.size(), count));
  RETURN_IF_ERROR(CheckLength("query_ids", query_ids.size(), count));
  RETURN_IF_ERROR(CheckLength("query_keys", query_keys.size(), count));
  ASSIGN_OR_RETURN(const QueryBlocks blocks, PackQueries(arrays_, queries));
  if (num_ids_ == 0 || count == 0) return absl::OkStatus();
  DeviceBuffer<int32_t> slot_ranks, min_ranks, min_ids;
  RETURN_IF_ERROR(
      AllocateInto(int64_t{arrays_.num_leaves()} * kLeafSize, slot_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays_.num_nodes(), min_ranks));
  RETURN_IF_ERROR(AllocateInto(arrays_.num_nodes(), min_ids));
  const RankView view = {slot_ranks.data(), min_ranks.data(), min_ids.data(),
                         /*node_max_gains=*/nullptr};
  RETURN_IF_ERROR(FillRanks(arrays_, ranks.data(), /*gains=*/nullptr, view));
  return arrays_.kind == Kind::kBox
             ? LaunchOf<BoxBoundsView>(arrays_, view, blocks,
                                       query_ranks.data(), query_ids.data(),
                                       query_keys.data(), evaluations_.data())
             : LaunchOf<VantageBoundsView>(
                   arrays_, view, blocks, query_ranks.data(), query_ids.data(),
                   query_keys.data(), evaluations_.data());
}

}  // namespace warpclust
