// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions of kernels on tensor cores (compute capability 8.0): 8-bit
// integer matrix products, their operands from shared memory, and asynchronous
// copies from device to shared memory. On older devices they trap: kernels that
// use them must not be launched there (cudaFuncAttributes::ptxVersion).
//
// A stage is what a block has of a tile in shared memory: 64 bytes of each row,
// at StageOffset. Warps multiply rows of one stage by rows of another, the
// columns of the product.

#ifndef WARPCLUST_KERNELS_TENSOR_TENSOR_CORE_CUH_
#define WARPCLUST_KERNELS_TENSOR_TENSOR_CORE_CUH_

#include <cuda_runtime.h>

#include <cstdint>

namespace warpclust {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPCLUST_TENSOR_CORE_ASM(...) asm volatile(__VA_ARGS__)
#else
#define WARPCLUST_TENSOR_CORE_ASM(...) __trap()
#endif

__device__ inline uint32_t SharedAddress(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// 16 bytes, through L2 only. Both addresses are multiples of 16.
__device__ inline void CopyAsync(uint32_t to, const void* from) {
  WARPCLUST_TENSOR_CORE_ASM(
      "cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from)
      : "memory");
}

__device__ inline void CommitCopies() {
  WARPCLUST_TENSOR_CORE_ASM("cp.async.commit_group;\n" ::: "memory");
}

// Waits until at most `kGroups` of the calling thread's groups are under way.
template <int kGroups>
__device__ inline void WaitForCopies() {
  WARPCLUST_TENSOR_CORE_ASM("cp.async.wait_group %0;\n" ::"n"(kGroups)
                            : "memory");
}

// Four matrices of 8 rows of 16 bytes; lane l gives the address of row l mod 8
// of matrix l / 8 and gets bytes 4 (l mod 4) … + 3 of row l / 4 of each.
__device__ inline void LoadMatrices(uint32_t address, uint32_t (&to)[4]) {
  WARPCLUST_TENSOR_CORE_ASM(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
      : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
      : "r"(address)
      : "memory");
}

// c += a b for 16 rows and 8 columns, 32 signed bytes of each. Lane l, with
// g = l / 4 and t = l mod 4: c is row g, columns 2t and 2t + 1, then row g + 8;
// a is bytes 4t … of row g, of row g + 8, then the same from byte 16 on; b is
// bytes 4t … and 16 + 4t … of column g.
__device__ inline void MultiplyBytes(int (&c)[4], const uint32_t (&a)[4],
                                     uint32_t b0, uint32_t b1) {
  WARPCLUST_TENSOR_CORE_ASM(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#undef WARPCLUST_TENSOR_CORE_ASM

inline constexpr int kStageRowBytes = 64;

// Byte offset of 16 bytes of a row in a stage, such that 8 rows' lie in
// different banks.
__device__ inline uint32_t StageOffset(int row, int piece) {
  return static_cast<uint32_t>(row * kStageRowBytes +
                               ((piece ^ ((row >> 1) & 3)) << 4));
}

// What a lane of a warp reads of the rows from `first_row` on of a stage, and
// of those from `first_column` on of another, which are its columns.
struct StageOperands {
  uint32_t row;
  uint32_t column;

  __device__ StageOperands(int first_row, int first_column) {
    const int lane = threadIdx.x & 31;
    row = StageOffset(first_row + (lane & 15), lane >> 4);
    column = StageOffset(first_column + (lane & 7) + ((lane >> 4) << 3),
                         (lane >> 3) & 1);
  }
};

// Adds the products of bytes 0 to 31 of the stages, or of the others if
// `upper`, to sums of 16 kM rows and 8 kN columns: sums[m][n] as MultiplyBytes
// has them, from row 16 m and column 8 n on.
template <int kM, int kN>
__device__ __forceinline__ void MultiplyHalf(const StageOperands& operands,
                                             uint32_t rows, uint32_t columns,
                                             bool upper,
                                             int (&sums)[kM][kN][4]) {
  static_assert(kN % 2 == 0);
  const uint32_t piece = upper ? 32 : 0;
  uint32_t x[kM][4];
#pragma unroll
  for (int m = 0; m < kM; ++m) {
    LoadMatrices(rows + (operands.row ^ piece) + 16 * kStageRowBytes * m, x[m]);
  }
#pragma unroll
  for (int n = 0; n < kN; n += 2) {
    uint32_t y[4];
    LoadMatrices(columns + (operands.column ^ piece) + 8 * kStageRowBytes * n,
                 y);
#pragma unroll
    for (int m = 0; m < kM; ++m) {
      MultiplyBytes(sums[m][n], x[m], y[0], y[1]);
      MultiplyBytes(sums[m][n + 1], x[m], y[2], y[3]);
    }
  }
}

// Of all 64 bytes.
template <int kM, int kN>
__device__ __forceinline__ void MultiplyStages(const StageOperands& operands,
                                               uint32_t rows, uint32_t columns,
                                               int (&sums)[kM][kN][4]) {
  MultiplyHalf(operands, rows, columns, /*upper=*/false, sums);
  MultiplyHalf(operands, rows, columns, /*upper=*/true, sums);
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TENSOR_TENSOR_CORE_CUH_
