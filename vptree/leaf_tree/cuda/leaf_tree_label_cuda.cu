// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The highest rank of another label within a radius, for all points of a
// CudaLeafTree. The walk is that of range counts; a subtree is skipped if its
// points have no rank that improves a lane's best among other labels, and a
// subtree within the radius is answered by its summary, unseen.

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_queries_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_range_cuda.cuh"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/label_summary.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
// With at most this many active queries, each lane takes a point of the leaf: a
// reduction per query then costs less than 32 turns of the other loop.
constexpr int kFewQueries = 5;

// By slot, and for each node.
struct LabelsView {
  int32_t* slot_ranks;
  int32_t* slot_labels;
  LabelSummary* summaries;
};

// One thread per slot.
__global__ void LeafLabelsKernel(LeafTreeView tree, const int32_t* ranks,
                                 const int32_t* labels, LabelsView view) {
  const int64_t slot = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t leaf = slot / kLeafSlots;
  if (leaf >= tree.num_leaves) return;  // Whole warps.
  const int32_t id = tree.leaf_ids[slot];
  const int32_t rank = id < 0 ? INT32_MAX : ranks[id];
  const int32_t label = id < 0 ? 0 : labels[id];
  view.slot_ranks[slot] = rank;
  view.slot_labels[slot] = label;
  const int32_t min_rank = __reduce_min_sync(kFullWarp, rank);
  const unsigned first = __ballot_sync(kFullWarp, rank == min_rank);
  const int32_t min_label =
      __shfl_sync(kFullWarp, label, __ffs(static_cast<int>(first)) - 1);
  const int32_t other_min_rank =
      __reduce_min_sync(kFullWarp, label == min_label ? INT32_MAX : rank);
  if (slot % kLeafSlots == 0) {
    view.summaries[tree.num_leaves - 1 + leaf] = {min_rank, min_label,
                                                  other_min_rank};
  }
}

__global__ void LevelLabelsKernel(int32_t first_node, int32_t nodes,
                                  LabelSummary* summaries) {
  const int64_t index = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (index >= nodes) return;
  const int64_t node = first_node + index;
  summaries[node] =
      MergeLabels(summaries[2 * node + 1], summaries[2 * node + 2]);
}

template <Norm kNorm, int kDimensions>
struct LabelVisitor {
  const LeafTreeView& tree;
  const LaneQuery<kDimensions>& query;
  const double* query_block;
  const LabelsView& labels;
  double radius_key;
  int32_t label;
  int32_t best;
  unsigned long long evaluated = 0;

  __device__ bool Skip(int32_t node) const {
    return RankOfOtherLabel(labels.summaries[node], label) >= best;
  }
  __device__ void Inside(int32_t node) {
    best = min(best, RankOfOtherLabel(labels.summaries[node], label));
  }
  __device__ void Leaf(int32_t leaf, unsigned lanes) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    // What was found since the leaf began to wait may make it superfluous.
    lanes &= __ballot_sync(kFullWarp, !Skip(tree.num_leaves - 1 + leaf));
    if (lanes == 0) return;
    const double* block = tree.Block(leaf);
    const int64_t first_slot = int64_t{leaf} * kLeafSlots;
    const int points = tree.leaf_counts[leaf];
    evaluated += __popc(lanes) * points;
    if (__popc(lanes) <= kFewQueries) {
      // Empty slots have a rank that is below none.
      const int32_t my_rank = labels.slot_ranks[first_slot + lane];
      const int32_t my_label = labels.slot_labels[first_slot + lane];
      while (lanes != 0) {
        const int source = __ffs(static_cast<int>(lanes)) - 1;
        lanes &= lanes - 1;
        const double key = BroadcastKey<kNorm>(
            query, query_block, source, block, lane, tree.num_dimensions);
        const int32_t source_label = __shfl_sync(kFullWarp, label, source);
        const int32_t found = __reduce_min_sync(
            kFullWarp,
            my_label != source_label && key < radius_key ? my_rank : INT32_MAX);
        if (lane == source) best = min(best, found);
      }
    } else if ((lanes >> lane & 1) != 0) {
      for (int slot = 0; slot < points; ++slot) {
        const int32_t rank = labels.slot_ranks[first_slot + slot];
        if (rank >= best || labels.slot_labels[first_slot + slot] == label) {
          continue;
        }
        const double key =
            SlotKey<kNorm>(query, block, slot, tree.num_dimensions);
        if (key < radius_key) best = rank;
      }
    }
  }
};

template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    LabelKernel(LeafTreeView tree, Bounds bounds, LabelsView labels,
                double radius_key, int32_t* best,
                unsigned long long* evaluations) {
  __shared__ WaitingRange waiting[kWarps][kMaxTreeDepth];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t position = int64_t{blockIdx.x} * kWarps + warp;
  if (position >= tree.num_leaves) return;
  const int32_t leaf = static_cast<int32_t>(position);
  const int queries = tree.leaf_counts[leaf];
  const int64_t slot = int64_t{leaf} * kLeafSlots + lane;
  const int32_t id = lane < queries ? tree.leaf_ids[slot] : -1;
  // A best of 0 searches nothing.
  const int32_t before = id < 0 ? 0 : best[id];
  const unsigned lanes = __ballot_sync(kFullWarp, before > 0);
  if (lanes == 0) return;
  const double* query_block = tree.Block(leaf);
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  LabelVisitor<kNorm, kDimensions> visitor = {
      tree,  query, query_block, labels, radius_key, labels.slot_labels[slot],
      before};
  const unsigned long long bounds_evaluated = VisitRange<kNorm>(
      tree, bounds, query, lanes, radius_key, waiting[warp], visitor);
  // Each point is in one leaf.
  if (visitor.best < before) best[id] = visitor.best;
  if (lane == 0) atomicAdd(evaluations, bounds_evaluated + visitor.evaluated);
}

// The same for queries.
template <typename Bounds, Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    LabelOfKernel(LeafTreeView tree, Bounds bounds, LabelsView labels,
                  QueryView queries, double radius_key,
                  const int32_t* query_labels, int32_t* best,
                  unsigned long long* evaluations) {
  __shared__ WaitingRange waiting[kWarps][kMaxTreeDepth];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int64_t block = int64_t{blockIdx.x} * kWarps + warp;
  if (block * 32 >= queries.count) return;  // Whole warps.
  const int32_t number = queries.Number(block, lane);
  const bool valid = number >= 0;
  const int32_t before = valid ? best[number] : 0;
  const unsigned lanes = __ballot_sync(kFullWarp, before > 0);
  if (lanes == 0) return;
  const double* query_block = queries.Block(static_cast<int32_t>(block));
  const LaneQuery<kDimensions> query(query_block, lane, tree.num_dimensions);
  LabelVisitor<kNorm, kDimensions> visitor = {
      tree,   query,      query_block,
      labels, radius_key, valid ? query_labels[number] : 0,
      before};
  const unsigned long long bounds_evaluated = VisitRange<kNorm>(
      tree, bounds, query, lanes, radius_key, waiting[warp], visitor);
  if (visitor.best < before) best[number] = visitor.best;
  if (lane == 0) atomicAdd(evaluations, bounds_evaluated + visitor.evaluated);
}

// Fills the arrays of a LabelsView.
absl::Status FillLabels(const CudaLeafTree::Arrays& arrays,
                        const int32_t* ranks, const int32_t* labels,
                        const LabelsView& view) {
  constexpr int kBlock = 256;
  const int64_t slots = int64_t{arrays.num_leaves()} * kLeafSlots;
  LeafLabelsKernel<<<BlocksFor(slots, kBlock), kBlock>>>(LeafTreeView(arrays),
                                                         ranks, labels, view);
  RETURN_IF_ERROR(CudaLaunchStatus("labels of leaves"));
  for (int level = arrays.height - 1; level >= 0; --level) {
    const int32_t nodes = int32_t{1} << level;
    LevelLabelsKernel<<<BlocksFor(nodes, kBlock), kBlock>>>(nodes - 1, nodes,
                                                            view.summaries);
  }
  return CudaLaunchStatus("labels of nodes");
}

template <typename Bounds>
absl::Status Launch(const CudaLeafTree::Arrays& arrays,
                    const LabelsView& labels, double radius_key, int32_t* best,
                    uint64_t* evaluations) {
  const unsigned blocks = BlocksFor(arrays.num_leaves(), kWarps);
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        LabelKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
            LeafTreeView(arrays), Bounds(arrays), labels, radius_key, best,
            reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("highest ranks of other labels");
}

template <typename Bounds>
absl::Status LaunchOf(const CudaLeafTree::Arrays& arrays,
                      const LabelsView& labels, const QueryBlocks& queries,
                      double radius_key, const int32_t* query_labels,
                      int32_t* best, uint64_t* evaluations) {
  const unsigned blocks = BlocksFor(queries.num_blocks(), kWarps);
  WithNormAndDimensions(
      arrays.norm, arrays.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        LabelOfKernel<Bounds, kNorm, kDimensions><<<blocks, kThreads>>>(
            LeafTreeView(arrays), Bounds(arrays), labels, QueryView(queries),
            radius_key, query_labels, best,
            reinterpret_cast<unsigned long long*>(evaluations));
      });
  return CudaLaunchStatus("highest ranks of other labels");
}

// What a LabelsView names.
struct Labels {
  DeviceBuffer<int32_t> slot_ranks;
  DeviceBuffer<int32_t> slot_labels;
  DeviceBuffer<LabelSummary> summaries;

  LabelsView view() {
    return {slot_ranks.data(), slot_labels.data(), summaries.data()};
  }
};

absl::StatusOr<Labels> MakeLabels(const CudaLeafTree::Arrays& arrays,
                                  const int32_t* ranks, const int32_t* labels) {
  Labels made;
  const int64_t slots = int64_t{arrays.num_leaves()} * CudaLeafTree::kLeafSize;
  RETURN_IF_ERROR(AllocateInto(slots, made.slot_ranks));
  RETURN_IF_ERROR(AllocateInto(slots, made.slot_labels));
  RETURN_IF_ERROR(AllocateInto(arrays.num_nodes(), made.summaries));
  RETURN_IF_ERROR(FillLabels(arrays, ranks, labels, made.view()));
  return made;
}

}  // namespace

absl::Status CudaLeafTree::HighestRankOfOtherLabel(
    double radius_key, const DeviceBuffer<int32_t>& ranks,
    const DeviceBuffer<int32_t>& labels, DeviceBuffer<int32_t>& best) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids_));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_ids_));
  RETURN_IF_ERROR(CheckLength("best", best.size(), num_ids_));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (num_ids_ == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(Labels made,
                   MakeLabels(arrays_, ranks.data(), labels.data()));
  return arrays_.kind == Kind::kBox
             ? Launch<BoxBoundsView>(arrays_, made.view(), radius_key,
                                     best.data(), evaluations_.data())
             : Launch<VantageBoundsView>(arrays_, made.view(), radius_key,
                                         best.data(), evaluations_.data());
}

absl::Status CudaLeafTree::HighestRankOfOtherLabelOf(
    const DevicePoints& queries, double radius_key,
    const DeviceBuffer<int32_t>& ranks, const DeviceBuffer<int32_t>& labels,
    const DeviceBuffer<int32_t>& query_labels,
    DeviceBuffer<int32_t>& query_best) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids_));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_ids_));
  RETURN_IF_ERROR(
      CheckLength("query_labels", query_labels.size(), queries.num_points));
  RETURN_IF_ERROR(
      CheckLength("query_best", query_best.size(), queries.num_points));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  ASSIGN_OR_RETURN(const QueryBlocks blocks, PackQueries(arrays_, queries));
  if (num_ids_ == 0 || queries.num_points == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(Labels made,
                   MakeLabels(arrays_, ranks.data(), labels.data()));
  return arrays_.kind == Kind::kBox
             ? LaunchOf<BoxBoundsView>(arrays_, made.view(), blocks, radius_key,
                                       query_labels.data(), query_best.data(),
                                       evaluations_.data())
             : LaunchOf<VantageBoundsView>(
                   arrays_, made.view(), blocks, radius_key,
                   query_labels.data(), query_best.data(), evaluations_.data());
}

}  // namespace warpclust
