// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_dense_block_cuda.h"
#include "graph/cosine/cuda/cosine_join_kernel_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"

namespace warpclust {
namespace {

// Entries of a document whose list segments are in shared memory together.
constexpr int kChunk = 512;
// Postings that a warp takes together.
constexpr int kUnit = 128;

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
  return a.squared_norms[row] * a.largest_squared_norm < kFixedOne * kFixedOne;
}

// `verify`: an accumulator below this belongs to no pair that reaches β.
// Let x, y be the cosine weights (row norms 1), s = 65535, and m the number of
// shared terms. Then floor(s x) floor(s y) > s² x y - s (x + y), and Σ x, Σ y
// over m terms are at most sqrt(m) each. So the sum of products is above s² cos
// - 2 s sqrt(m), and dividing each by 2^16 and flooring (narrow) loses less
// than 1 more per term. m is at most the row's length. The dense panel has at
// least (1 - kDenseLoss) of its terms' sum. The last -2 covers the panel's own
// flooring and the roundings in x, y and here.
__device__ uint32_t CandidateThreshold(double beta, double length,
                                       bool narrow) {
  const double part = narrow ? beta * (1 - kDenseLoss) : beta;
  const double sum =
      part * kFixedOne * kFixedOne - 2 * kFixedOne * sqrt(length);
  const double threshold =
      narrow ? sum / 65536.0 - length - 2 : sum - kFixedOne * 2;
  return threshold <= 0 ? 0u : static_cast<uint32_t>(threshold);
}

template <bool kVerify>
__device__ int32_t NextRow(const JoinArguments& a, bool narrow) {
  for (;;) {
    const unsigned int k = atomicAdd(a.next_row, 1u);
    if (k >= static_cast<unsigned int>(a.num_rows)) return -1;
    // The rows with the most columns first.
    const int32_t row =
        a.first_row + a.row_stride * (a.num_rows - 1 - static_cast<int>(k));
    if (row > a.first_column && a.offsets[row] < a.offsets[row + 1] &&
        IsNarrow<kVerify>(a, row) == narrow) {
      return row;
    }
  }
}

// Block-wide exclusive prefix sum of one value per thread into
// segments.units[0..count]. Requires blockDim.x >= kChunk.
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
      const uint32_t column = posting[k] & 0xffff;
      uint32_t product = (posting[k] >> 16) * weight;
      if (kNarrow) {
        if (kVerify) product >>= 16;
        atomicAdd(&accumulators[column >> 1], product << ((column & 1) * 16));
      } else {
        atomicAdd(&accumulators[column], product);
      }
    }
  }
}

template <bool kNarrow>
__device__ uint32_t ReadColumn(const uint32_t* accumulators, int column) {
  if (!kNarrow) return accumulators[column];
  return reinterpret_cast<const uint16_t*>(accumulators)[column];
}

// Zeros, or the row's start values from the dense panel.
template <bool kNarrow>
__device__ void Start(const JoinArguments& a, int32_t row, int columns,
                      uint32_t* accumulators) {
  const int columns_a_vector = kNarrow ? 8 : 4;
  const int vectors = (columns + columns_a_vector - 1) / columns_a_vector;
  uint4* to = reinterpret_cast<uint4*>(accumulators);
  if (kNarrow && a.panel != nullptr) {
    const uint4* from = reinterpret_cast<const uint4*>(
        a.panel + (row - a.panel_first_row) * a.panel_stride);
    for (int v = threadIdx.x; v < vectors; v += blockDim.x) {
      to[v] = __ldcs(from + v);
    }
  } else {
    for (int v = threadIdx.x; v < vectors; v += blockDim.x) {
      to[v] = make_uint4(0, 0, 0, 0);
    }
  }
}

// `dot`: the decision. First a comparison of floats, weakened by 10^-5; its own
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

// Scans the accumulators, reserves a run and writes it in ascending order.
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
      const uint32_t sum = ReadColumn<kNarrow>(accumulators, column);
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
      a.run_starts[row - a.first_run_row] = start;
      a.run_counts[row - a.first_run_row] = static_cast<int32_t>(total);
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
            static_cast<double>(ReadColumn<kNarrow>(accumulators, column)),
            row_norm, a.squared_norms[a.first_column + column]);
      }
    }
    at += __popc(mask);
  }
}

template <bool kVerify, bool kNarrow>
__global__ void __launch_bounds__(1024, kNarrow ? 2 : 1)
    JoinKernel(JoinArguments a) {
  extern __shared__ uint4 vectors[];
  uint32_t* accumulators = reinterpret_cast<uint32_t*>(vectors);
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
    Start<kNarrow>(a, row, columns, accumulators);

    const int64_t row_end = a.offsets[row + 1];
    for (int64_t base = a.offsets[row]; base < row_end; base += kChunk) {
      const int64_t entry = base + threadIdx.x;
      uint32_t units = 0;
      if (threadIdx.x < kChunk && entry < row_end) {
        const int32_t term = a.terms[entry];
        const uint32_t begin = a.tile_begin[term];
        uint32_t end = a.tile_end[term];
        if (a.entry_places != nullptr) end = min(end, a.entry_places[entry]);
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

template <bool kVerify, bool kNarrow>
absl::Status Launch(int tile, const JoinArguments& arguments) {
  const auto kernel = JoinKernel<kVerify, kNarrow>;
  const int bytes = tile * (kNarrow ? 2 : 4);
  // Few columns leave room for more, smaller blocks.
  const int threads = bytes > 48 * 1024 ? 1024 : 512;
  RETURN_IF_ERROR(CudaStatus(
      cudaMemsetAsync(arguments.next_row, 0, sizeof(unsigned int)), "rows"));
  RETURN_IF_ERROR(AllowSharedBytes(kernel, bytes, "shared memory of the join"));
  int blocks = 0;
  RETURN_IF_ERROR(CudaStatus(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                 &blocks, kernel, threads, bytes),
                             "occupancy of the join"));
  ASSIGN_OR_RETURN(const int multiprocessors, NumMultiprocessors());
  const int grid =
      std::min(arguments.num_rows, std::max(blocks, 1) * multiprocessors);
  kernel<<<grid, threads, bytes>>>(arguments);
  return CudaLaunchStatus("cosine join");
}

}  // namespace

absl::StatusOr<int> LargestTile(bool wide) {
  // Its variants have the same shared memory of their own.
  ASSIGN_OR_RETURN(const int shared, MostSharedBytes(JoinKernel<true, false>));
  const int columns = shared / (wide ? 4 : 2) / 128 * 128;
  return std::clamp(columns, 128, kMaxTile);
}

absl::Status LaunchJoin(bool verify, bool narrow, int tile,
                        const JoinArguments& arguments) {
  if (arguments.num_rows <= 0) return absl::OkStatus();
  if (verify) {
    return narrow ? Launch<true, true>(tile, arguments)
                  : Launch<true, false>(tile, arguments);
  }
  return narrow ? Launch<false, true>(tile, arguments)
                : Launch<false, false>(tile, arguments);
}

}  // namespace warpclust
