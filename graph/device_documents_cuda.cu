// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstring>

#include "absl/status/status.h"
#include "graph/device_documents_cuda.h"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr unsigned kFullWarp = 0xffffffffu;

// Mirror of DocumentStatistics that atomics can reach. Positive floats and
// doubles order as their bit patterns do.
struct StatisticsBits {
  unsigned long long largest_squared_norm;
  unsigned int largest_weight;
  int longest_document;
  int has_fraction;
};

// A warp a document: squared norm summed in ascending term order, as
// SquaredNorms() does, and the document of each entry. The additions are
// serial (the order is the contract), the loads are not.
__global__ void NormsKernel(int32_t num_documents, const int64_t* offsets,
                            const float* weights, double* squared_norms,
                            uint32_t* entry_documents, StatisticsBits* bits) {
  const int lane = threadIdx.x & 31;
  const int32_t document =
      static_cast<int32_t>((int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32);
  if (document >= num_documents) return;
  const int64_t begin = offsets[document];
  const int64_t end = offsets[document + 1];
  double sum = 0;
  float largest = 0;
  bool fraction = false;
  for (int64_t base = begin; base < end; base += 32) {
    const int64_t e = base + lane;
    const float weight = e < end ? weights[e] : 0.0f;
    if (e < end) entry_documents[e] = document;
    largest = fmaxf(largest, weight);
    fraction |= weight != truncf(weight) || weight >= 16777216.0f;
    const double square = static_cast<double>(weight) * weight;
    const int count = static_cast<int>(min(end - base, int64_t{32}));
    for (int k = 0; k < count; ++k) {
      sum += __shfl_sync(kFullWarp, square, k);
    }
  }
  fraction |= sum >= 9007199254740992.0;
  for (int step = 16; step > 0; step /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(kFullWarp, largest, step));
  }
  const bool any_fraction = __any_sync(kFullWarp, fraction);
  if (lane != 0) return;
  squared_norms[document] = sum;
  atomicMax(&bits->largest_squared_norm,
            static_cast<unsigned long long>(__double_as_longlong(sum)));
  atomicMax(&bits->largest_weight, __float_as_uint(largest));
  atomicMax(&bits->longest_document, static_cast<int>(end - begin));
  if (any_fraction) bits->has_fraction = 1;
}

__global__ void IotaKernel(int64_t count, uint32_t* values) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) values[i] = static_cast<uint32_t>(i);
}

// After the sort by term: list offsets where the term changes, the documents
// of the lists, and the inverse permutation.
__global__ void ListsKernel(int64_t num_entries, int32_t num_terms,
                            const uint32_t* sorted_terms,
                            const uint32_t* list_entries,
                            const uint32_t* entry_documents,
                            uint32_t* list_offsets, uint32_t* list_documents,
                            uint32_t* entry_places) {
  const int64_t k = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (k >= num_entries) return;
  const int64_t term = sorted_terms[k];
  const int64_t previous = k == 0 ? -1 : int64_t{sorted_terms[k - 1]};
  for (int64_t t = previous + 1; t <= term; ++t) {
    list_offsets[t] = static_cast<uint32_t>(k);
  }
  if (k == num_entries - 1) {
    for (int64_t t = term + 1; t <= num_terms; ++t) {
      list_offsets[t] = static_cast<uint32_t>(num_entries);
    }
  }
  const uint32_t entry = list_entries[k];
  list_documents[k] = entry_documents[entry];
  entry_places[entry] = static_cast<uint32_t>(k);
}

int Blocks(int64_t threads) {
  return static_cast<int>((threads + kThreads - 1) / kThreads);
}

absl::Status ComputeNorms(DeviceDocuments& docs,
                          DeviceBuffer<uint32_t>& entry_documents) {
  auto bits = DeviceBuffer<StatisticsBits>::Allocate(1);
  if (!bits.ok()) return bits.status();
  StatisticsBits host = {};
  absl::Status status = bits->CopyFromHost(absl::MakeConstSpan(&host, 1));
  if (!status.ok()) return status;
  NormsKernel<<<Blocks(int64_t{docs.num_documents} * 32), kThreads>>>(
      docs.num_documents, docs.offsets.data(), docs.weights.data(),
      docs.squared_norms.data(), entry_documents.data(), bits->data());
  status = CudaLaunchStatus("squared norms");
  if (!status.ok()) return status;
  status = bits->CopyToHost(absl::MakeSpan(&host, 1));
  if (!status.ok()) return status;
  static_assert(sizeof(double) == sizeof(host.largest_squared_norm));
  std::memcpy(&docs.statistics.largest_squared_norm, &host.largest_squared_norm,
              8);
  std::memcpy(&docs.statistics.largest_weight, &host.largest_weight, 4);
  docs.statistics.longest_document = host.longest_document;
  docs.statistics.integer_weights = host.has_fraction == 0;
  return absl::OkStatus();
}

absl::Status BuildTermLists(DeviceDocuments& docs,
                            const DeviceBuffer<uint32_t>& entry_documents) {
  const int64_t count = docs.num_entries;
  auto entries = DeviceBuffer<uint32_t>::Allocate(count);
  if (!entries.ok()) return entries.status();
  auto sorted_terms = DeviceBuffer<uint32_t>::Allocate(count);
  if (!sorted_terms.ok()) return sorted_terms.status();
  IotaKernel<<<Blocks(count), kThreads>>>(count, entries->data());
  absl::Status status = CudaLaunchStatus("entry numbers");
  if (!status.ok()) return status;
  // A stable sort of entries by term leaves each list ascending by document.
  TemporaryStorage storage;
  status =
      SortPairs(reinterpret_cast<const uint32_t*>(docs.terms.data()),
                sorted_terms->data(), entries->data(), docs.list_entries.data(),
                count, 0, SignificantBits(docs.num_terms), storage, nullptr);
  if (!status.ok()) return status;
  ListsKernel<<<Blocks(count), kThreads>>>(
      count, docs.num_terms, sorted_terms->data(), docs.list_entries.data(),
      entry_documents.data(), docs.list_offsets.data(),
      docs.list_documents.data(), docs.entry_places.data());
  return CudaLaunchStatus("term lists");
}

template <typename T>
absl::Status Upload(absl::Span<const T> host, DeviceBuffer<T>& buffer) {
  absl::Status status = AllocateInto(static_cast<int64_t>(host.size()), buffer);
  if (!status.ok()) return status;
  return buffer.CopyFromHost(host);
}

}  // namespace

absl::StatusOr<DeviceDocuments> UploadDocuments(
    const DocumentMatrix& documents) {
  if (documents.num_entries() >= int64_t{1} << 31) {
    return absl::ResourceExhaustedError(
        "the CUDA cosine graph takes fewer than 2^31 document entries");
  }
  DeviceDocuments docs;
  docs.num_documents = documents.num_documents();
  docs.num_terms = documents.num_terms;
  docs.num_entries = documents.num_entries();
  const int64_t count = docs.num_entries;
  DeviceBuffer<uint32_t> entry_documents;
  absl::Status status = Upload<int64_t>(documents.offsets, docs.offsets);
  if (status.ok()) status = Upload<int32_t>(documents.terms, docs.terms);
  if (status.ok()) status = Upload<float>(documents.weights, docs.weights);
  if (status.ok()) {
    status = AllocateInto(docs.num_documents, docs.squared_norms);
  }
  if (status.ok()) {
    status = AllocateInto(int64_t{docs.num_terms} + 1, docs.list_offsets);
  }
  if (status.ok()) status = AllocateInto(count, docs.list_documents);
  if (status.ok()) status = AllocateInto(count, docs.list_entries);
  if (status.ok()) status = AllocateInto(count, docs.entry_places);
  if (status.ok()) status = AllocateInto(count, entry_documents);
  if (!status.ok()) return status;
  if (count == 0) {
    docs.statistics.integer_weights = true;
    return docs;
  }
  status = ComputeNorms(docs, entry_documents);
  if (status.ok()) status = BuildTermLists(docs, entry_documents);
  if (!status.ok()) return status;
  return docs;
}

}  // namespace warpclust
