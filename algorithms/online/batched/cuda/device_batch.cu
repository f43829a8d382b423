// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/batched/cuda/batch_kernel.cuh"
#include "algorithms/online/batched/cuda/device_batch.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"

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

// Fills `plan` for batches of up to `batch` documents of `terms` terms, if the
// GPU has the shared memory for them. With `smaller`, takes smaller batches.
template <typename Shape>
absl::StatusOr<bool> PlanWith(int32_t batch, int32_t terms, bool smaller,
                              BatchPlan* plan) {
  const auto kernel =
      terms <= 32 ? &BatchKernel<1, Shape> : &BatchKernel<4, Shape>;
  ASSIGN_OR_RETURN(const int64_t most, MostSharedBytes(kernel));
  while (smaller && batch > 1 && BatchSharedBytes<Shape>(batch, terms) > most) {
    batch /= 2;
  }
  plan->kernel = reinterpret_cast<const void*>(kernel);
  plan->batch = batch;
  plan->threads = Shape::kThreads;
  plan->shared_bytes = BatchSharedBytes<Shape>(batch, terms);
  if (plan->shared_bytes > most) return false;
  RETURN_IF_ERROR(
      AllowSharedBytes(kernel, plan->shared_bytes, "exact batches"));
  return true;
}

absl::StatusOr<BatchPlan> PlanBatches(int32_t batch, int32_t terms) {
  BatchPlan plan;
  ASSIGN_OR_RETURN(bool fits,
                   PlanWith<LargeBatchShape>(batch, terms, false, &plan));
  if (fits) return plan;
  ASSIGN_OR_RETURN(fits, PlanWith<SmallBatchShape>(batch, terms, true, &plan));
  if (fits) return plan;
  return absl::UnavailableError(
      absl::StrCat("exact batches: expected a GPU whose blocks have ",
                   plan.shared_bytes, " bytes of shared memory"));
}

}  // namespace

template <typename T>
absl::Status DeviceBatch::Allocate(int64_t count, T** pointer) {
  ASSIGN_OR_RETURN(auto memory, DeviceBuffer<unsigned char>::Allocate(
                                    count * static_cast<int64_t>(sizeof(T))));
  *pointer = reinterpret_cast<T*>(memory.data());
  memory_.push_back(std::move(memory));
  return absl::OkStatus();
}

absl::StatusOr<DeviceBatch> DeviceBatch::Create(const OnlineOptions& options,
                                                int32_t batch) {
  DeviceBatch made;
  made.options_ = options;
  ASSIGN_OR_RETURN(made.blocks_, NumMultiprocessors());
  ASSIGN_OR_RETURN(made.plan_, PlanBatches(batch, options.terms));

  BatchView& view = made.view_;
  view.above = SimilarityAbove(options.threshold);
  const double threshold = options.threshold.ToDouble();
  view.above_squared = threshold * threshold;
  view.expire_after = options.expire_after;
  view.batch = made.plan_.batch;
  const int64_t q = view.batch;
  RETURN_IF_ERROR(AllocateInto(1, made.control_));
  for (int32_t** pointer : {&view.decisions, &view.next, &view.made_from,
                            &view.listed, &view.version_counts, &view.heavy}) {
    RETURN_IF_ERROR(made.Allocate(q, pointer));
  }
  RETURN_IF_ERROR(made.Allocate(q * kListed, &view.listed_similarities));
  RETURN_IF_ERROR(made.Allocate(q * kListed, &view.listed_clusters));
  const int64_t slices = q * kMaxSlices;
  RETURN_IF_ERROR(made.Allocate(slices, &view.slice_above));
  RETURN_IF_ERROR(made.Allocate(slices, &view.slice_listed));
  RETURN_IF_ERROR(made.Allocate(slices * kListed, &view.slice_similarities));
  RETURN_IF_ERROR(made.Allocate(slices * kListed, &view.slice_clusters));
  const int64_t all = q * options.terms;
  RETURN_IF_ERROR(made.Allocate(all, &view.full_sums));
  RETURN_IF_ERROR(made.Allocate(all, &view.version_sums));
  RETURN_IF_ERROR(made.Allocate(all, &view.version_kept));
  RETURN_IF_ERROR(made.Allocate(all, &view.removals));
  RETURN_IF_ERROR(made.Allocate(all, &view.insertions));
  return made;
}

absl::Status DeviceBatch::Load(const UnitVectors& documents,
                               absl::Span<const int64_t> clocks, int64_t begin,
                               int64_t end) {
  RETURN_IF_ERROR(documents_.Load(documents, clocks, begin, end));
  const int64_t entries = documents_.num_entries();
  RETURN_IF_ERROR(MakeRoom(entries, entries_));
  RETURN_IF_ERROR(MakeRoom(documents_.size(), clusters_));
  PutSideBySide<<<blocks_, 1024>>>(documents_.terms.data(),
                                   documents_.weights.data(), entries_.data(),
                                   entries);
  return CudaLaunchStatus("copying documents");
}

void DeviceBatch::Unload() {
  documents_ = LoadedDocuments();
  entries_ = DeviceBuffer<KeptTerm>();
  clusters_ = DeviceBuffer<int32_t>();
}

BatchView DeviceBatch::view(DeviceClusters& clusters) {
  BatchView view = view_;
  view.offsets = documents_.offsets.data();
  view.terms = documents_.terms.data();
  view.weights = documents_.weights.data();
  view.entries = entries_.data();
  view.clocks = documents_.clocks.data();
  view.clusters = clusters_.data();
  view.num_documents = documents_.size();
  view.max_clusters = clusters.max_clusters();
  view.max_tail = clusters.max_tail();
  view.control = control_.data();
  view.lists = clusters.lists(&control_.data()->lists);
  return view;
}

absl::Status DeviceBatch::Run(DeviceClusters* clusters,
                              absl::Span<int32_t> numbers, int64_t* decided) {
  *decided = 0;
  const absl::Status status = Decide(clusters, decided);
  if (!status.ok() && !absl::IsResourceExhausted(status)) return status;
  RETURN_IF_ERROR(clusters_.CopyToHost(numbers.first(*decided)));
  return status;
}

absl::Status DeviceBatch::Decide(DeviceClusters* clusters, int64_t* decided) {
  const int64_t q = view_.batch;
  const int64_t count = documents_.size();
  // More than the kernel asks for, so that launches are few.
  const int64_t some = std::min(count, int64_t{1} << 16) + q;
  int64_t& done = *decided;
  RETURN_IF_ERROR(clusters->ReserveListChanges(2 * q * options_.terms));
  RETURN_IF_ERROR(ReserveSomeClusters(some, q, clusters));
  RETURN_IF_ERROR(clusters->ReserveTail(2 * q * options_.terms));
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
            plan_.kernel, dim3(blocks_), dim3(plan_.threads), arguments,
            static_cast<size_t>(plan_.shared_bytes), nullptr),
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
        RETURN_IF_ERROR(clusters->ReserveTail(2 * q * options_.terms));
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
  return absl::OkStatus();
}

}  // namespace warpclust
