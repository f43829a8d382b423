// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of higher rank of all points of a CudaLeafTree: the
// dependent points of Liu et al. 2023, section 4.2, without that section's
// limit to the leaves within d_c.
//
// A warp starts in its own leaf, then climbs to the root and searches the
// sibling of each node on the way, the nearer child first. Each lane prunes by
// its own best: a subtree is skipped if all its points are too far, or none has
// a higher rank than the query, or (equal keys) none a smaller id than the
// best.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"
#include "vptree/leaf_tree_cuda.h"
#include "vptree/leaf_tree_view_cuda.cuh"
#include "vptree/nearest_point.h"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
// With fewer active queries the points of a leaf go on the lanes: about what
// the reduction of one query costs against 32 turns of the other loop.
constexpr int kFewQueries = 5;

// Ranks by slot, and the least rank and id below each node.
struct RankView {
  const int32_t* slot_ranks;
  const int32_t* node_min_ranks;
  const int32_t* node_min_ids;
};

// A warp a leaf: slot ranks, and the leaf's least rank and id.
__global__ void LeafRanksKernel(LeafTreeView tree, const int32_t* ranks,
                                int32_t* slot_ranks, int32_t* node_min_ranks,
                                int32_t* node_min_ids) {
  const int64_t slot = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t leaf = slot / kLeafSlots;
  if (leaf >= tree.num_leaves) return;
  const int32_t id = tree.leaf_ids[slot];
  const int32_t rank = id < 0 ? INT32_MAX : ranks[id];
  slot_ranks[slot] = rank;
  const unsigned min_rank =
      __reduce_min_sync(kFullWarp, static_cast<unsigned>(rank));
  const unsigned min_id = __reduce_min_sync(
      kFullWarp, id < 0 ? unsigned{INT32_MAX} : static_cast<unsigned>(id));
  if (slot % kLeafSlots == 0) {
    node_min_ranks[tree.num_leaves - 1 + leaf] = static_cast<int32_t>(min_rank);
    node_min_ids[tree.num_leaves - 1 + leaf] = static_cast<int32_t>(min_id);
  }
}

__global__ void LevelRanksKernel(int32_t first_node, int32_t nodes,
                                 int32_t* node_min_ranks,
                                 int32_t* node_min_ids) {
  const int32_t index =
      static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= nodes) return;
  const int32_t node = first_node + index;
  const int32_t left = 2 * node + 1;
  node_min_ranks[node] = min(node_min_ranks[left], node_min_ranks[left + 1]);
  node_min_ids[node] = min(node_min_ids[left], node_min_ids[left + 1]);
}

// The best of a lane so far.
struct Best {
  double key;
  int32_t id;
};

// Whether a subtree may hold a better answer for a query of this rank.
__device__ bool MayImprove(double min_key, int32_t node, const RankView& ranks,
                           int32_t rank, const Best& best) {
  return ranks.node_min_ranks[node] < rank &&
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
      // The id of "none" is larger than all: it loses every tie.
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

// Rounded down, so that what waits is never skipped wrongly.
__device__ float LowerFloat(double key) { return __double2float_rd(key); }

template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    NearestKernel(LeafTreeView tree, Bounds bounds, RankView ranks,
                  int32_t* nearest_ids, double* nearest_keys,
                  unsigned long long* evaluations) {
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
  // Empty lanes have rank -1: nothing can improve them.
  const int32_t rank =
      valid ? ranks.slot_ranks[int64_t{leaf} * kLeafSlots + lane] : -1;
  Best best = {std::numeric_limits<double>::infinity(), INT32_MAX};

  SearchLeaf<kNorm>(tree, ranks, query, query_block, leaf,
                    __ballot_sync(kFullWarp, valid), rank, lane, best);
  unsigned long long evaluated = static_cast<unsigned>(queries * queries);

  for (int32_t below = tree.num_leaves - 1 + leaf; below > 0;) {
    const int32_t parent = (below - 1) / 2;
    const int sibling = below == 2 * parent + 1 ? 1 : 0;
    double min_key[2];
    double max_key[2];
    int32_t node = 2 * parent + 1 + sibling;
    below = parent;
    // Cheaper than the bounds: does anybody here have a rank to gain?
    if (__ballot_sync(kFullWarp, ranks.node_min_ranks[node] < rank) == 0) {
      continue;
    }
    bounds.template ChildKeys<kNorm>(parent, query, tree.num_dimensions,
                                     min_key, max_key);
    evaluated += queries;
    int depth = 0;
    double node_key = sibling == 0 ? min_key[0] : min_key[1];
    while (true) {
      const unsigned lanes = __ballot_sync(
          kFullWarp, MayImprove(node_key, node, ranks, rank, best));
      if (lanes != 0) {
        if (tree.IsLeaf(node)) {
          const int32_t other = tree.LeafOf(node);
          SearchLeaf<kNorm>(tree, ranks, query, query_block, other, lanes, rank,
                            lane, best);
          evaluated += __popc(lanes) * tree.leaf_counts[other];
        } else {
          bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                           min_key, max_key);
          evaluated += __popc(lanes);
          // The child that is nearer for most of the lanes goes first; where
          // both are at one distance, the one with the smaller ids, in which
          // ties end.
          const int32_t left = 2 * node + 1;
          const bool left_first =
              min_key[0] < min_key[1] ||
              (min_key[0] == min_key[1] &&
               ranks.node_min_ids[left] <= ranks.node_min_ids[left + 1]);
          const unsigned votes = __ballot_sync(kFullWarp, left_first) & lanes;
          const int first = 2 * __popc(votes) >= __popc(lanes) ? 0 : 1;
          if (lane == 0) waiting_nodes[warp][depth] = left + 1 - first;
          waiting_keys[warp][depth][lane] =
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
      node = waiting_nodes[warp][depth];
      node_key = waiting_keys[warp][depth][lane];
      __syncwarp();
    }
  }
  if (valid) {
    const int32_t id = tree.leaf_ids[int64_t{leaf} * kLeafSlots + lane];
    nearest_ids[id] = best.id == INT32_MAX ? -1 : best.id;
    nearest_keys[id] = best.key;
  }
  if (lane == 0) atomicAdd(evaluations, evaluated);
}

// Fills the arrays of a RankView.
absl::Status FillRanks(const CudaLeafTree::Arrays& arrays, const int32_t* ranks,
                       int32_t* slot_ranks, int32_t* node_min_ranks,
                       int32_t* node_min_ids) {
  constexpr int kBlock = 256;
  const LeafTreeView tree(arrays);
  const int64_t slots = int64_t{arrays.num_leaves()} * kLeafSlots;
  LeafRanksKernel<<<static_cast<unsigned>((slots + kBlock - 1) / kBlock),
                    kBlock>>>(tree, ranks, slot_ranks, node_min_ranks,
                              node_min_ids);
  if (absl::Status s = CudaLaunchStatus("ranks of leaves"); !s.ok()) return s;
  for (int level = arrays.height - 1; level >= 0; --level) {
    const int32_t nodes = int32_t{1} << level;
    LevelRanksKernel<<<(nodes + kBlock - 1) / kBlock, kBlock>>>(
        nodes - 1, nodes, node_min_ranks, node_min_ids);
  }
  return CudaLaunchStatus("ranks of nodes");
}

template <typename Bounds>
absl::Status Launch(const CudaLeafTree::Arrays& arrays, const RankView& ranks,
                    int32_t* ids, double* keys, uint64_t* evaluations) {
  const int blocks = (arrays.num_leaves() + kWarps - 1) / kWarps;
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        NearestKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
            LeafTreeView(arrays), Bounds(arrays), ranks, ids, keys,
            reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("nearest points of higher rank");
}

}  // namespace

absl::Status CudaLeafTree::NearestOfHigherRank(
    const DeviceBuffer<int32_t>& ranks, DeviceBuffer<int32_t>& ids,
    DeviceBuffer<double>& keys) const {
  if (ranks.size() != num_ids_) {
    return absl::InvalidArgumentError("expected one rank for each id");
  }
  if (absl::Status s = AllocateInto(num_ids_, ids); !s.ok()) return s;
  if (absl::Status s = AllocateInto(num_ids_, keys); !s.ok()) return s;
  if (num_ids_ == 0) return absl::OkStatus();
  DeviceBuffer<int32_t> slot_ranks;
  DeviceBuffer<int32_t> node_min_ranks;
  DeviceBuffer<int32_t> node_min_ids;
  absl::Status status =
      AllocateInto(int64_t{arrays_.num_leaves()} * kLeafSize, slot_ranks);
  if (!status.ok()) return status;
  status = AllocateInto(arrays_.num_nodes(), node_min_ranks);
  if (!status.ok()) return status;
  status = AllocateInto(arrays_.num_nodes(), node_min_ids);
  if (!status.ok()) return status;
  status = FillRanks(arrays_, ranks.data(), slot_ranks.data(),
                     node_min_ranks.data(), node_min_ids.data());
  if (!status.ok()) return status;
  const RankView view = {slot_ranks.data(), node_min_ranks.data(),
                         node_min_ids.data()};
  return arrays_.kind == Kind::kBox
             ? Launch<BoxBoundsView>(arrays_, view, ids.data(), keys.data(),
                                     evaluations_.data())
             : Launch<VantageBoundsView>(arrays_, view, ids.data(), keys.data(),
                                         evaluations_.data());
}

}  // namespace warpclust
