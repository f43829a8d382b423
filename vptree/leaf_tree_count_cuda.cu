// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Range counts of all points of a CudaLeafTree (Liu et al. 2023, section 4.1).

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"
#include "kernels/stream.h"
#include "vptree/leaf_tree_cuda.h"
#include "vptree/leaf_tree_view_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;

// The leaves that a launch answers: first, first + step, …
struct LeafRange {
  int32_t first;
  int32_t step;
  int32_t count;
};

// A subtree, and the lanes of the warp that have not decided it.
struct Waiting {
  int32_t node;
  unsigned lanes;
};

// How many points of a leaf lie within the radius of this lane's query; called
// by the whole warp, for the lanes in `lanes`.
template <Norm kNorm, int kDimensions>
__device__ int32_t CountLeaf(const LeafTreeView& tree,
                             const LaneQuery<kDimensions>& query,
                             const double* query_block, int32_t leaf,
                             unsigned lanes, double radius_key, int lane) {
  const double* block = tree.Block(leaf);
  const int points = tree.leaf_counts[leaf];
  int32_t count = 0;
  if (__popc(lanes) < points) {
    // Few queries: the points on the lanes, one query after another.
    while (lanes != 0) {
      const int source = __ffs(lanes) - 1;
      lanes &= lanes - 1;
      const double key = BroadcastKey<kNorm>(query, query_block, source, block,
                                             lane, tree.num_dimensions);
      const unsigned inside = __ballot_sync(kFullWarp, key < radius_key);
      if (lane == source) count = __popc(inside);
    }
  } else if ((lanes >> lane & 1) != 0) {
#pragma unroll 4
    for (int slot = 0; slot < points; ++slot) {
      count +=
          SlotKey<kNorm>(query, block, slot, tree.num_dimensions) < radius_key
              ? 1
              : 0;
    }
  }
  return count;
}

template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    CountKernel(LeafTreeView tree, Bounds bounds, double radius_key,
                LeafRange range, int32_t* counts,
                unsigned long long* evaluations) {
  __shared__ Waiting waiting[kWarps][kMaxTreeDepth];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t position = int64_t{blockIdx.x} * kWarps + warp;
  if (position >= range.count) return;
  const int32_t leaf =
      range.first + static_cast<int32_t>(position) * range.step;
  const int queries = tree.leaf_counts[leaf];
  if (queries == 0) return;
  const double* query_block = tree.Block(leaf);
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);

  int32_t count = 0;
  unsigned long long evaluated = 0;
  int depth = 0;
  int32_t node = 0;
  unsigned lanes = queries == 32 ? kFullWarp : (1u << queries) - 1;
  while (true) {
    if (tree.IsLeaf(node)) {
      const int32_t other = tree.LeafOf(node);
      count += CountLeaf<kNorm>(tree, query, query_block, other, lanes,
                                radius_key, lane);
      evaluated += __popc(lanes) * tree.leaf_counts[other];
    } else {
      double min_key[2];
      double max_key[2];
      bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                       min_key, max_key);
      evaluated += __popc(lanes);
      const bool mine = (lanes >> lane & 1) != 0;
      unsigned undecided[2];
#pragma unroll
      for (int child = 0; child < 2; ++child) {
        const bool inside = max_key[child] < radius_key;
        const bool outside = min_key[child] >= radius_key;
        if (mine && inside) count += tree.node_counts[2 * node + 1 + child];
        undecided[child] =
            __ballot_sync(kFullWarp, mine && !inside && !outside);
      }
      if (undecided[0] != 0) {
        if (undecided[1] != 0) {
          if (lane == 0) waiting[warp][depth] = {2 * node + 2, undecided[1]};
          ++depth;
        }
        node = 2 * node + 1;
        lanes = undecided[0];
        continue;
      }
      if (undecided[1] != 0) {
        node = 2 * node + 2;
        lanes = undecided[1];
        continue;
      }
    }
    if (depth == 0) break;
    --depth;
    __syncwarp();
    node = waiting[warp][depth].node;
    lanes = waiting[warp][depth].lanes;
    __syncwarp();
  }
  if (lane < queries) {
    // A query is at key 0 from itself, which is no other point.
    counts[tree.leaf_ids[int64_t{leaf} * kLeafSlots + lane]] =
        count - (radius_key > 0 ? 1 : 0);
  }
  if (lane == 0) atomicAdd(evaluations, evaluated);
}

template <typename Bounds>
absl::Status Launch(const CudaLeafTree::Arrays& arrays, double radius_key,
                    LeafRange range, int32_t* counts, uint64_t* evaluations) {
  const int blocks = (range.count + kWarps - 1) / kWarps;
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        CountKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
            LeafTreeView(arrays), Bounds(arrays), radius_key, range, counts,
            reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("count points within the radius");
}

absl::Status CountLeaves(const CudaLeafTree::Arrays& arrays, double radius_key,
                         LeafRange range, int32_t* counts,
                         uint64_t* evaluations) {
  return arrays.kind == CudaLeafTree::Kind::kBox
             ? Launch<BoxBoundsView>(arrays, radius_key, range, counts,
                                     evaluations)
             : Launch<VantageBoundsView>(arrays, radius_key, range, counts,
                                         evaluations);
}

absl::Status CheckRadius(double radius_key) {
  if (radius_key >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError("expected a radius of at least 0");
}

}  // namespace

absl::Status CudaLeafTree::CountWithin(double radius_key,
                                       DeviceBuffer<int32_t>& counts) const {
  if (absl::Status s = CheckRadius(radius_key); !s.ok()) return s;
  if (absl::Status s = AllocateInto(num_ids_, counts); !s.ok()) return s;
  if (num_ids_ == 0) return absl::OkStatus();
  return CountLeaves(arrays_, radius_key, {0, 1, arrays_.num_leaves()},
                     counts.data(), evaluations_.data());
}

absl::StatusOr<double> CudaLeafTree::EstimateSeconds(double radius_key) const {
  if (absl::Status s = CheckRadius(radius_key); !s.ok()) return s;
  if (num_ids_ == 0) return 0.0;
  // Enough warps to fill a large GPU, and at least one leaf in 64.
  constexpr int32_t kSample = 4096;
  const int32_t leaves = arrays_.num_leaves();
  const int32_t step = std::clamp(leaves / kSample, 1, 64);
  const LeafRange range = {step / 2, step,
                           (leaves - step / 2 + step - 1) / step};
  DeviceBuffer<int32_t> counts;
  if (absl::Status s = AllocateInto(num_ids_, counts); !s.ok()) return s;
  DeviceBuffer<uint64_t> evaluations;
  if (absl::Status s = AllocateInto(1, evaluations); !s.ok()) return s;
  absl::StatusOr<Stream> stream = Stream::Create();
  if (!stream.ok()) return stream.status();
  absl::StatusOr<Event> start = Event::Create();
  if (!start.ok()) return start.status();
  absl::StatusOr<Event> end = Event::Create();
  if (!end.ok()) return end.status();
  // Events of a Stream and work of the default stream are in order.
  if (absl::Status s = start->Record(*stream); !s.ok()) return s;
  if (absl::Status s = CountLeaves(arrays_, radius_key, range, counts.data(),
                                   evaluations.data());
      !s.ok()) {
    return s;
  }
  if (absl::Status s = end->Record(*stream); !s.ok()) return s;
  const absl::StatusOr<double> seconds = end->SecondsSince(*start);
  if (!seconds.ok()) return seconds.status();
  return *seconds * leaves / range.count;
}

absl::StatusOr<int64_t> CudaLeafTree::DistanceEvaluations() const {
  if (evaluations_.empty()) return 0;
  uint64_t value = 0;
  if (absl::Status s = evaluations_.CopyToHost(absl::MakeSpan(&value, 1));
      !s.ok()) {
    return s;
  }
  return static_cast<int64_t>(value);
}

}  // namespace warpclust
