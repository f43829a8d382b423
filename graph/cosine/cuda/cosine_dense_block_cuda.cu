// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_dense_block_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

// The product: kTile x kTile pairs per thread block, kDepth terms per stage,
// three stages in flight.
constexpr int kTile = 128;
constexpr int kDepth = 64;
constexpr int kStages = 3;
constexpr int kStageHalves = 2 * kTile * kDepth;
// A row of the product staged in shared memory, padded against bank conflicts.
constexpr int kOutRow = kTile + 8;
// The pairs of 4096 documents.
constexpr int64_t kFewestPairs = int64_t{4096} * 4095 / 2;

__global__ void LargestWeightKernel(int32_t num_documents,
                                    const int64_t* offsets,
                                    const int32_t* terms, const float* weights,
                                    unsigned int* largest) {
  const int32_t document = RowOfWarp();
  if (document >= num_documents) return;
  const int64_t end = offsets[document + 1];
  for (int64_t e = offsets[document] + (threadIdx.x & 31); e < end; e += 32) {
    // Positive floats are ordered like their bits.
    if (weights[e] > kDenseWeight) {
      atomicMax(&largest[terms[e]], __float_as_uint(weights[e]));
    }
  }
}

// Numbers the terms that at least `document_frequency` listed documents have,
// in the order of the atomics. Only sums over all these terms are used, and
// they are exact or one-sided in any order.
__global__ void NumberTermsKernel(int32_t num_terms,
                                  const uint32_t* list_offsets,
                                  const unsigned int* largest_weights,
                                  uint32_t document_frequency,
                                  unsigned int* count, int32_t* columns) {
  const int32_t term = blockIdx.x * kThreads + threadIdx.x;
  if (term >= num_terms) return;
  int32_t column = -1;
  if (list_offsets[term + 1] - list_offsets[term] >= document_frequency &&
      largest_weights[term] == 0) {
    column = static_cast<int32_t>(atomicAdd(count, 1u));
  }
  columns[term] = column;
}

__global__ void FillKernel(int32_t num_documents, bool verify,
                           int32_t num_columns, const int64_t* offsets,
                           const int32_t* terms, const float* weights,
                           const double* squared_norms, const int32_t* columns,
                           __half* values) {
  const int32_t document = RowOfWarp();
  if (document >= num_documents) return;
  const int64_t end = offsets[document + 1];
  const double norm = sqrt(squared_norms[document]);
  for (int64_t e = offsets[document] + (threadIdx.x & 31); e < end; e += 32) {
    const int32_t column = columns[terms[e]];
    if (column < 0) continue;
    const float weight =
        verify ? __double2float_rd(static_cast<double>(weights[e]) / norm)
               : weights[e];
    values[int64_t{document} * num_columns + column] = __float2half_rd(weight);
  }
}

__device__ uint32_t SharedAddress(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Copies kTile rows of kDepth halves in chunks of 8 halves. The number of the
// row permutes their places in it, so that ldmatrix has no bank conflicts.
__device__ void LoadRows(const __half* rows, int64_t row_stride,
                         __half* shared) {
#pragma unroll
  for (int k = 0; k < kTile * kDepth / 8 / kThreads; ++k) {
    const int chunk = k * kThreads + threadIdx.x;
    const int row = chunk / (kDepth / 8);
    const int place = chunk % (kDepth / 8);
    const uint32_t to =
        SharedAddress(shared + row * kDepth + (place ^ (row & 7)) * 8);
    const __half* from = rows + row * row_stride + place * 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                 "l"(from));
  }
}

__device__ void LoadMatrix(const __half* shared, int row, int chunk,
                           uint32_t (&fragment)[4]) {
  const uint32_t from =
      SharedAddress(shared + row * kDepth + (chunk ^ (row & 7)) * 8);
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]),
        "=r"(fragment[3])
      : "r"(from));
}

__device__ void MultiplyAdd(const uint32_t (&a)[4], uint32_t b0, uint32_t b1,
                            float (&sum)[4]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <bool kVerify>
__device__ uint32_t Fixed(float sum) {
  return kVerify ? static_cast<uint32_t>(sum * kDenseOne)
                 : static_cast<uint32_t>(sum) & 0xffff;
}

// One kTile x kTile block of pairs; 2 x 4 warps of 64 x 32 pairs each.
template <bool kVerify>
__global__ void __launch_bounds__(kThreads, 2)
    PanelKernel(int32_t num_columns, const __half* values, int32_t first_row,
                int32_t first_column, int64_t stride, uint16_t* panel) {
  extern __shared__ __align__(128) __half shared[];
  const int32_t row0 = first_row + blockIdx.y * kTile;
  const int32_t column0 = first_column + blockIdx.x * kTile;
  if (column0 >= row0 + kTile) return;  // no j < i here
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int warp_row = (warp >> 2) * 64;
  const int warp_column = (warp & 3) * 32;
  const __half* a_rows = values + int64_t{row0} * num_columns;
  const __half* b_rows = values + int64_t{column0} * num_columns;
  const int steps = num_columns / kDepth;

  float sums[4][4][4] = {};
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) {
      __half* stage = shared + step * kStageHalves;
      LoadRows(a_rows + step * kDepth, num_columns, stage);
      LoadRows(b_rows + step * kDepth, num_columns, stage + kTile * kDepth);
    }
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2));
    __syncthreads();
    const int next = step + kStages - 1;
    if (next < steps) {
      __half* stage = shared + next % kStages * kStageHalves;
      LoadRows(a_rows + next * kDepth, num_columns, stage);
      LoadRows(b_rows + next * kDepth, num_columns, stage + kTile * kDepth);
    }
    asm volatile("cp.async.commit_group;");
    const __half* a = shared + step % kStages * kStageHalves;
    const __half* b = a + kTile * kDepth;
#pragma unroll
    for (int k = 0; k < kDepth / 16; ++k) {
      uint32_t left[4][4];
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        LoadMatrix(a, warp_row + m * 16 + (lane & 15), k * 2 + (lane >> 4),
                   left[m]);
      }
      uint32_t right[2][4];  // 16 columns each: two b fragments
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        LoadMatrix(b, warp_column + n * 16 + (lane & 7) + ((lane >> 4) << 3),
                   k * 2 + ((lane >> 3) & 1), right[n]);
      }
#pragma unroll
      for (int m = 0; m < 4; ++m) {
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          MultiplyAdd(left[m], right[n / 2][n % 2 * 2],
                      right[n / 2][n % 2 * 2 + 1], sums[m][n]);
        }
      }
    }
  }
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();

  // Through shared memory, so that rows are written in pieces of 16 bytes.
  uint16_t* out = reinterpret_cast<uint16_t*>(shared);
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int row = warp_row + m * 16 + (lane >> 2);
      const int column = warp_column + n * 8 + (lane & 3) * 2;
      const float(&sum)[4] = sums[m][n];
      *reinterpret_cast<uint32_t*>(out + row * kOutRow + column) =
          Fixed<kVerify>(sum[0]) | Fixed<kVerify>(sum[1]) << 16;
      *reinterpret_cast<uint32_t*>(out + (row + 8) * kOutRow + column) =
          Fixed<kVerify>(sum[2]) | Fixed<kVerify>(sum[3]) << 16;
    }
  }
  __syncthreads();
  uint16_t* to = panel + int64_t{blockIdx.y} * kTile * stride +
                 int64_t{blockIdx.x} * kTile;
#pragma unroll
  for (int k = 0; k < kTile * kTile / 8 / kThreads; ++k) {
    const int chunk = k * kThreads + threadIdx.x;
    const int row = chunk / (kTile / 8);
    const int place = chunk % (kTile / 8) * 8;
    *reinterpret_cast<uint4*>(to + row * stride + place) =
        *reinterpret_cast<const uint4*>(out + row * kOutRow + place);
  }
}

template <typename T>
absl::Status AllocateZeros(int64_t count, DeviceBuffer<T>& buffer) {
  RETURN_IF_ERROR(AllocateInto(count, buffer));
  return buffer.FillBytes(0);
}

// Numbers the dense terms and returns their number.
absl::StatusOr<int32_t> NumberTerms(const DeviceDocuments& documents,
                                    bool verify, DenseBlock& block) {
  DeviceBuffer<unsigned int> largest;
  DeviceBuffer<unsigned int> count;
  RETURN_IF_ERROR(AllocateZeros(documents.num_terms, largest));
  RETURN_IF_ERROR(AllocateZeros(documents.num_terms, block.column_of_term));
  if (!verify && documents.statistics.largest_weight > kDenseWeight) {
    LargestWeightKernel<<<WarpBlocks(documents.num_documents), kThreads>>>(
        documents.num_documents, documents.offsets.data(),
        documents.terms.data(), documents.weights.data(), largest.data());
    RETURN_IF_ERROR(CudaLaunchStatus("largest weights"));
  }
  // Raises the density from the lowest that pays until the terms fit.
  for (double density = 0.05;; density *= 1.2) {
    if (density > 1) return 0;
    RETURN_IF_ERROR(AllocateZeros(1, count));
    NumberTermsKernel<<<BlocksFor(documents.num_terms, kThreads), kThreads>>>(
        documents.num_terms, documents.list_offsets.data(), largest.data(),
        static_cast<uint32_t>(density * documents.num_listed) + 1, count.data(),
        block.column_of_term.data());
    RETURN_IF_ERROR(CudaLaunchStatus("dense terms"));
    unsigned int numbered = 0;
    RETURN_IF_ERROR(count.CopyToHost(absl::MakeSpan(&numbered, 1)));
    if (numbered <= kMaxDenseTerms) return static_cast<int32_t>(numbered);
  }
}

}  // namespace

absl::StatusOr<DenseBlock> BuildDenseBlock(const DeviceDocuments& documents,
                                           bool verify) {
  DenseBlock block;
  // For few pairs the panel costs more than it saves.
  if (documents.num_pairs() < kFewestPairs) return block;
  ASSIGN_OR_RETURN(int32_t terms, NumberTerms(documents, verify, block));
  if (terms < 16) return block;
  block.num_columns = (terms + kDepth - 1) / kDepth * kDepth;
  const int64_t rows =
      (int64_t{documents.num_documents} + kTile - 1) / kTile * kTile;
  RETURN_IF_ERROR(AllocateZeros(rows * block.num_columns, block.values));
  FillKernel<<<WarpBlocks(documents.num_documents), kThreads>>>(
      documents.num_documents, verify, block.num_columns,
      documents.offsets.data(), documents.terms.data(),
      documents.weights.data(), documents.squared_norms.data(),
      block.column_of_term.data(),
      reinterpret_cast<__half*>(block.values.data()));
  RETURN_IF_ERROR(CudaLaunchStatus("dense block"));
  return block;
}

absl::Status DensePanel(const DenseBlock& block, int32_t num_documents,
                        bool verify, int32_t first_row, int32_t num_rows,
                        int32_t first_column, int32_t num_columns,
                        int64_t stride, uint16_t* panel) {
  // No row of the panel has columns beyond its last row.
  const int32_t last_row = std::min(num_documents, first_row + num_rows);
  const int32_t columns = std::min(num_columns, last_row - first_column);
  if (columns <= 0) return absl::OkStatus();
  const dim3 grid((columns + kTile - 1) / kTile,
                  (num_rows + kTile - 1) / kTile);
  const int bytes = kStages * kStageHalves * static_cast<int>(sizeof(__half));
  const auto kernel = verify ? PanelKernel<true> : PanelKernel<false>;
  RETURN_IF_ERROR(
      AllowSharedBytes(kernel, bytes, "shared memory of the dense panel"));
  kernel<<<grid, kThreads, bytes>>>(
      block.num_columns, reinterpret_cast<const __half*>(block.values.data()),
      first_row, first_column, stride, panel);
  return CudaLaunchStatus("dense panel");
}

}  // namespace warpclust
