// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "algorithms/online/batched/cuda/batch_kernel.cuh"
#include "algorithms/online/batched/cuda/device_batch.h"
#include "base/status/status_macros.h"
#include "kernels/cuda_status.h"

namespace warpclust {
namespace {

__global__ void PutSideBySide(const int32_t* terms, const int32_t* weights,
                              KeptTerm* entries, int64_t count) {
  for (int64_t e = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count;
       e += int64_t{gridDim.x} * blockDim.x) {
    entries[e] = {terms[e], weights[e]};
  }
}

// Makes room for `wanted` more clusters, or as many as fit, at least `least`.
absl::Status ReserveSomeClusters(int64_t wanted, int64_t least,
                                 DeviceClusters* clusters) {
  for (;; wanted /= 2) {
    absl::Status status = clusters->ReserveClusters(clusters->num_clusters +
                                                    std::max(wanted, least));
    if (!absl::IsResourceExhausted(status) || wanted <= least) return status;
  }
}

const void* Kernel(int32_t terms) {
  return terms <= 32 ? reinterpret_cast<const void*>(&BatchKernel<1>)
                     : reinterpret_cast<const void*>(&BatchKernel<4>);
}

}  // namespace

absl::StatusOr<DeviceBatch> DeviceBatch::Create(const OnlineOptions& options,
                                                int32_t batch) {
  DeviceBatch made;
  made.options_ = options;
  made.batch_ = batch;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&made.blocks_,
                                   cudaDevAttrMultiProcessorCount, device);
  }
  const int64_t shared = BatchSharedBytes(batch, options.terms);
  int most_shared = 0;
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(
        &most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  }
  if (error == cudaSuccess && shared > most_shared) {
    return absl::UnavailableError(absl::StrCat(
        "exact batches: expected a GPU with ", shared,
        " bytes of shared memory per block (H100, H200, B200), found ",
        most_shared));
  }
  if (error == cudaSuccess) {
    error = cudaFuncSetAttribute(Kernel(options.terms),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared));
  }
  if (error != cudaSuccess) return CudaStatus(error, "preparing batches");

  const int64_t q = batch;
  const int64_t all = q * options.terms;
  absl::Status status = AllocateInto(1, made.control_);
  for (DeviceBuffer<int32_t>* buffer :
       {&made.decisions_, &made.next_, &made.walk_from_, &made.listed_,
        &made.version_counts_, &made.heavy_}) {
    status.Update(AllocateInto(q, *buffer));
  }
  status.Update(AllocateInto(q * kListed, made.listed_similarities_));
  status.Update(AllocateInto(q * kListed, made.listed_clusters_));
  const int64_t slices = q * kMaxSlices;
  status.Update(AllocateInto(slices, made.slice_above_));
  status.Update(AllocateInto(slices, made.slice_listed_));
  status.Update(AllocateInto(slices * kListed, made.slice_similarities_));
  status.Update(AllocateInto(slices * kListed, made.slice_clusters_));
  status.Update(AllocateInto(q, made.fresh_));
  status.Update(AllocateInto(all, made.full_sums_));
  status.Update(AllocateInto(all, made.version_sums_));
  status.Update(AllocateInto(all, made.version_kept_));
  status.Update(AllocateInto(all, made.removals_));
  status.Update(AllocateInto(all, made.insertions_));
  if (!status.ok()) return status;
  return made;
}

absl::Status DeviceBatch::Load(const UnitVectors& documents,
                               absl::Span<const int64_t> clocks, int64_t begin,
                               int64_t end) {
  RETURN_IF_ERROR(documents_.Load(documents, clocks, begin, end));
  const int64_t entries = documents_.num_entries();
  RETURN_IF_ERROR(MakeRoom(entries, entries_));
  RETURN_IF_ERROR(MakeRoom(documents_.size(), clusters_));
  PutSideBySide<<<blocks_, kBatchThreads>>>(documents_.terms.data(),
                                            documents_.weights.data(),
                                            entries_.data(), entries);
  return CudaLaunchStatus("copying documents");
}

void DeviceBatch::Unload() {
  documents_ = DeviceDocuments();
  entries_ = DeviceBuffer<KeptTerm>();
  clusters_ = DeviceBuffer<int32_t>();
}

BatchView DeviceBatch::view(DeviceClusters& clusters) {
  BatchView view;
  view.offsets = documents_.offsets.data();
  view.terms = documents_.terms.data();
  view.weights = documents_.weights.data();
  view.entries = entries_.data();
  view.clocks = documents_.clocks.data();
  view.clusters = clusters_.data();
  view.num_documents = documents_.size();
  view.above = SimilarityAbove(options_.threshold);
  const double threshold = options_.threshold.ToDouble();
  view.above_squared = threshold * threshold;
  view.expire_after = options_.expire_after;
  view.batch = batch_;
  view.max_clusters = clusters.max_clusters();
  view.max_tail = clusters.max_tail();
  view.control = control_.data();
  view.lists = clusters.lists(&control_.data()->lists);
  view.decisions = decisions_.data();
  view.next = next_.data();
  view.walk_from = walk_from_.data();
  view.listed = listed_.data();
  view.version_counts = version_counts_.data();
  view.listed_similarities = listed_similarities_.data();
  view.listed_clusters = listed_clusters_.data();
  view.heavy = heavy_.data();
  view.slice_above = slice_above_.data();
  view.slice_listed = slice_listed_.data();
  view.slice_similarities = slice_similarities_.data();
  view.slice_clusters = slice_clusters_.data();
  view.fresh = fresh_.data();
  view.full_sums = full_sums_.data();
  view.version_sums = version_sums_.data();
  view.version_kept = version_kept_.data();
  view.removals = removals_.data();
  view.insertions = insertions_.data();
  return view;
}

absl::Status DeviceBatch::Run(DeviceClusters* clusters,
                              absl::Span<int32_t> numbers) {
  const int64_t q = batch_;
  const int64_t count = documents_.size();
  // More than the kernel asks for, so that launches are few.
  const int64_t some = std::min(count, int64_t{1} << 16) + q;
  int64_t done = 0;
  RETURN_IF_ERROR(clusters->ReserveListChanges(2 * q * options_.terms));
  RETURN_IF_ERROR(ReserveSomeClusters(some, q, clusters));
  RETURN_IF_ERROR(
      clusters->ReserveTail(clusters->tail_used + 2 * q * options_.terms));
  while (done < count) {
    BatchControl control;
    control.done = done;
    control.num_clusters = clusters->num_clusters;
    control.tail_used = clusters->tail_used;
    control.lists.used = static_cast<DeviceCount>(clusters->entries_used);
    RETURN_IF_ERROR(control_.CopyFromHost({&control, 1}));
    DeviceClustersView clusters_view = clusters->view();
    BatchView batch_view = view(*clusters);
    void* arguments[] = {&clusters_view, &batch_view};
    RETURN_IF_ERROR(CudaStatus(
        cudaLaunchCooperativeKernel(
            Kernel(options_.terms), dim3(blocks_), dim3(kBatchThreads),
            arguments,
            static_cast<size_t>(BatchSharedBytes(batch_, options_.terms)),
            nullptr),
        "clustering documents"));
    RETURN_IF_ERROR(control_.CopyToHost({&control, 1}));
    counts_.partial_products += control.partial_products;
    counts_.batches += control.batches;
    counts_.rounds += control.rounds;
    counts_.repeated += control.cut;
    clusters->num_clusters = control.num_clusters;
    clusters->tail_used = control.tail_used;
    clusters->entries_used = static_cast<int64_t>(control.lists.used);
    done = control.done;
    switch (control.status) {
      case BatchStatus::kNeedsClusters:
        RETURN_IF_ERROR(ReserveSomeClusters(some, q, clusters));
        break;
      case BatchStatus::kNeedsTail:
        RETURN_IF_ERROR(clusters->ReserveTail(2 * clusters->max_tail()));
        break;
      case BatchStatus::kDone:
      case BatchStatus::kNeedsEntries:
        break;
    }
    // The last batch, too, can break lists.
    if (clusters->entries_used > clusters->max_entries()) {
      RETURN_IF_ERROR(clusters->RebuildLists());
    }
  }
  return clusters_.CopyToHost(numbers);
}

}  // namespace warpclust
