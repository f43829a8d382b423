// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Every node is three pieces of work on the stream of its subtree: the
// distances of its points to its vantage point, their sort by CUB, and the
// children's vantage points. The host gives out one level after the other, so
// that all streams have work early. Subtrees get streams of their own down to
// the level that has as many nodes as there are streams; a right child there
// waits for its parent's stream.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/stream.h"
#include "vptree/benchmarks/paper_vp_tree.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_view_cuda.cuh"
#include "vptree/points/device_points.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// A node's range of positions.
struct Node {
  int32_t begin;
  int32_t size;
};

// The vantage point is vantages[node].
__global__ void KeysKernel(const double* points, int32_t d, Norm norm,
                           const uint32_t* ids, int32_t count,
                           const uint32_t* vantages, int32_t node,
                           uint32_t* keys) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const double key = DistanceKey(norm, points + int64_t{ids[i]} * d,
                                 points + int64_t{vantages[node]} * d, d);
  // Not negative, so the bits are in the order of the values.
  keys[i] = __float_as_uint(static_cast<float>(key));
}

// One thread. Sets the radius of `node`, and the vantage points of its children
// if these are inner nodes.
__global__ void ChildrenKernel(const uint32_t* sorted_keys,
                               const uint32_t* sorted_ids, int32_t count,
                               int32_t node, int32_t num_inner,
                               uint32_t* vantages, float* radius_keys) {
  const int32_t mid = count / 2;
  radius_keys[node] = __uint_as_float(sorted_keys[mid]);
  if (2 * node + 1 >= num_inner) return;
  vantages[2 * node + 1] = sorted_ids[mid];
  vantages[2 * node + 2] = sorted_ids[count - 1];
}

// One thread.
__global__ void RootKernel(const uint32_t* sorted_ids, int32_t count,
                           uint32_t* vantages) {
  vantages[0] = sorted_ids[count - 1];
}

class Builder {
 public:
  Builder(const DevicePoints& points, int num_streams)
      : points_(points), num_streams_(num_streams) {
    while ((int64_t{32} << height_) < points.num_points) ++height_;
  }

  absl::Status Prepare() {
    const int32_t n = points_.num_points;
    for (int i = 0; i < num_streams_; ++i) {
      ASSIGN_OR_RETURN(Stream stream, Stream::Create());
      ASSIGN_OR_RETURN(Event event, Event::Create());
      streams_.push_back(std::move(stream));
      sorted_.push_back(std::move(event));
    }
    storages_.resize(num_streams_);
    RETURN_IF_ERROR(AllocateInto(n, keys_));
    RETURN_IF_ERROR(AllocateInto(n, sorted_keys_));
    for (DeviceBuffer<uint32_t>& ids : ids_) {
      RETURN_IF_ERROR(AllocateInto(n, ids));
    }
    RETURN_IF_ERROR(AllocateInto(std::max(1, num_inner()), vantages_));
    return AllocateInto(std::max(1, num_inner()), radius_keys_);
  }

  // Returns the seconds from the first launch to the last leaf.
  absl::StatusOr<double> Run() {
    std::vector<uint32_t> all(points_.num_points);
    std::iota(all.begin(), all.end(), 0u);
    RETURN_IF_ERROR(ids_[0].CopyFromHost(all));
    const uint32_t first = 0;
    RETURN_IF_ERROR(vantages_.CopyFromHost(absl::MakeConstSpan(&first, 1)));
    RETURN_IF_ERROR(Wait());
    const Stopwatch stopwatch;
    if (height_ > 0) RETURN_IF_ERROR(ChooseRoot());
    std::vector<Node> nodes = {{0, points_.num_points}};
    for (int32_t level = 0; level < height_; ++level) {
      std::vector<Node> children;
      for (size_t j = 0; j < nodes.size(); ++j) {
        RETURN_IF_ERROR(Split(level, static_cast<int32_t>(j), nodes[j]));
        const int32_t mid = nodes[j].size / 2;
        children.push_back({nodes[j].begin, mid});
        children.push_back({nodes[j].begin + mid, nodes[j].size - mid});
      }
      nodes = std::move(children);
    }
    RETURN_IF_ERROR(Wait());
    return stopwatch.Seconds();
  }

  absl::StatusOr<PaperVpTree> Read() const {
    PaperVpTree tree;
    tree.height = height_;
    tree.vantage_ids.resize(num_inner());
    tree.radius_keys.resize(num_inner());
    tree.order.resize(points_.num_points);
    std::vector<uint32_t> vantages(num_inner());
    std::vector<uint32_t> order(points_.num_points);
    RETURN_IF_ERROR(vantages_.CopyToHost(absl::MakeSpan(vantages)));
    RETURN_IF_ERROR(radius_keys_.CopyToHost(absl::MakeSpan(tree.radius_keys)));
    RETURN_IF_ERROR(ids_[height_ % 2].CopyToHost(absl::MakeSpan(order)));
    std::copy(vantages.begin(), vantages.end(), tree.vantage_ids.begin());
    std::copy(order.begin(), order.end(), tree.order.begin());
    return tree;
  }

 private:
  int32_t num_inner() const { return (int32_t{1} << height_) - 1; }

  static absl::Status Wait() {
    return CudaStatus(cudaDeviceSynchronize(), "build the paper's VP-tree");
  }

  // The stream of node j of a level: that of the leftmost subtree below it that
  // has one of its own.
  int StreamOf(int32_t level, int32_t j) const {
    const int64_t nodes = int64_t{1} << level;
    return static_cast<int>(nodes < num_streams_ ? j * (num_streams_ / nodes)
                                                 : j / (nodes / num_streams_));
  }

  // Sorts the points of a range by their distance to the vantage point of
  // `node`, from ids_[from] to ids_[1 - from].
  absl::Status Sort(int stream, int32_t node, Node range, int from) {
    const cudaStream_t on = streams_[stream].get();
    KeysKernel<<<BlocksFor(range.size, kThreads), kThreads, 0, on>>>(
        points_.values.data(), points_.num_dimensions, points_.norm,
        ids_[from].data() + range.begin, range.size, vantages_.data(), node,
        keys_.data() + range.begin);
    RETURN_IF_ERROR(CudaLaunchStatus("distances to a vantage point"));
    return SortPairs(
        keys_.data() + range.begin, sorted_keys_.data() + range.begin,
        ids_[from].data() + range.begin, ids_[1 - from].data() + range.begin,
        range.size, /*begin_bit=*/0, /*end_bit=*/32, storages_[stream], on);
  }

  // The root's vantage point is the point farthest from point 0.
  absl::Status ChooseRoot() {
    RETURN_IF_ERROR(Sort(/*stream=*/0, /*node=*/0, {0, points_.num_points},
                         /*from=*/0));
    RootKernel<<<1, 1, 0, streams_[0].get()>>>(
        ids_[1].data(), points_.num_points, vantages_.data());
    return CudaLaunchStatus("choose the root");
  }

  absl::Status Split(int32_t level, int32_t j, Node range) {
    const int stream = StreamOf(level, j);
    const int32_t node = (int32_t{1} << level) - 1 + j;
    RETURN_IF_ERROR(Sort(stream, node, range, level % 2));
    ChildrenKernel<<<1, 1, 0, streams_[stream].get()>>>(
        sorted_keys_.data() + range.begin,
        ids_[1 - level % 2].data() + range.begin, range.size, node, num_inner(),
        vantages_.data(), radius_keys_.data());
    RETURN_IF_ERROR(CudaLaunchStatus("vantage points of children"));
    const int right = StreamOf(level + 1, 2 * j + 1);
    if (right == stream) return absl::OkStatus();
    RETURN_IF_ERROR(sorted_[stream].Record(streams_[stream]));
    return streams_[right].WaitFor(sorted_[stream]);
  }

  const DevicePoints& points_;
  const int num_streams_;
  int32_t height_ = 0;
  std::vector<Stream> streams_;
  std::vector<Event> sorted_;
  std::vector<TemporaryStorage> storages_;
  DeviceBuffer<uint32_t> keys_;
  DeviceBuffer<uint32_t> sorted_keys_;
  // The points of a level, and of the next.
  DeviceBuffer<uint32_t> ids_[2];
  DeviceBuffer<uint32_t> vantages_;
  DeviceBuffer<float> radius_keys_;
};

absl::StatusOr<DevicePoints> ToDevice(const PointMatrix& points, Norm norm,
                                      int runs) {
  RETURN_IF_ERROR(points.Validate());
  if (points.num_points < 1 || runs < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected points and at least one run, found ",
                     points.num_points, " points and ", runs, " runs"));
  }
  return DevicePoints::FromHost(points, norm);
}

PointMatrix Reordered(const PointMatrix& points,
                      const std::vector<int32_t>& order) {
  PointMatrix reordered;
  reordered.num_points = points.num_points;
  reordered.num_dimensions = points.num_dimensions;
  reordered.values.reserve(points.values.size());
  for (const int32_t id : order) {
    reordered.values.insert(reordered.values.end(), points.Row(id),
                            points.Row(id) + points.num_dimensions);
  }
  return reordered;
}

// The ids of the leaves, or a random permutation.
absl::StatusOr<std::vector<int32_t>> OrderOf(const CudaLeafTree& tree,
                                             QueryOrder order) {
  if (order == QueryOrder::kLeaves) {
    ASSIGN_OR_RETURN(std::vector<int32_t> ids, tree.arrays().leaf_ids.ToHost());
    ids.erase(std::remove(ids.begin(), ids.end(), -1), ids.end());
    return ids;
  }
  std::vector<int32_t> ids(tree.arrays().num_points);
  std::iota(ids.begin(), ids.end(), 0);
  Random random(1);
  for (size_t i = ids.size(); i > 1; --i) {
    std::swap(ids[i - 1], ids[random.Below(i)]);
  }
  return ids;
}

// Counts the points within the radius of the points in `slots` of the leaves,
// one per thread. A subtree inside or outside the radius is decided unseen, as
// by CudaLeafTree.
template <Norm kNorm, int kDimensions>
__global__ void __launch_bounds__(kThreads)
    LoneCountKernel(LeafTreeView tree, VantageBoundsView bounds,
                    const int64_t* slots, int32_t num_queries,
                    double radius_key, int32_t* counts) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= num_queries) return;
  const LaneQuery<kDimensions> query(
      tree.Block(static_cast<int32_t>(slots[i] / kLeafSlots)),
      static_cast<int>(slots[i] % kLeafSlots), tree.num_dimensions);
  // A node takes its own place and leaves two: one more per level.
  int32_t waiting[kMaxTreeDepth];
  int depth = 0;
  int32_t node = 0;
  int32_t count = 0;
  while (true) {
    if (tree.IsLeaf(node)) {
      const int32_t leaf = tree.LeafOf(node);
      for (int slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        count += SlotKey<kNorm>(query, tree.Block(leaf), slot,
                                tree.num_dimensions) < radius_key
                     ? 1
                     : 0;
      }
    } else {
      double min_key[2];
      double max_key[2];
      bounds.template ChildKeys<kNorm>(node, query, tree.num_dimensions,
                                       min_key, max_key);
      for (int child = 0; child < 2; ++child) {
        const int32_t below = 2 * node + 1 + child;
        if (max_key[child] < radius_key) {
          count += tree.node_counts[below];
        } else if (!(min_key[child] >= radius_key)) {
          waiting[depth++] = below;
        }
      }
    }
    if (depth == 0) break;
    node = waiting[--depth];
  }
  counts[i] = count;
}

absl::Status CountAlone(const CudaLeafTree::Arrays& tree,
                        const DeviceBuffer<int64_t>& slots, double radius_key,
                        DeviceBuffer<int32_t>& counts) {
  RETURN_IF_ERROR(AllocateInto(tree.num_points, counts));
  WithNormAndDimensions(
      tree.norm, tree.num_dimensions, [&]<Norm kNorm, int kDimensions>() {
        LoneCountKernel<kNorm, kDimensions>
            <<<BlocksFor(tree.num_points, kThreads), kThreads>>>(
                LeafTreeView(tree), VantageBoundsView(tree), slots.data(),
                tree.num_points, radius_key, counts.data());
      });
  return CudaLaunchStatus("count for each point alone");
}

// The slots of these ids in the leaves.
absl::StatusOr<DeviceBuffer<int64_t>> SlotsOf(const CudaLeafTree::Arrays& tree,
                                              const std::vector<int32_t>& ids) {
  ASSIGN_OR_RETURN(const std::vector<int32_t> leaf_ids, tree.leaf_ids.ToHost());
  std::vector<int64_t> slot_of(ids.size());
  for (size_t slot = 0; slot < leaf_ids.size(); ++slot) {
    if (leaf_ids[slot] >= 0) {
      slot_of[leaf_ids[slot]] = static_cast<int64_t>(slot);
    }
  }
  std::vector<int64_t> slots;
  slots.reserve(ids.size());
  for (const int32_t id : ids) slots.push_back(slot_of[id]);
  DeviceBuffer<int64_t> buffer;
  RETURN_IF_ERROR(AllocateInto(static_cast<int64_t>(slots.size()), buffer));
  RETURN_IF_ERROR(buffer.CopyFromHost(slots));
  return buffer;
}

}  // namespace

absl::StatusOr<PaperVpTree> BuildPaperVpTree(const PointMatrix& points,
                                             Norm norm, int num_streams,
                                             int runs) {
  if (num_streams < 1 || (num_streams & (num_streams - 1)) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "number of streams: expected a power of 2, found ", num_streams));
  }
  ASSIGN_OR_RETURN(const DevicePoints device, ToDevice(points, norm, runs));
  Builder builder(device, num_streams);
  RETURN_IF_ERROR(builder.Prepare());
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run <= runs; ++run) {
    ASSIGN_OR_RETURN(const double seconds, builder.Run());
    if (run > 0) best = std::min(best, seconds);
  }
  ASSIGN_OR_RETURN(PaperVpTree tree, builder.Read());
  tree.seconds = best;
  return tree;
}

absl::StatusOr<OrderedCounts> CountInOrder(const PointMatrix& points, Norm norm,
                                           double radius, QueryOrder order,
                                           int runs) {
  RETURN_IF_ERROR(CheckRadius(radius));
  ASSIGN_OR_RETURN(const DevicePoints device, ToDevice(points, norm, runs));
  ASSIGN_OR_RETURN(const CudaLeafTree tree,
                   CudaLeafTree::Build(device, CudaLeafTree::Kind::kVantage));
  ASSIGN_OR_RETURN(const std::vector<int32_t> ids, OrderOf(tree, order));
  ASSIGN_OR_RETURN(const DevicePoints queries,
                   DevicePoints::FromHost(Reordered(points, ids), norm));
  ASSIGN_OR_RETURN(const DeviceBuffer<int64_t> slots,
                   SlotsOf(tree.arrays(), ids));
  OrderedCounts result;
  result.seconds = std::numeric_limits<double>::infinity();
  DeviceBuffer<int32_t> counts;
  for (int run = 0; run <= runs; ++run) {
    RETURN_IF_ERROR(CudaStatus(cudaDeviceSynchronize(), "before counting"));
    const Stopwatch stopwatch;
    RETURN_IF_ERROR(order == QueryOrder::kRandomAlone
                        ? CountAlone(tree.arrays(), slots,
                                     KeyOfRadius(norm, radius), counts)
                        : tree.RangeCount(queries, radius, counts,
                                          CudaLeafTree::QueryOrder::kAsGiven));
    RETURN_IF_ERROR(CudaStatus(cudaDeviceSynchronize(), "count in order"));
    if (run > 0) result.seconds = std::min(result.seconds, stopwatch.Seconds());
  }
  ASSIGN_OR_RETURN(const std::vector<int32_t> found, counts.ToHost());
  result.counts.resize(found.size());
  for (size_t q = 0; q < found.size(); ++q) {
    // A query finds itself.
    result.counts[ids[q]] = found[q] - (radius > 0 ? 1 : 0);
  }
  return result;
}

}  // namespace warpclust
