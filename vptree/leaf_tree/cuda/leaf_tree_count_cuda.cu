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
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/stream.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_range_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/search_arguments.h"

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

__device__ unsigned long long Nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Ends the walk of a warp soon after a time, with too small counts.
template <Norm kNorm, int kDimensions>
struct TimedCountVisitor : CountVisitor<kNorm, kDimensions> {
  unsigned long long end;

  __device__ bool Skip(int32_t) const { return Nanoseconds() > end; }
};

// If kTimed, a warp ends soon after `most_nanoseconds`.
template <typename Bounds, Norm kNorm, int kDimensions, bool kTimed>
__global__ void __launch_bounds__(kThreads)
    CountKernel(LeafTreeView tree, Bounds bounds, double radius_key,
                LeafRange range, unsigned long long most_nanoseconds,
                int32_t* counts, unsigned long long* evaluations) {
  __shared__ WaitingRange waiting[kWarps][kMaxTreeDepth];
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
  const CountVisitor<kNorm, kDimensions> count = {tree, query, query_block,
                                                  radius_key};
  auto visitor = [&] {
    if constexpr (kTimed) {
      return TimedCountVisitor<kNorm, kDimensions>{
          count, Nanoseconds() + most_nanoseconds};
    } else {
      return count;
    }
  }();
  const unsigned long long bounds_evaluated =
      VisitRange<kNorm>(tree, bounds, query, FirstLanes(queries), radius_key,
                        waiting[warp], visitor);
  if (lane < queries) {
    // A query finds itself at key 0; only other points count.
    counts[tree.leaf_ids[int64_t{leaf} * kLeafSlots + lane]] =
        visitor.count - (radius_key > 0 ? 1 : 0);
  }
  if (lane == 0) atomicAdd(evaluations, bounds_evaluated + visitor.evaluated);
}

template <bool kTimed>
absl::Status CountLeaves(const CudaLeafTree::Arrays& arrays, double radius_key,
                         LeafRange range, uint64_t most_nanoseconds,
                         int32_t* counts, uint64_t* evaluations) {
  const unsigned blocks = BlocksFor(range.count, kWarps);
  WithBounds(arrays, [&]<typename Bounds, Norm kNorm, int kDimensions>() {
    CountKernel<Bounds, kNorm, kDimensions, kTimed><<<blocks, kThreads>>>(
        LeafTreeView(arrays), Bounds(arrays), radius_key, range,
        most_nanoseconds, counts,
        reinterpret_cast<unsigned long long*>(evaluations));
  });
  return CudaLaunchStatus("count points within the radius");
}

}  // namespace

absl::Status CudaLeafTree::CountWithin(double radius_key,
                                       DeviceBuffer<int32_t>& counts) const {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  RETURN_IF_ERROR(AllocateInto(num_ids_, counts));
  if (num_ids_ == 0) return absl::OkStatus();
  return CountLeaves<false>(arrays_, radius_key, {0, 1, arrays_.num_leaves()},
                            /*most_nanoseconds=*/0, counts.data(),
                            evaluations_.data());
}

absl::StatusOr<double> CudaLeafTree::EstimateSeconds(
    double radius_key, double most_seconds) const {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (num_ids_ == 0) return 0.0;
  // One leaf in 16, at most 4096: little compared with the whole.
  const int32_t leaves = arrays_.num_leaves();
  const int32_t step = std::max(16, leaves / 4096);
  const LeafRange range = {
      std::min(step / 2, leaves - 1), step,
      (leaves - std::min(step / 2, leaves - 1) + step - 1) / step};
  // A sample with too few warps takes as long as one that keeps the GPU busy,
  // with about eight per multiprocessor.
  ASSIGN_OR_RETURN(const int multiprocessors, NumMultiprocessors());
  const double busy = std::max(range.count, 8 * multiprocessors);
  const double of_sample = std::max(1.0, leaves / busy);
  // A little more, so that what is cut short takes longer by the clock too.
  constexpr double kMargin = 1.05;
  constexpr double kTick = 2e-6;
  constexpr double kLongest = 3600;
  const double most =
      std::min(kMargin * most_seconds / of_sample + kTick, kLongest);
  const auto count_leaves =
      std::isinf(most_seconds) ? CountLeaves<false> : CountLeaves<true>;
  DeviceBuffer<int32_t> counts;
  RETURN_IF_ERROR(AllocateInto(num_ids_, counts));
  DeviceBuffer<uint64_t> evaluations;
  RETURN_IF_ERROR(ReserveZeroed(1, evaluations));
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(Event start, Event::Create());
  ASSIGN_OR_RETURN(Event end, Event::Create());
  const auto count = [&](const LeafRange& some, double seconds) {
    return count_leaves(arrays_, radius_key, some,
                        static_cast<uint64_t>(1e9 * seconds), counts.data(),
                        evaluations.data());
  };
  // The first time loads the kernel.
  RETURN_IF_ERROR(count({range.first, range.step, 1}, 0));
  // Events of a Stream and work of the default stream are in order.
  RETURN_IF_ERROR(start.Record(stream));
  RETURN_IF_ERROR(count(range, most));
  RETURN_IF_ERROR(end.Record(stream));
  ASSIGN_OR_RETURN(const double seconds, end.SecondsSince(start));
  return seconds * of_sample;
}

absl::StatusOr<int64_t> CudaLeafTree::DistanceEvaluations() const {
  if (evaluations_.empty()) return 0;
  uint64_t value = 0;
  RETURN_IF_ERROR(evaluations_.CopyToHost(absl::MakeSpan(&value, 1)));
  return static_cast<int64_t>(value);
}

}  // namespace warpclust
