// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/dynamic/cuda/dynamic_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = 128;
// Leaves of a new tree hold at most this many points.
constexpr int32_t kLeafFill = CudaLeafTree::kLeafSize / 2;

// The parts of the tree that insertion and deletion change.
struct MutableTree {
  int32_t num_dimensions;
  int32_t num_leaves;
  int32_t* leaf_ids;
  int32_t* leaf_counts;
  int32_t* node_counts;
  double* leaf_coordinates;
  double* boxes;
  double* vantages;
  double* intervals;
  int32_t* slots;

  MutableTree(CudaLeafTree::Arrays& arrays, DeviceBuffer<int32_t>& slots)
      : num_dimensions(arrays.num_dimensions),
        num_leaves(arrays.num_leaves()),
        leaf_ids(arrays.leaf_ids.data()),
        leaf_counts(arrays.leaf_counts.data()),
        node_counts(arrays.node_counts.data()),
        leaf_coordinates(arrays.leaf_coordinates.data()),
        boxes(arrays.boxes.data()),
        vantages(arrays.vantages.data()),
        intervals(arrays.intervals.data()),
        slots(slots.data()) {}

  __device__ double* Column(int32_t leaf, int slot) const {
    return leaf_coordinates + int64_t{leaf} * num_dimensions * kLeafSlots +
           slot;
  }
};

// Sets *value to the smaller (larger) of it and `other`. Most points widen
// nothing, so the plain read usually suffices.
__device__ void AtomicMin(double* value, double other) {
  auto* bits = reinterpret_cast<unsigned long long*>(value);
  unsigned long long old = *bits;
  while (other < __longlong_as_double(static_cast<long long>(old))) {
    const unsigned long long seen =
        atomicCAS(bits, old,
                  static_cast<unsigned long long>(__double_as_longlong(other)));
    if (seen == old) return;
    old = seen;
  }
}
__device__ void AtomicMax(double* value, double other) {
  auto* bits = reinterpret_cast<unsigned long long*>(value);
  unsigned long long old = *bits;
  while (other > __longlong_as_double(static_cast<long long>(old))) {
    const unsigned long long seen =
        atomicCAS(bits, old,
                  static_cast<unsigned long long>(__double_as_longlong(other)));
    if (seen == old) return;
    old = seen;
  }
}

// Returns where a point goes from an inner node: 0 left, 1 right. Any choice is
// correct; a good one widens little.
template <Norm kNorm>
__device__ int ChildByBox(const MutableTree& tree, int32_t node,
                          const double* x) {
  const int32_t d = tree.num_dimensions;
  const double* low = tree.boxes + (2 * int64_t{node} + 1) * 2 * d;
  double keys[2];
  double spreads[2];
  for (int child = 0; child < 2; ++child, low += 2 * d) {
    keys[child] = 0;
    spreads[child] = 0;
    for (int32_t k = 0; k < d; ++k) {
      const double below = low[k] - x[k];
      const double above = x[k] - low[d + k];
      const double outside = below > above ? below : above;
      keys[child] = AddToKey<kNorm>(keys[child], outside > 0 ? outside : 0);
      spreads[child] = AddToKey<kNorm>(spreads[child], below - above);
    }
  }
  if (keys[0] != keys[1]) return keys[0] < keys[1] ? 0 : 1;
  // In both, or equally near to both: the child whose middle is nearer.
  return spreads[0] <= spreads[1] ? 0 : 1;
}

// One thread per point: from the root to a leaf with a free slot. Sets *full
// without one; then the tree must be rebuilt.
template <Norm kNorm, CudaLeafTree::Kind kKind>
__global__ void InsertKernel(MutableTree tree, const double* coordinates,
                             int32_t first, int32_t count, int32_t* full) {
  const int32_t index =
      static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  if (index >= count) return;
  const int32_t id = first + index;
  const int32_t d = tree.num_dimensions;
  const double* x = coordinates + int64_t{id} * d;
  int32_t node = 0;
  atomicAdd(&tree.node_counts[0], 1);
  while (node < tree.num_leaves - 1) {
    if constexpr (kKind == CudaLeafTree::Kind::kBox) {
      node = 2 * node + 1 + ChildByBox<kNorm>(tree, node, x);
      double* box = tree.boxes + int64_t{node} * 2 * d;
      for (int32_t k = 0; k < d; ++k) {
        AtomicMin(&box[k], x[k]);
        AtomicMax(&box[d + k], x[k]);
      }
    } else {
      const double distance = DistanceOfNormKey<kNorm>(
          DistanceKey<kNorm>(x, 1, tree.vantages + int64_t{node} * d, 1, d));
      double* interval = tree.intervals + 4 * int64_t{node};
      const int child =
          distance <= interval[1] || distance < interval[2] ? 0 : 1;
      AtomicMin(&interval[2 * child], distance);
      AtomicMax(&interval[2 * child + 1], distance);
      node = 2 * node + 1 + child;
    }
    atomicAdd(&tree.node_counts[node], 1);
  }
  const int32_t leaf = node - (tree.num_leaves - 1);
  const int32_t slot = atomicAdd(&tree.leaf_counts[leaf], 1);
  if (slot >= kLeafSlots) {
    *full = 1;
    return;
  }
  tree.leaf_ids[int64_t{leaf} * kLeafSlots + slot] = id;
  double* column = tree.Column(leaf, slot);
  for (int32_t k = 0; k < d; ++k) column[k * kLeafSlots] = x[k];
  tree.slots[id] = leaf * kLeafSlots + slot;
}

// No point passes the root's own box on its way down, and no search asks for
// it; a tree of one leaf has no bounds to maintain.

// One thread per removed point: marks its slot and subtracts it from the
// counts.
__global__ void UnlinkKernel(MutableTree tree, const int32_t* ids,
                             int32_t count, int32_t mark) {
  const int32_t index =
      static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  if (index >= count) return;
  const int32_t slot = tree.slots[ids[index]];
  tree.leaf_ids[slot] = mark;
  int32_t node = tree.num_leaves - 1 + slot / kLeafSlots;
  while (true) {
    atomicAdd(&tree.node_counts[node], -1);
    if (node == 0) break;
    node = (node - 1) / 2;
  }
}

// One warp per leaf: closes the gaps.
__global__ void CompactKernel(MutableTree tree, int32_t mark) {
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const auto leaf = static_cast<int32_t>(thread / 32);
  if (leaf >= tree.num_leaves) return;
  const int lane = static_cast<int>(thread % 32);
  int32_t* ids = tree.leaf_ids + int64_t{leaf} * kLeafSlots;
  const int32_t id = ids[lane];
  if (__ballot_sync(kFullWarp, id == mark) == 0) return;
  const unsigned kept = __ballot_sync(kFullWarp, id >= 0);
  const int slot = __popc(kept & ((1u << lane) - 1));
  const int count = __popc(kept);
  for (int32_t k = 0; k < tree.num_dimensions; ++k) {
    double* row = tree.Column(leaf, 0) + k * kLeafSlots;
    const double value = row[lane];
    __syncwarp();
    if (id >= 0) row[slot] = value;
    if (lane >= count) row[lane] = std::numeric_limits<double>::infinity();
    __syncwarp();
  }
  if (id >= 0) {
    ids[slot] = id;
    tree.slots[id] = leaf * kLeafSlots + slot;
  }
  if (lane >= count) ids[lane] = -1;
  if (lane == 0) tree.leaf_counts[leaf] = count;
}

// One thread per coordinate: the rows of the given ids, one after another.
__global__ void GatherKernel(const double* coordinates, const int32_t* ids,
                             int32_t count, int32_t d, double* rows) {
  const int64_t index = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (index >= int64_t{count} * d) return;
  rows[index] = coordinates[int64_t{ids[index / d]} * d + index % d];
}

// One thread per slot: row numbers become ids.
__global__ void NameKernel(const int32_t* ids, int64_t num_slots,
                           int32_t* leaf_ids, int32_t* slots) {
  const int64_t slot = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (slot >= num_slots || leaf_ids[slot] < 0) return;
  const int32_t id = ids[leaf_ids[slot]];
  leaf_ids[slot] = id;
  slots[id] = static_cast<int32_t>(slot);
}

}  // namespace

CudaDynamicTree CudaDynamicTree::Create(Norm norm, int32_t num_dimensions,
                                        CudaLeafTree::Kind kind) {
  CudaDynamicTree tree;
  tree.norm_ = norm;
  tree.num_dimensions_ = num_dimensions;
  tree.kind_ = kind;
  return tree;
}

absl::Status CudaDynamicTree::Reserve(int64_t ids) {
  if (evaluations_.empty()) {
    RETURN_IF_ERROR(AllocateInto(1, evaluations_));
    RETURN_IF_ERROR(evaluations_.FillBytes(0));
  }
  RETURN_IF_ERROR(ReserveInto(ids, slots_, num_ids()));
  return ReserveInto(ids * num_dimensions_, coordinates_,
                     int64_t{num_ids()} * num_dimensions_);
}

absl::Status CudaDynamicTree::Rebuild() {
  std::vector<int32_t> ids;
  ids.reserve(num_points_);
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (live_[id] != 0) ids.push_back(id);
  }
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> device_ids,
                   DeviceBuffer<int32_t>::FromHost(ids));
  DevicePoints points;
  points.num_points = num_points_;
  points.num_dimensions = num_dimensions_;
  points.norm = norm_;
  const int64_t values = int64_t{num_points_} * num_dimensions_;
  RETURN_IF_ERROR(AllocateInto(values, points.values));
  if (values > 0) {
    GatherKernel<<<BlocksFor(values, kThreads), kThreads>>>(
        coordinates_.data(), device_ids.data(), num_points_, num_dimensions_,
        points.values.data());
  }
  RETURN_IF_ERROR(CudaLaunchStatus("gather points"));
  arrays_ = CudaLeafTree::Arrays();
  ASSIGN_OR_RETURN(CudaLeafTree built,
                   CudaLeafTree::Build(points, kind_, kLeafFill));
  arrays_ = std::move(built.mutable_arrays());
  if (num_points_ == 0) return absl::OkStatus();
  const int64_t slots = arrays_.leaf_ids.size();
  NameKernel<<<BlocksFor(slots, kThreads), kThreads>>>(
      device_ids.data(), slots, arrays_.leaf_ids.data(), slots_.data());
  return CudaLaunchStatus("name the points");
}

absl::StatusOr<bool> CudaDynamicTree::InsertInto(int32_t first, int32_t count) {
  DeviceBuffer<int32_t> full;
  RETURN_IF_ERROR(AllocateInto(1, full));
  RETURN_IF_ERROR(full.FillBytes(0));
  const MutableTree tree(arrays_, slots_);
  const auto launch = [&]<Norm kNorm>() {
    if (kind_ == CudaLeafTree::Kind::kBox) {
      InsertKernel<kNorm, CudaLeafTree::Kind::kBox>
          <<<BlocksFor(count, kThreads), kThreads>>>(tree, coordinates_.data(),
                                                     first, count, full.data());
    } else {
      InsertKernel<kNorm, CudaLeafTree::Kind::kVantage>
          <<<BlocksFor(count, kThreads), kThreads>>>(tree, coordinates_.data(),
                                                     first, count, full.data());
    }
  };
  switch (norm_) {
    case Norm::kL2:
      launch.template operator()<Norm::kL2>();
      break;
    case Norm::kL1:
      launch.template operator()<Norm::kL1>();
      break;
    case Norm::kLInf:
      launch.template operator()<Norm::kLInf>();
      break;
  }
  RETURN_IF_ERROR(CudaLaunchStatus("insert points"));
  int32_t host_full = 0;
  RETURN_IF_ERROR(full.CopyToHost(absl::MakeSpan(&host_full, 1)));
  return host_full == 0;
}

absl::Status CudaDynamicTree::Insert(const PointMatrix& batch) {
  if (batch.num_points == 0) return absl::OkStatus();
  if (batch.num_dimensions != num_dimensions_) {
    return absl::InvalidArgumentError(
        "expected a batch of the tree's number of dimensions, found another");
  }
  const int32_t first = num_ids();
  const int64_t ids = int64_t{first} + batch.num_points;
  // Slots of leaves that are half full are numbered by int32_t.
  if (ids > INT32_MAX || int64_t{num_points_} + batch.num_points > (1 << 29)) {
    return absl::ResourceExhaustedError(
        "expected at most 2^29 points, found more");
  }
  RETURN_IF_ERROR(Reserve(ids));
  RETURN_IF_ERROR(coordinates_.CopyFromHost(batch.values,
                                            int64_t{first} * num_dimensions_));
  live_.resize(ids, 1);
  num_points_ += batch.num_points;
  // A batch larger than the tree would fill most leaves.
  if (num_points_ <= 2 * batch.num_points) return Rebuild();
  ASSIGN_OR_RETURN(const bool done, InsertInto(first, batch.num_points));
  return done ? absl::OkStatus() : Rebuild();
}

absl::Status CudaDynamicTree::Remove(absl::Span<const int32_t> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!IsLive(ids[i])) {
      for (size_t j = 0; j < i; ++j) live_[ids[j]] = 1;
      return absl::InvalidArgumentError(
          "expected distinct ids of live points, found another or a repeated "
          "id");
    }
    live_[ids[i]] = 0;
  }
  if (ids.empty()) return absl::OkStatus();
  num_points_ -= static_cast<int32_t>(ids.size());
  // Mostly empty leaves make searches slow.
  const int64_t half_full =
      int64_t{arrays_.num_leaves()} * CudaLeafTree::kLeafSize / 2;
  if (num_points_ < half_full / 4) return Rebuild();
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> device_ids,
                   DeviceBuffer<int32_t>::FromHost(ids));
  constexpr int32_t kMark = -2;
  const auto count = static_cast<int32_t>(ids.size());
  const MutableTree tree(arrays_, slots_);
  UnlinkKernel<<<BlocksFor(count, kThreads), kThreads>>>(
      tree, device_ids.data(), count, kMark);
  CompactKernel<<<BlocksFor(int64_t{arrays_.num_leaves()} * 32, kThreads),
                  kThreads>>>(tree, kMark);
  return CudaLaunchStatus("remove points");
}

absl::StatusOr<int64_t> CudaDynamicTree::DistanceEvaluations() const {
  if (evaluations_.empty()) return 0;
  uint64_t value = 0;
  RETURN_IF_ERROR(evaluations_.CopyToHost(absl::MakeSpan(&value, 1)));
  return static_cast<int64_t>(value);
}

}  // namespace warpclust
