// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "absl/status/status.h"
#include "graph/cosine_join_cuda.h"
#include "graph/cosine_verify_cuda.h"
#include "kernels/cuda_status.h"

namespace warpclust {
namespace {

constexpr unsigned kFullWarp = 0xffffffffu;
// Columns of a tile at most; a posting names one in 15 bits and a half.
constexpr int kMaxTile = 49152;
// Entries of a document whose list segments are in shared memory at a time.
constexpr int kChunk = 512;
// Postings that a warp takes at once.
constexpr int kUnit = 128;
// One in fixed point for kVerify.
constexpr double kOne = 65535.0;
// Documents longer than this take 32-bit accumulators in kVerify: the 16-bit
// ones lose up to one unit (2^-16) a term.
constexpr int kLongDocument = 1024;

struct JoinArguments {
  int32_t num_documents;
  const int64_t* offsets;
  const int32_t* terms;
  const double* squared_norms;
  const uint32_t* entry_places;
  // Of each entry / of each place in the lists: see PackKernel.
  const uint16_t* entry_weights;
  const uint32_t* postings;
  // For this tile, where its part of each list begins and ends.
  const uint32_t* tile_begin;
  const uint32_t* tile_end;
  int32_t first_column;
  int32_t num_columns;
  // Columns in the low halves of the accumulator words.
  int32_t half;
  CosineDecision decision;
  double largest_squared_norm;
  int32_t first_row;
  int32_t row_stride;
  int32_t num_rows;  // rows to visit: first_row + row_stride * k
  unsigned int* next_row;
  unsigned long long* num_pairs;
  int64_t capacity;
  int64_t* run_starts;
  int32_t* run_counts;
  int32_t* columns;
  float* cosines;
  int32_t* rows;  // kVerify only: i of each pair
};

struct Segments {
  uint32_t begin[kChunk];
  uint32_t length[kChunk];
  uint32_t weight[kChunk];
  uint32_t units[kChunk + 1];  // exclusive prefix sums of units
};

// Whether document `row` takes the 16-bit accumulators.
template <bool kVerify>
__device__ bool IsNarrow(const JoinArguments& a, int32_t row) {
  if (kVerify) return a.offsets[row + 1] - a.offsets[row] <= kLongDocument;
  // Cauchy-Schwarz: no dot product of `row` exceeds the product of norms.
  return a.squared_norms[row] * a.largest_squared_norm < kOne * kOne;
}

// kVerify: an accumulator below this cannot belong to a pair that reaches β.
// With x, y the cosine weights (row norms 1), s = 65535, m the shared terms:
// floor(s x) floor(s y) > s² x y − s (x + y), and Σ x, Σ y over m terms are at
// most sqrt(m) each. So the sum of products is above s² cos − 2 s sqrt(m), and
// dividing each by 2^16 and flooring (narrow) loses less than 1 a term more.
// m is at most the row's length. The last −2 covers rounding in x, y and here.
__device__ uint32_t CandidateThreshold(double beta, double length,
                                       bool narrow) {
  const double sum = beta * kOne * kOne - 2 * kOne * sqrt(length);
  const double threshold = narrow ? sum / 65536.0 - length - 2 : sum - kOne * 2;
  return threshold <= 0 ? 0u : static_cast<uint32_t>(threshold);
}

template <bool kVerify>
__device__ int32_t NextRow(const JoinArguments& a, bool narrow) {
  for (;;) {
    const unsigned int k = atomicAdd(a.next_row, 1u);
    if (k >= static_cast<unsigned int>(a.num_rows)) return -1;
    // The longest triangle rows first.
    const int32_t row =
        a.first_row + a.row_stride * (a.num_rows - 1 - static_cast<int>(k));
    if (row > a.first_column && a.offsets[row] < a.offsets[row + 1] &&
        IsNarrow<kVerify>(a, row) == narrow) {
      return row;
    }
  }
}

// Block-wide exclusive prefix sum of one value a thread into
// segments.units[0..count]; blockDim.x >= kChunk.
__device__ void ScanUnits(uint32_t units, Segments& segments,
                          uint32_t* warp_sums) {
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  uint32_t sum = units;
  for (int step = 1; step < 32; step *= 2) {
    const uint32_t left = __shfl_up_sync(kFullWarp, sum, step);
    if (lane >= step) sum += left;
  }
  if (warp < kChunk / 32 && lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  if (warp < kChunk / 32) {
    uint32_t before = 0;
    for (int w = 0; w < warp; ++w) before += warp_sums[w];
    segments.units[threadIdx.x + 1] = before + sum;
  }
  if (threadIdx.x == 0) segments.units[0] = 0;
  __syncthreads();
}

template <bool kVerify, bool kNarrow>
__device__ void Accumulate(const JoinArguments& a, const Segments& segments,
                           int count, uint32_t* accumulators) {
  const int lane = threadIdx.x & 31;
  const uint32_t total = segments.units[count];
  for (uint32_t unit = threadIdx.x >> 5; unit < total;
       unit += blockDim.x >> 5) {
    int low = 0;
    int high = count;  // units[low] <= unit < units[high]
    while (high - low > 1) {
      const int middle = (low + high) >> 1;
      if (segments.units[middle] <= unit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    const uint32_t length = segments.length[low];
    const uint32_t weight = segments.weight[low];
    const uint32_t* list = a.postings + segments.begin[low];
    const uint32_t first = (unit - segments.units[low]) * kUnit + lane;
    uint32_t posting[kUnit / 32];
#pragma unroll
    for (int k = 0; k < kUnit / 32; ++k) {
      const uint32_t at = first + 32 * k;
      posting[k] = at < length ? __ldg(list + at) : 0;
    }
#pragma unroll
    for (int k = 0; k < kUnit / 32; ++k) {
      if (first + 32 * k >= length) break;
      const uint32_t word = posting[k] & 0x7fff;
      uint32_t product = (posting[k] >> 16) * weight;
      if (kNarrow) {
        if (kVerify) product >>= 16;
        // Bit 15 tells the half of the word.
        atomicAdd(&accumulators[word], product << ((posting[k] >> 11) & 16));
      } else {
        const uint32_t upper = (posting[k] >> 15) & 1 ? a.half : 0;
        atomicAdd(&accumulators[word + upper], product);
      }
    }
  }
}

template <bool kNarrow>
__device__ uint32_t ReadColumn(const uint32_t* accumulators, int column,
                               int half) {
  if (!kNarrow) return accumulators[column];
  return column < half ? accumulators[column] & 0xffff
                       : accumulators[column - half] >> 16;
}

// kDot: decided. A float comparison first, weakened by 10^-5 where its own
// rounding errors are below 3·10^-7.
__device__ bool DotReaches(const JoinArguments& a, uint32_t dot, int column,
                           double row_norm, float row_threshold) {
  if (dot == 0) return false;
  const double norm = a.squared_norms[a.first_column + column];
  if (static_cast<float>(dot) <
      row_threshold * sqrtf(static_cast<float>(norm))) {
    return false;
  }
  return a.decision.Reaches(static_cast<double>(dot), row_norm, norm);
}

// Scans the accumulators, reserves a run and writes it, ascending.
template <bool kVerify, bool kNarrow>
__device__ void Emit(const JoinArguments& a, int32_t row, int columns,
                     const uint32_t* accumulators, uint32_t* masks,
                     uint32_t* warp_sums, int64_t* run_start) {
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int warps = blockDim.x >> 5;
  const int mask_words = (columns + 31) / 32;
  const int words_a_warp = (mask_words + warps - 1) / warps;
  const int first_word = min(warp * words_a_warp, mask_words);
  const int last_word = min(first_word + words_a_warp, mask_words);
  const double row_norm = a.squared_norms[row];
  const float row_threshold =
      static_cast<float>(a.decision.beta * sqrt(row_norm) * (1 - 1e-5));
  const uint32_t candidate = CandidateThreshold(
      a.decision.beta, static_cast<double>(a.offsets[row + 1] - a.offsets[row]),
      kNarrow);

  uint32_t passed = 0;
  for (int word = first_word; word < last_word; ++word) {
    const int column = word * 32 + lane;
    bool pass = false;
    if (column < columns) {
      const uint32_t sum = ReadColumn<kNarrow>(accumulators, column, a.half);
      pass = kVerify ? sum >= candidate
                     : DotReaches(a, sum, column, row_norm, row_threshold);
    }
    const uint32_t mask = __ballot_sync(kFullWarp, pass);
    if (lane == 0) masks[word] = mask;
    passed += __popc(mask);
  }
  if (lane == 0) warp_sums[warp] = passed;
  __syncthreads();
  uint32_t before = 0;
  uint32_t total = 0;
  for (int w = 0; w < warps; ++w) {
    if (w < warp) before += warp_sums[w];
    total += warp_sums[w];
  }
  if (threadIdx.x == 0) {
    const int64_t start = static_cast<int64_t>(
        atomicAdd(a.num_pairs, static_cast<unsigned long long>(total)));
    *run_start = start;
    if (a.run_starts != nullptr) {
      a.run_starts[row] = start;
      a.run_counts[row] = static_cast<int32_t>(total);
    }
  }
  __syncthreads();
  if (total == 0 || *run_start + total > a.capacity) return;
  int64_t at = *run_start + before;
  for (int word = first_word; word < last_word; ++word) {
    const uint32_t mask = masks[word];
    if (mask == 0) continue;
    if ((mask >> lane) & 1) {
      const int column = word * 32 + lane;
      const int64_t place = at + __popc(mask & ((1u << lane) - 1));
      a.columns[place] = a.first_column + column;
      if (kVerify) {
        a.rows[place] = row;
      } else {
        a.cosines[place] = CosineDecision::Cosine(
            static_cast<double>(
                ReadColumn<kNarrow>(accumulators, column, a.half)),
            row_norm, a.squared_norms[a.first_column + column]);
      }
    }
    at += __popc(mask);
  }
}

template <bool kVerify, bool kNarrow>
__global__ void __launch_bounds__(1024, kNarrow ? 2 : 1)
    JoinKernel(JoinArguments a) {
  extern __shared__ uint32_t accumulators[];
  __shared__ Segments segments;
  __shared__ uint32_t masks[kMaxTile / 32];
  __shared__ uint32_t warp_sums[32];
  __shared__ int64_t run_start;
  __shared__ int32_t shared_row;

  for (;;) {
    if (threadIdx.x == 0) shared_row = NextRow<kVerify>(a, kNarrow);
    __syncthreads();
    const int32_t row = shared_row;
    if (row < 0) return;
    const int columns = min(row - a.first_column, a.num_columns);
    const int words = kNarrow ? min(columns, a.half) : columns;
    for (int w = threadIdx.x; w < words; w += blockDim.x) accumulators[w] = 0;

    const int64_t row_end = a.offsets[row + 1];
    for (int64_t base = a.offsets[row]; base < row_end; base += kChunk) {
      const int64_t entry = base + threadIdx.x;
      uint32_t units = 0;
      if (threadIdx.x < kChunk && entry < row_end) {
        const int32_t term = a.terms[entry];
        const uint32_t begin = a.tile_begin[term];
        const uint32_t end = min(a.tile_end[term], a.entry_places[entry]);
        const uint32_t length = end > begin ? end - begin : 0;
        units = (length + kUnit - 1) / kUnit;
        segments.begin[threadIdx.x] = begin;
        segments.length[threadIdx.x] = length;
        segments.weight[threadIdx.x] = a.entry_weights[entry];
      }
      ScanUnits(units, segments, warp_sums);
      const int count =
          static_cast<int>(min(row_end - base, static_cast<int64_t>(kChunk)));
      Accumulate<kVerify, kNarrow>(a, segments, count, accumulators);
      __syncthreads();
    }
    __syncthreads();
    Emit<kVerify, kNarrow>(a, row, columns, accumulators, masks, warp_sums,
                           &run_start);
    __syncthreads();
  }
}

// Places of the postings of one list in tiles: PackKernel turns a place k of
// the term lists into (word : 15 bits, half : 1, weight : 16), and gives every
// entry of the matrix its weight in the same units: the integer weight (kDot)
// or the cosine weight in fixed point, rounded down (kVerify).
__global__ void PackKernel(int64_t num_entries, bool verify, int32_t tile,
                           int32_t half, const float* weights,
                           const double* squared_norms,
                           const uint32_t* list_documents,
                           const uint32_t* list_entries,
                           uint16_t* entry_weights, uint32_t* postings) {
  const int64_t k = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= num_entries) return;
  const uint32_t entry = list_entries[k];
  const uint32_t document = list_documents[k];
  uint32_t weight;
  if (verify) {
    const double cosine_weight =
        static_cast<double>(weights[entry]) / sqrt(squared_norms[document]);
    weight = min(65535u, static_cast<uint32_t>(cosine_weight * kOne));
  } else {
    weight = static_cast<uint32_t>(weights[entry]);
  }
  const uint32_t column = document % tile;
  const uint32_t upper = column >= static_cast<uint32_t>(half) ? 1 : 0;
  entry_weights[entry] = static_cast<uint16_t>(weight);
  postings[k] = (column - upper * half) | upper << 15 | weight << 16;
}

// Where documents >= first_document begin in each term list.
__global__ void TileBeginKernel(int32_t num_terms, uint32_t first_document,
                                const uint32_t* list_offsets,
                                const uint32_t* list_documents,
                                uint32_t* begin) {
  const int32_t term = blockIdx.x * blockDim.x + threadIdx.x;
  if (term >= num_terms) return;
  uint32_t low = list_offsets[term];
  uint32_t high = list_offsets[term + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (list_documents[middle] < first_document) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  begin[term] = low;
}

int Blocks(int64_t threads) { return static_cast<int>((threads + 255) / 256); }

// Everything that stays the same for all tiles of a join.
struct JoinPlan {
  bool verify = false;
  bool any_wide = false;
  bool any_narrow = false;
  int32_t tile = 0;
  int32_t half = 0;
  int32_t num_tiles = 0;
  int num_multiprocessors = 0;
  DeviceBuffer<uint16_t> entry_weights;
  DeviceBuffer<uint32_t> postings;
  DeviceBuffer<uint32_t> tile_begin;
  DeviceBuffer<uint32_t> tile_end;
  DeviceBuffer<unsigned long long> counters;  // pairs, next row
};

template <typename T>
absl::Status AllocateInto(int64_t count, DeviceBuffer<T>& buffer) {
  auto allocated = DeviceBuffer<T>::Allocate(count);
  if (!allocated.ok()) return allocated.status();
  buffer = *std::move(allocated);
  return absl::OkStatus();
}

absl::StatusOr<JoinPlan> MakePlan(const DeviceDocuments& documents,
                                  const CosineDecision& decision) {
  const DocumentStatistics& statistics = documents.statistics;
  JoinPlan plan;
  // Weights in 16 bits, dot products in 32.
  plan.verify = !(decision.integer && statistics.integer_weights &&
                  statistics.largest_weight < 65536.0f &&
                  statistics.largest_squared_norm < 4294967296.0);
  if (plan.verify) {
    plan.any_wide = statistics.longest_document > kLongDocument;
  } else {
    plan.any_wide =
        statistics.largest_squared_norm * statistics.largest_squared_norm >=
        kOne * kOne;
  }
  plan.any_narrow = true;
  const int32_t n = documents.num_documents;
  plan.tile = std::min(kMaxTile, (n + 63) / 64 * 64);
  plan.half = plan.tile / 2;
  plan.num_tiles = (n + plan.tile - 1) / plan.tile;
  absl::Status status =
      CudaStatus(cudaDeviceGetAttribute(&plan.num_multiprocessors,
                                        cudaDevAttrMultiProcessorCount, 0),
                 "multiprocessor count");
  if (status.ok()) {
    status = AllocateInto(documents.num_entries, plan.entry_weights);
  }
  if (status.ok()) status = AllocateInto(documents.num_entries, plan.postings);
  if (status.ok()) status = AllocateInto(documents.num_terms, plan.tile_begin);
  if (status.ok()) status = AllocateInto(documents.num_terms, plan.tile_end);
  if (status.ok()) status = AllocateInto(2, plan.counters);
  if (!status.ok()) return status;
  PackKernel<<<Blocks(documents.num_entries), 256>>>(
      documents.num_entries, plan.verify, plan.tile, plan.half,
      documents.weights.data(), documents.squared_norms.data(),
      documents.list_documents.data(), documents.list_entries.data(),
      plan.entry_weights.data(), plan.postings.data());
  status = CudaLaunchStatus("postings");
  if (!status.ok()) return status;
  return plan;
}

template <bool kVerify, bool kNarrow>
absl::Status LaunchJoin(const JoinPlan& plan, const JoinArguments& arguments) {
  absl::Status status = CudaStatus(
      cudaMemsetAsync(arguments.next_row, 0, sizeof(unsigned int)), "row");
  if (!status.ok()) return status;
  const int words = kNarrow ? plan.half : plan.tile;
  const int bytes = words * static_cast<int>(sizeof(uint32_t));
  // Few columns leave room for more blocks: make them smaller then.
  const int threads = bytes > 48 * 1024 ? 1024 : 512;
  status = CudaStatus(
      cudaFuncSetAttribute(JoinKernel<kVerify, kNarrow>,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
      "shared memory of the join");
  if (!status.ok()) return status;
  int blocks = 0;
  status =
      CudaStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &blocks, JoinKernel<kVerify, kNarrow>, threads, bytes),
                 "occupancy of the join");
  if (!status.ok()) return status;
  const int grid = std::min(arguments.num_rows,
                            std::max(blocks, 1) * plan.num_multiprocessors);
  JoinKernel<kVerify, kNarrow><<<grid, threads, bytes>>>(arguments);
  return CudaLaunchStatus("cosine join");
}

// One pass over all tiles and the rows first_row + row_stride * k. With
// capacity 0 it only counts.
absl::Status RunJoin(const DeviceDocuments& documents,
                     const CosineDecision& decision, JoinPlan& plan,
                     int32_t first_row, int32_t row_stride, int64_t capacity,
                     DevicePairs* pairs, int32_t* rows, int64_t* num_pairs) {
  const int32_t n = documents.num_documents;
  absl::Status status = CudaStatus(
      cudaMemsetAsync(plan.counters.data(), 0, 2 * sizeof(unsigned long long)),
      "pair counter");
  if (!status.ok()) return status;
  for (int32_t t = 0; t < plan.num_tiles; ++t) {
    const int32_t first_column = t * plan.tile;
    const int32_t num_columns = std::min(plan.tile, n - first_column);
    for (int end = 0; end < 2; ++end) {
      TileBeginKernel<<<Blocks(documents.num_terms), 256>>>(
          documents.num_terms, first_column + end * num_columns,
          documents.list_offsets.data(), documents.list_documents.data(),
          end == 0 ? plan.tile_begin.data() : plan.tile_end.data());
    }
    status = CudaLaunchStatus("tile bounds");
    if (!status.ok()) return status;
    JoinArguments a = {};
    a.num_documents = n;
    a.offsets = documents.offsets.data();
    a.terms = documents.terms.data();
    a.squared_norms = documents.squared_norms.data();
    a.entry_places = documents.entry_places.data();
    a.entry_weights = plan.entry_weights.data();
    a.postings = plan.postings.data();
    a.tile_begin = plan.tile_begin.data();
    a.tile_end = plan.tile_end.data();
    a.first_column = first_column;
    a.num_columns = num_columns;
    a.half = plan.half;
    a.decision = decision;
    a.largest_squared_norm = documents.statistics.largest_squared_norm;
    a.first_row = first_row;
    a.row_stride = row_stride;
    a.num_rows = (n - first_row + row_stride - 1) / row_stride;
    a.num_pairs = plan.counters.data();
    a.next_row = reinterpret_cast<unsigned int*>(plan.counters.data() + 1);
    a.capacity = capacity;
    if (pairs != nullptr) {
      a.run_starts = pairs->run_starts.data() + int64_t{t} * n;
      a.run_counts = pairs->run_counts.data() + int64_t{t} * n;
      a.columns = pairs->columns.data();
      a.cosines = pairs->cosines.data();
      a.rows = rows;
    }
    if (plan.any_wide) {
      status = plan.verify ? LaunchJoin<true, false>(plan, a)
                           : LaunchJoin<false, false>(plan, a);
      if (!status.ok()) return status;
    }
    status = plan.verify ? LaunchJoin<true, true>(plan, a)
                         : LaunchJoin<false, true>(plan, a);
    if (!status.ok()) return status;
  }
  unsigned long long count = 0;
  status = CudaStatus(cudaMemcpy(&count, plan.counters.data(), sizeof(count),
                                 cudaMemcpyDeviceToHost),
                      "cosine join");
  *num_pairs = static_cast<int64_t>(count);
  return status;
}

// Places to reserve for pairs: every pair where that is little, else what a
// sample of the rows lets expect and a quarter more.
absl::StatusOr<int64_t> ExpectedPairs(const DeviceDocuments& documents,
                                      const CosineDecision& decision,
                                      JoinPlan& plan) {
  const int64_t n = documents.num_documents;
  const int64_t all = n * (n - 1) / 2;
  if (all <= int64_t{1} << 28) return all;
  const int32_t stride = 199;
  int64_t sampled = 0;
  absl::Status status = RunJoin(documents, decision, plan, stride / 2, stride,
                                0, nullptr, nullptr, &sampled);
  if (!status.ok()) return status;
  return std::min(all, sampled * stride / 4 * 5 + (int64_t{1} << 20));
}

}  // namespace

absl::StatusOr<DevicePairs> JoinByCosine(const DeviceDocuments& documents,
                                         const CosineDecision& decision) {
  const int32_t n = documents.num_documents;
  DevicePairs pairs;
  pairs.num_documents = n;
  if (n < 2 || documents.num_entries == 0) return pairs;
  absl::StatusOr<JoinPlan> plan = MakePlan(documents, decision);
  if (!plan.ok()) return plan.status();
  pairs.num_tiles = plan->num_tiles;
  const int64_t runs = int64_t{plan->num_tiles} * n;
  absl::Status status = AllocateInto(runs, pairs.run_starts);
  if (status.ok()) status = AllocateInto(runs, pairs.run_counts);
  if (!status.ok()) return status;
  absl::StatusOr<int64_t> expected = ExpectedPairs(documents, decision, *plan);
  if (!expected.ok()) return expected.status();
  int64_t capacity = *expected;
  DeviceBuffer<int32_t> rows;
  // A sample that promised too little costs one more pass, of known size.
  for (;;) {
    status = CudaStatus(
        cudaMemsetAsync(pairs.run_counts.data(), 0, pairs.run_counts.bytes()),
        "runs");
    if (status.ok()) status = AllocateInto(capacity, pairs.columns);
    if (status.ok()) status = AllocateInto(capacity, pairs.cosines);
    if (status.ok() && plan->verify) status = AllocateInto(capacity, rows);
    if (status.ok()) {
      status = RunJoin(documents, decision, *plan, 0, 1, capacity, &pairs,
                       rows.data(), &pairs.num_pairs);
    }
    if (!status.ok()) return status;
    if (pairs.num_pairs <= capacity) break;
    capacity = pairs.num_pairs;
    pairs.columns = DeviceBuffer<int32_t>();
    pairs.cosines = DeviceBuffer<float>();
    rows = DeviceBuffer<int32_t>();
  }
  if (plan->verify) {
    status = VerifyPairs(documents, decision, pairs.num_pairs, rows.data(),
                         pairs.columns.data(), pairs.cosines.data());
    if (!status.ok()) return status;
  }
  return pairs;
}

}  // namespace warpclust
