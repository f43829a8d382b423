// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

// DocumentStatistics for atomics. Positive floats and doubles are ordered like
// their bit patterns.
struct StatisticsBits {
  unsigned long long largest_squared_norm;
  unsigned int largest_weight;
  int longest_document;
  int has_fraction;
};

// One warp per document from first_document on: the squared norm, summed in
// ascending term order as SquaredNorms() does, and the document of each entry
// unless entry_documents is null. The additions are serial, because their order
// is specified; the loads are not.
__global__ void NormsKernel(int32_t first_document, int32_t num_documents,
                            const int64_t* offsets, const float* weights,
                            double* squared_norms, uint32_t* entry_documents,
                            StatisticsBits* bits) {
  const int lane = threadIdx.x & 31;
  const int32_t row = RowOfWarp();
  if (row >= num_documents) return;
  const int32_t document = first_document + row;
  const int64_t begin = offsets[document];
  const int64_t end = offsets[document + 1];
  double sum = 0;
  float largest = 0;
  bool fraction = false;
  for (int64_t base = begin; base < end; base += 32) {
    const int64_t e = base + lane;
    const float weight = e < end ? weights[e] : 0.0f;
    if (e < end && entry_documents != nullptr) entry_documents[e] = document;
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

// terms[e] = min(terms[e], most) for e in [begin, end).
__global__ void BoundTermsKernel(int64_t begin, int64_t end, int32_t most,
                                 int32_t* terms) {
  const int64_t e = begin + int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (e < end) terms[e] = min(terms[e], most);
}

// Where the list of each term begins, and the end. One search per term, as few
// documents leave long gaps between their terms.
__global__ void ListOffsetsKernel(uint32_t num_listed, int32_t num_terms,
                                  const uint32_t* sorted_terms,
                                  uint32_t* list_offsets) {
  const int64_t term = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (term > num_terms) return;
  list_offsets[term] = LowerBound(sorted_terms, uint32_t{0}, num_listed,
                                  static_cast<uint32_t>(term));
}

// After the sort by term: the documents of the lists, and the inverse
// permutation if entry_places is not null.
__global__ void ListsKernel(int64_t num_listed, const uint32_t* list_entries,
                            const uint32_t* entry_documents,
                            uint32_t* list_documents, uint32_t* entry_places) {
  const int64_t k = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (k >= num_listed) return;
  const uint32_t entry = list_entries[k];
  list_documents[k] = entry_documents[entry];
  if (entry_places != nullptr) entry_places[entry] = static_cast<uint32_t>(k);
}

// Of the documents from `first` on. Adds to the statistics.
absl::Status ComputeNorms(int32_t first, DeviceDocuments& docs,
                          uint32_t* entry_documents) {
  ASSIGN_OR_RETURN(DeviceBuffer<StatisticsBits> bits,
                   DeviceBuffer<StatisticsBits>::Allocate(1));
  StatisticsBits host = {};
  RETURN_IF_ERROR(bits.CopyFromHost(absl::MakeConstSpan(&host, 1)));
  const int32_t count = docs.num_documents - first;
  NormsKernel<<<WarpBlocks(count), kThreads>>>(
      first, count, docs.offsets.data(), docs.weights.data(),
      docs.squared_norms.data(), entry_documents, bits.data());
  RETURN_IF_ERROR(CudaLaunchStatus("squared norms"));
  RETURN_IF_ERROR(bits.CopyToHost(absl::MakeSpan(&host, 1)));
  double largest_squared_norm;
  float largest_weight;
  static_assert(sizeof(double) == sizeof(host.largest_squared_norm));
  std::memcpy(&largest_squared_norm, &host.largest_squared_norm, 8);
  std::memcpy(&largest_weight, &host.largest_weight, 4);
  DocumentStatistics& all = docs.statistics;
  all.largest_squared_norm =
      std::max(all.largest_squared_norm, largest_squared_norm);
  all.largest_weight = std::max(all.largest_weight, largest_weight);
  all.longest_document = std::max(all.longest_document, host.longest_document);
  all.integer_weights =
      (first == 0 || all.integer_weights) && host.has_fraction == 0;
  return absl::OkStatus();
}

absl::Status BuildTermLists(DeviceDocuments& docs,
                            const DeviceBuffer<uint32_t>& entry_documents) {
  const int64_t count = docs.num_listed_entries;
  if (count == 0) return docs.list_offsets.FillBytes(0);
  DeviceBuffer<uint32_t> entries;
  DeviceBuffer<uint32_t> sorted_terms;
  RETURN_IF_ERROR(AllocateInto(count, entries));
  RETURN_IF_ERROR(AllocateInto(count, sorted_terms));
  RETURN_IF_ERROR(WriteNumbers(entries.data(), count, nullptr));
  // A stable sort of entries by term leaves each list ascending by document.
  TemporaryStorage storage;
  RETURN_IF_ERROR(
      SortPairs(reinterpret_cast<const uint32_t*>(docs.terms.data()),
                sorted_terms.data(), entries.data(), docs.list_entries.data(),
                count, 0, SignificantBits(docs.num_terms), storage, nullptr));
  const int64_t offsets = int64_t{docs.num_terms} + 1;
  ListOffsetsKernel<<<BlocksFor(offsets, kThreads), kThreads>>>(
      static_cast<uint32_t>(count), docs.num_terms, sorted_terms.data(),
      docs.list_offsets.data());
  RETURN_IF_ERROR(CudaLaunchStatus("offsets of term lists"));
  ListsKernel<<<BlocksFor(count, kThreads), kThreads>>>(
      count, docs.list_entries.data(), entry_documents.data(),
      docs.list_documents.data(), docs.entry_places.data());
  return CudaLaunchStatus("term lists");
}

// Copies `range` to `docs` from first_document and first_entry on.
absl::Status UploadRange(const DocumentRange& range, int32_t first_document,
                         int64_t first_entry, DeviceDocuments& docs) {
  const DocumentMatrix& documents = *range.documents;
  const int64_t begin = documents.offsets[range.begin];
  const int64_t count = range.num_entries();
  // The first offset repeats the last one of the range before.
  const absl::Span<const int64_t> offsets =
      absl::MakeConstSpan(documents.offsets)
          .subspan(range.begin, int64_t{range.num_documents()} + 1);
  if (begin == first_entry) {
    RETURN_IF_ERROR(docs.offsets.CopyFromHost(offsets, first_document));
  } else {
    std::vector<int64_t> moved(offsets.begin(), offsets.end());
    for (int64_t& offset : moved) offset += first_entry - begin;
    RETURN_IF_ERROR(docs.offsets.CopyFromHost(moved, first_document));
  }
  RETURN_IF_ERROR(docs.terms.CopyFromHost(
      absl::MakeConstSpan(documents.terms).subspan(begin, count), first_entry));
  return docs.weights.CopyFromHost(
      absl::MakeConstSpan(documents.weights).subspan(begin, count),
      first_entry);
}

// Makes all terms that `listed` does not have one term.
absl::Status BoundTerms(DeviceDocuments& docs) {
  const int64_t count = docs.num_entries - docs.num_listed_entries;
  if (count == 0) return absl::OkStatus();
  BoundTermsKernel<<<BlocksFor(count, kThreads), kThreads>>>(
      docs.num_listed_entries, docs.num_entries, docs.num_terms - 1,
      docs.terms.data());
  return CudaLaunchStatus("terms in no list");
}

absl::Status CheckSize(int64_t num_documents, int64_t num_entries) {
  // Numbers of documents are rounded up, and loops run, in 32 bits.
  if (num_entries < int64_t{1} << 31 &&
      num_documents < (int64_t{1} << 31) - (1 << 16)) {
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("the cosine join on the GPU: expected fewer than 2^31 "
                   "documents and entries, found ",
                   num_documents, " and ", num_entries));
}

// `check`: see UploadListed.
absl::StatusOr<DeviceDocuments> Upload(
    const DocumentRange& listed, const DocumentRange& others,
    const std::function<absl::Status()>& check) {
  const int64_t n = int64_t{listed.num_documents()} + others.num_documents();
  const int64_t count = listed.num_entries() + others.num_entries();
  RETURN_IF_ERROR(CheckSize(n, count));
  DeviceDocuments docs;
  docs.num_documents = static_cast<int32_t>(n);
  docs.num_listed = listed.num_documents();
  docs.num_listed_entries = listed.num_entries();
  docs.num_entries = count;
  const bool unknown_terms =
      others.documents->num_terms > listed.documents->num_terms;
  docs.num_terms = listed.documents->num_terms + (unknown_terms ? 1 : 0);
  const bool all = docs.num_listed == docs.num_documents;
  DeviceBuffer<uint32_t> entry_documents;
  RETURN_IF_ERROR(AllocateInto(n + 1, docs.offsets));
  RETURN_IF_ERROR(AllocateInto(count, docs.terms));
  RETURN_IF_ERROR(AllocateInto(count, docs.weights));
  RETURN_IF_ERROR(AllocateInto(n, docs.squared_norms));
  RETURN_IF_ERROR(AllocateInto(int64_t{docs.num_terms} + 1, docs.list_offsets));
  RETURN_IF_ERROR(AllocateInto(docs.num_listed_entries, docs.list_documents));
  RETURN_IF_ERROR(AllocateInto(docs.num_listed_entries, docs.list_entries));
  RETURN_IF_ERROR(AllocateInto(all ? count : 0, docs.entry_places));
  RETURN_IF_ERROR(AllocateInto(count, entry_documents));
  {
    // What sorting takes later. From then on the pool has it, whatever other
    // threads, which `check` may start, allocate at the time.
    DeviceBuffer<uint32_t> sorting;
    AllocateInto(4 * docs.num_listed_entries, sorting).IgnoreError();
  }
  Stopwatch stopwatch;
  RETURN_IF_ERROR(UploadRange(listed, 0, 0, docs));
  RETURN_IF_ERROR(
      UploadRange(others, docs.num_listed, docs.num_listed_entries, docs));
  stopwatch.Lap("copy documents");
  RETURN_IF_ERROR(check());
  stopwatch.Lap("wait for validation");
  if (count == 0) {
    docs.statistics.integer_weights = true;
    return docs;
  }
  if (unknown_terms) RETURN_IF_ERROR(BoundTerms(docs));
  RETURN_IF_ERROR(ComputeNorms(0, docs, entry_documents.data()));
  RETURN_IF_ERROR(BuildTermLists(docs, entry_documents));
  return docs;
}

absl::StatusOr<DeviceDocuments> UploadAndName(
    const DocumentRange& listed, const DocumentRange& others,
    const std::function<absl::Status()>& check) {
  Stopwatch stopwatch;
  absl::StatusOr<DeviceDocuments> documents = Upload(listed, others, check);
  stopwatch.Lap("upload");
  if (documents.ok()) return documents;
  return NameWhatDidNotFit(
      documents.status(),
      absl::StrCat(listed.num_documents() + int64_t{others.num_documents()},
                   " documents of ",
                   listed.num_entries() + others.num_entries(),
                   " terms in all on the GPU"));
}

// Drops the others of `docs` and makes room for these.
absl::Status MakeRoomForOthers(int64_t num_others, int64_t num_entries,
                               DeviceDocuments& docs) {
  const int64_t n = docs.num_listed + num_others;
  const int64_t count = docs.num_listed_entries + num_entries;
  RETURN_IF_ERROR(CheckSize(n, count));
  docs.num_documents = docs.num_listed;
  docs.num_entries = docs.num_listed_entries;
  RETURN_IF_ERROR(
      ReserveInto(n + 1, docs.offsets, int64_t{docs.num_listed} + 1));
  RETURN_IF_ERROR(ReserveInto(n, docs.squared_norms, docs.num_listed));
  RETURN_IF_ERROR(ReserveInto(count, docs.terms, docs.num_listed_entries));
  return ReserveInto(count, docs.weights, docs.num_listed_entries);
}

// Once the arrays have the others.
absl::Status AddOthers(int64_t num_others, int64_t num_entries,
                       DeviceDocuments& docs) {
  docs.num_documents = static_cast<int32_t>(docs.num_listed + num_others);
  docs.num_entries = docs.num_listed_entries + num_entries;
  if (num_others == 0) return absl::OkStatus();
  RETURN_IF_ERROR(BoundTerms(docs));
  return ComputeNorms(docs.num_listed, docs, nullptr);
}

absl::Status Replace(const DocumentRange& others, DeviceDocuments& docs) {
  RETURN_IF_ERROR(
      MakeRoomForOthers(others.num_documents(), others.num_entries(), docs));
  RETURN_IF_ERROR(
      UploadRange(others, docs.num_listed, docs.num_listed_entries, docs));
  return AddOthers(others.num_documents(), others.num_entries(), docs);
}

// words[0] is the number of documents; their lengths follow.
__global__ void PackLengthsKernel(const int64_t* offsets, int32_t num_documents,
                                  uint32_t* words) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i == 0) words[0] = static_cast<uint32_t>(num_documents);
  if (i < num_documents) {
    words[1 + i] = static_cast<uint32_t>(offsets[i + 1] - offsets[i]);
  }
}

__global__ void ShiftKernel(int64_t count, int64_t shift, int64_t* values) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) values[i] += shift;
}

absl::Status ReplacePacked(const uint32_t* words, int64_t num_words,
                           int32_t num_documents, DeviceDocuments& docs) {
  const int64_t num_entries = (num_words - 1 - num_documents) / 2;
  RETURN_IF_ERROR(MakeRoomForOthers(num_documents, num_entries, docs));
  int64_t* const offsets = docs.offsets.data() + docs.num_listed;
  TemporaryStorage storage;
  RETURN_IF_ERROR(OffsetsFromCounts(reinterpret_cast<const int32_t*>(words + 1),
                                    offsets, num_documents, storage, nullptr));
  const int64_t num_offsets = int64_t{num_documents} + 1;
  ShiftKernel<<<BlocksFor(num_offsets, kThreads), kThreads>>>(
      num_offsets, docs.num_listed_entries, offsets);
  RETURN_IF_ERROR(CudaLaunchStatus("offsets of packed documents"));
  const uint32_t* const terms = words + 1 + num_documents;
  RETURN_IF_ERROR(internal::CopyWithinDevice(
      terms, docs.terms.data() + docs.num_listed_entries, 4 * num_entries));
  RETURN_IF_ERROR(internal::CopyWithinDevice(
      terms + num_entries, docs.weights.data() + docs.num_listed_entries,
      4 * num_entries));
  return AddOthers(num_documents, num_entries, docs);
}

}  // namespace

absl::StatusOr<DeviceDocuments> UploadDocuments(
    const DocumentMatrix& documents) {
  const int32_t n = documents.num_documents();
  return UploadDocuments({&documents, 0, n}, {&documents, n, n});
}

absl::StatusOr<DeviceDocuments> UploadListed(
    const DocumentMatrix& listed, const std::function<absl::Status()>& check) {
  DocumentMatrix none;
  // So that there is a term for those that no listed document has.
  none.num_terms = listed.num_terms + 1;
  return UploadAndName({&listed, 0, listed.num_documents()}, {&none, 0, 0},
                       check);
}

absl::Status ReplaceOthers(const DocumentRange& others, DeviceDocuments* docs) {
  return NameWhatDidNotFit(
      Replace(others, *docs),
      absl::StrCat(others.num_documents(), " documents beside ",
                   docs->num_listed, " on the GPU"));
}

absl::Status PackDocuments(const DeviceDocuments& docs, int32_t begin,
                           int32_t end, int64_t first_entry,
                           int64_t num_entries, uint32_t* words) {
  const int32_t count = end - begin;
  PackLengthsKernel<<<BlocksFor(int64_t{count} + 1, kThreads), kThreads>>>(
      docs.offsets.data() + begin, count, words);
  RETURN_IF_ERROR(CudaLaunchStatus("lengths of packed documents"));
  uint32_t* const terms = words + 1 + count;
  RETURN_IF_ERROR(internal::CopyWithinDevice(docs.terms.data() + first_entry,
                                             terms, 4 * num_entries));
  return internal::CopyWithinDevice(docs.weights.data() + first_entry,
                                    terms + num_entries, 4 * num_entries);
}

absl::Status ReplaceOthersByPacked(const uint32_t* words, int64_t num_words,
                                   int32_t num_documents,
                                   DeviceDocuments* docs) {
  return NameWhatDidNotFit(
      ReplacePacked(words, num_words, num_documents, *docs),
      absl::StrCat(num_documents, " documents beside ", docs->num_listed,
                   " on the GPU"));
}

absl::StatusOr<DeviceDocuments> UploadDocuments(const DocumentRange& listed,
                                                const DocumentRange& others) {
  return UploadAndName(listed, others, [] { return absl::OkStatus(); });
}

}  // namespace warpclust
