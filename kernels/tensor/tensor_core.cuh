// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions of kernels on tensor cores (compute capability 8.0): 8-bit
// integer matrix products, their operands from shared memory, and asynchronous
// copies from device to shared memory. On older devices they trap: kernels that
// use them must not be launched there (cudaFuncAttributes::ptxVersion).
//
// A stage is what a block has of a tile in shared memory: 64 bytes of each row,
// at StageOffset. MultiplyBytes takes its operands from there by LoadMatrices:
//
//   LoadMatrices(rows + StageOffset(row + (lane & 15), lane >> 4), x)
//     bytes 0 to 31 of 16 rows as `a`;
//   LoadMatrices(columns + StageOffset(column + (lane & 7) + ((lane >> 4) <<
//   3),
//                                      (lane >> 3) & 1), y)
//     the same of 16 columns: y[0] and y[1] as `b` of the first 8, y[2] and
//     y[3] of the others.
//
// XOR of such an offset with 32 gives bytes 32 to 63. 16 rows further is 16 *
// kStageRowBytes further.

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

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TENSOR_TENSOR_CORE_CUH_
