// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "algorithms/online/clusters/cuda/device_clusters.cuh"
#include "algorithms/online/paper/cuda/paper_join_cuda.h"
#include "algorithms/online/paper/cuda/paper_join_warp.cuh"
#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"
#include "sparse/term_lists/dynamic_term_lists.cuh"

namespace warpclust {
namespace {

using Counters = PaperJoinCounters;

constexpr int kThreads = 256;
// The kernels stride over the grid.
constexpr int kMostBlocks = 8192;
// Warps of a block, for kernels with one warp and one workspace per cluster.
constexpr int kWarps = 4;

__global__ void FlagFounders(const int32_t* nearest, int32_t count,
                             int32_t* founds) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    founds[i] = nearest[i] == PaperSearch::kNoCluster ? 1 : 0;
  }
}

// Writes the cluster of each document, and begins the counters of this batch.
__global__ void NumberClusters(const int32_t* nearest,
                               const int64_t* founders_before, int32_t count,
                               int32_t num_clusters, int32_t* numbers,
                               uint32_t* keys, uint32_t* values,
                               Counters* counters) {
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    const bool founds = nearest[i] == PaperSearch::kNoCluster;
    const auto before = static_cast<int32_t>(founders_before[i]);
    const int32_t number = founds ? num_clusters + before : nearest[i];
    numbers[i] = number;
    keys[i] = static_cast<uint32_t>(number);
    values[i] = static_cast<uint32_t>(i);
    if (i == count - 1) {
      counters->founders = before + (founds ? 1 : 0);
      counters->removals = 0;
      counters->new_tail_keys = 0;
    }
  }
}

// Whether a cluster's documents begin at `i`; `keys` are the documents'
// clusters, sorted.
__device__ bool IsFirst(const uint32_t* keys, int64_t i) {
  return i == 0 || keys[i] != keys[i - 1];
}

// Phase 1 of a batch of list changes; one warp per cluster.
__global__ void __launch_bounds__(32 * kWarps)
    JoinClusters(DeviceClustersView clusters, DeviceTermLists lists,
                 PaperDocuments documents, int32_t num_clusters,
                 const uint32_t* keys, const uint32_t* order,
                 TermListRemoval* removals, Counters* counters) {
  __shared__ JoinWorkspace workspaces[kWarps];
  const int warp = static_cast<int>(threadIdx.x / 32);
  for (int64_t i = int64_t{blockIdx.x} * kWarps + warp; i < documents.count;
       i += int64_t{gridDim.x} * kWarps) {
    if (!IsFirst(keys, i)) continue;
    const auto cluster = static_cast<int32_t>(keys[i]);
    const bool is_new = cluster >= num_clusters;
    JoiningWarp joining(clusters, lists, removals, counters, &workspaces[warp],
                        cluster, is_new);
    int64_t j = i;
    for (; j < documents.count && keys[j] == keys[i]; ++j) {
      const uint32_t document = order[j];
      joining.Add(documents.terms, documents.weights,
                  documents.offsets[document], documents.offsets[document + 1]);
    }
    joining.Finish();
    if (Lane() == 0) {
      clusters.sizes[cluster] = (is_new ? 0 : clusters.sizes[cluster]) + j - i;
      // The sort is stable, so this is the last document.
      clusters.last_times[cluster] = documents.clocks[order[j - 1]];
    }
    // The next cluster uses the same workspace.
    __syncwarp();
  }
}

__global__ void FillHoles(DeviceClustersView clusters, DeviceTermLists lists,
                          const TermListRemoval* removals,
                          const Counters* counters) {
  const SlotOwners owners = {clusters};
  const int32_t count = counters->removals;
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    FillHole(lists, removals[i].term, removals[i].position, owners);
  }
}

__global__ void SettleLists(DeviceTermLists lists) {
  const int32_t count = lists.counters->touched;
  for (int64_t i = ThreadIndex(); i < count; i += NumThreads()) {
    SettleList(lists, static_cast<int32_t>(i));
  }
}

__global__ void MoveLists(DeviceTermLists lists) {
  const int32_t count = lists.counters->moves;
  for (int32_t i = static_cast<int32_t>(blockIdx.x); i < count;
       i += static_cast<int32_t>(gridDim.x)) {
    MoveEntries(lists, i, static_cast<int32_t>(threadIdx.x),
                static_cast<int32_t>(blockDim.x));
  }
}

// Puts new terms into their lists and updates the weights of the others; one
// warp per cluster.
__global__ void InsertEntries(DeviceClustersView clusters,
                              DeviceTermLists lists, int32_t count,
                              const uint32_t* keys) {
  if (ThreadIndex() == 0) EndTermListBatch(lists);
  for (int64_t i = ThreadIndex() / 32; i < count; i += NumThreads() / 32) {
    if (!IsFirst(keys, i)) continue;
    const auto cluster = static_cast<int32_t>(keys[i]);
    const int64_t begin = int64_t{cluster} * clusters.stride;
    for (int s = Lane(); s < clusters.counts[cluster]; s += 32) {
      const KeptTerm kept = clusters.kept[begin + s];
      const int32_t position = clusters.positions[begin + s];
      if (position < 0) {
        clusters.positions[begin + s] =
            InsertEntry(lists, kept.term, -1 - position, cluster, kept.weight);
      } else {
        SetEntryWeight(lists, kept.term, position, kept.weight);
      }
    }
  }
}

__global__ void CloseClusters(DeviceClustersView clusters, int32_t num_clusters,
                              int64_t clock, int64_t expire_after) {
  for (int64_t c = ThreadIndex(); c < num_clusters; c += NumThreads()) {
    if (IsExpired(clusters.last_times[c], clock, expire_after)) {
      clusters.counts[c] = 0;
    }
  }
}

}  // namespace

struct PaperJoin::Sorter {
  TemporaryStorage storage;
};

PaperJoin::PaperJoin() : sorter_(std::make_unique<Sorter>()) {}
PaperJoin::~PaperJoin() = default;
PaperJoin::PaperJoin(PaperJoin&&) noexcept = default;
PaperJoin& PaperJoin::operator=(PaperJoin&&) noexcept = default;

absl::StatusOr<PaperJoin> PaperJoin::Create(const DeviceClusters& clusters) {
  PaperJoin join;
  RETURN_IF_ERROR(AllocateInto(1, join.counters_));
  Counters counters = {};
  counters.lists.used = static_cast<DeviceCount>(clusters.entries_used);
  RETURN_IF_ERROR(join.counters_.CopyFromHost({&counters, 1}));
  return join;
}

absl::Status PaperJoin::Reserve(int64_t documents, int64_t entries,
                                DeviceClusters& clusters) {
  // At most as many terms fall out of a cluster as a document brings.
  RETURN_IF_ERROR(clusters.ReserveClusters(clusters.num_clusters + documents));
  RETURN_IF_ERROR(clusters.ReserveTail(entries));
  RETURN_IF_ERROR(clusters.ReserveListChanges(2 * entries + 1));
  RETURN_IF_ERROR(MakeRoom(entries + 1, removals_));
  RETURN_IF_ERROR(MakeRoom(documents, founds_));
  RETURN_IF_ERROR(MakeRoom(documents, founders_before_));
  for (DeviceBuffer<uint32_t>* buffer :
       {&keys_, &sorted_keys_, &values_, &sorted_values_}) {
    RETURN_IF_ERROR(MakeRoom(documents, *buffer));
  }
  return absl::OkStatus();
}

absl::Status PaperJoin::Join(const PaperDocuments& documents,
                             const int32_t* nearest, DeviceClusters& clusters,
                             int32_t* numbers) {
  const int32_t count = documents.count;
  const int64_t entries = documents.num_entries;
  RETURN_IF_ERROR(Reserve(count, entries, clusters));
  const DeviceClustersView view = clusters.view();
  const DeviceTermLists lists = clusters.lists(&counters_.data()->lists);
  const int32_t num_clusters = clusters.num_clusters;
  const cudaStream_t stream = {};

  FlagFounders<<<BlocksFor(count, kThreads, kMostBlocks), kThreads>>>(
      nearest, count, founds_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("flag founders"));
  RETURN_IF_ERROR(ExclusiveSum(founds_.data(), founders_before_.data(), count,
                               sorter_->storage, stream));
  NumberClusters<<<BlocksFor(count, kThreads, kMostBlocks), kThreads>>>(
      nearest, founders_before_.data(), count, num_clusters, numbers,
      keys_.data(), values_.data(), counters_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("number clusters"));
  RETURN_IF_ERROR(SortPairs(
      keys_.data(), sorted_keys_.data(), values_.data(), sorted_values_.data(),
      count, 0,
      SignificantBits(static_cast<uint64_t>(num_clusters) + count - 1),
      sorter_->storage, stream));

  JoinClusters<<<BlocksFor(count, kWarps, kMostBlocks), 32 * kWarps>>>(
      view, lists, documents, num_clusters, sorted_keys_.data(),
      sorted_values_.data(), removals_.data(), counters_.data());
  FillHoles<<<BlocksFor(entries, kThreads, kMostBlocks), kThreads>>>(
      view, lists, removals_.data(), counters_.data());
  SettleLists<<<BlocksFor(2 * entries, kThreads, kMostBlocks), kThreads>>>(
      lists);
  MoveLists<<<BlocksFor(entries, 8, kMostBlocks), 128>>>(lists);
  InsertEntries<<<BlocksFor(count, kThreads / 32, kMostBlocks), kThreads>>>(
      view, lists, count, sorted_keys_.data());
  RETURN_IF_ERROR(CudaLaunchStatus("join clusters"));

  Counters counters;
  RETURN_IF_ERROR(counters_.CopyToHost({&counters, 1}));
  clusters.num_clusters += counters.founders;
  clusters.tail_used += static_cast<int64_t>(counters.new_tail_keys);
  clusters.entries_used = static_cast<int64_t>(counters.lists.used);
  if (clusters.entries_used > clusters.max_entries()) return Rebuild(clusters);
  return absl::OkStatus();
}

absl::Status PaperJoin::CloseExpired(int64_t clock, int64_t expire_after,
                                     DeviceClusters& clusters) {
  if (clusters.num_clusters == 0) return absl::OkStatus();
  CloseClusters<<<BlocksFor(clusters.num_clusters, kThreads, kMostBlocks),
                  kThreads>>>(clusters.view(), clusters.num_clusters, clock,
                              expire_after);
  RETURN_IF_ERROR(CudaLaunchStatus("close clusters"));
  return Rebuild(clusters);
}

absl::Status PaperJoin::Rebuild(DeviceClusters& clusters) {
  RETURN_IF_ERROR(clusters.RebuildLists());
  Counters counters = {};
  counters.lists.used = static_cast<DeviceCount>(clusters.entries_used);
  return counters_.CopyFromHost({&counters, 1});
}

}  // namespace warpclust
