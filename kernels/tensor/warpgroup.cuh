// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions of compute capability 9.0 for kernels on its tensor cores:
// 8-bit products of a warpgroup (4 warps), tiles copied by the copy engine, and
// the barriers between both. They need code for sm_90a (`hopper = True` of
// cuda_library); other code traps.
//
// A tile in shared memory has kTileRowBytes of each row, swizzled by the copy
// engine (kernels/tensor/tensor_map.h), and begins at a multiple of 1,024
// bytes.

#ifndef WARPCLUST_KERNELS_TENSOR_WARPGROUP_CUH_
#define WARPCLUST_KERNELS_TENSOR_WARPGROUP_CUH_

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace warpclust {

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WARPCLUST_WARPGROUP_ASM(...) asm volatile(__VA_ARGS__)
#else
#define WARPCLUST_WARPGROUP_ASM(...) __trap()
#endif

// A kernel whose clusters have `blocks` blocks; older GPUs have no clusters.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WARPCLUST_CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define WARPCLUST_CLUSTER_OF(blocks)
#endif

inline constexpr int kTileRowBytes = 128;

// The number of this block in its cluster.
__device__ inline uint32_t ClusterRank() {
  uint32_t rank = 0;
  WARPCLUST_WARPGROUP_ASM("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank));
  return rank;
}

// Waits for all threads of the cluster.
__device__ inline void SyncCluster() {
  WARPCLUST_WARPGROUP_ASM(
      "barrier.cluster.arrive.release.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;\n" ::
          : "memory");
}

// Barriers are 8 bytes in shared memory, named by their address. One phase ends
// when `arrivals` threads have arrived and all bytes expected are there.
__device__ inline void InitBarrier(uint32_t barrier, int arrivals) {
  WARPCLUST_WARPGROUP_ASM(
      "mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(barrier), "r"(arrivals)
      : "memory");
}

// Makes InitBarrier visible to the cluster and to the copy engine.
__device__ inline void FenceBarriers() {
  WARPCLUST_WARPGROUP_ASM("fence.mbarrier_init.release.cluster;\n" ::
                              : "memory");
}

// Arrives, and has the phase wait for `bytes` more.
__device__ inline void ArriveExpecting(uint32_t barrier, uint32_t bytes) {
  WARPCLUST_WARPGROUP_ASM(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}

// Arrives at the same barrier of block `rank` of the cluster.
__device__ inline void ArriveAt(uint32_t barrier, uint32_t rank) {
  WARPCLUST_WARPGROUP_ASM(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
      "}\n" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

// Waits for the end of the phase of this parity: 0 for the first one. A new
// barrier is past the phase of parity 1.
__device__ inline void WaitForPhase(uint32_t barrier, uint32_t parity) {
  WARPCLUST_WARPGROUP_ASM(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
      "done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// Copies the box of `map` at this byte of this row to shared memory, and counts
// its bytes at `barrier`.
__device__ inline void CopyTile(uint32_t to, const CUtensorMap& map, int byte,
                                int row, uint32_t barrier) {
  WARPCLUST_WARPGROUP_ASM(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];\n" ::"r"(to),
      "l"(&map), "r"(byte), "r"(row), "r"(barrier)
      : "memory");
}

// The same to the same addresses of each block in the mask `ranks`.
__device__ inline void CopyTileToCluster(uint32_t to, const CUtensorMap& map,
                                         int byte, int row, uint32_t barrier,
                                         uint16_t ranks) {
  WARPCLUST_WARPGROUP_ASM(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%2, %3}], [%4], %5;\n" ::"r"(to),
      "l"(&map), "r"(byte), "r"(row), "r"(barrier), "h"(ranks)
      : "memory");
}

// What a product reads of a tile from `address` on: rows in groups of 8 that
// are 1,024 bytes apart, swizzled. 2 more is 32 bytes further in each row.
__device__ inline uint64_t TileOperand(uint32_t address) {
  constexpr uint64_t kSwizzled128 = uint64_t{1} << 62;
  constexpr uint64_t kGroupStride = uint64_t{1024 >> 4} << 32;
  return kSwizzled128 | kGroupStride | uint64_t{1} << 16 |
         ((address & 0x3ffff) >> 4);
}

// Sums of 64 rows and 256 columns in a warpgroup. Lane 4 g + t of warp w has of
// row 16 w + 8 h + g the columns 8 n + 2 t + b at 4 n + 2 h + b.
using WarpgroupSums = int[128];

// Before the first product that follows other uses of the sums.
__device__ inline void FenceProducts() {
  WARPCLUST_WARPGROUP_ASM("wgmma.fence.sync.aligned;\n" ::: "memory");
}

__device__ inline void CommitProducts() {
  WARPCLUST_WARPGROUP_ASM("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}

// Waits until at most `kGroups` groups of products are under way.
template <int kGroups>
__device__ inline void WaitForProducts() {
  WARPCLUST_WARPGROUP_ASM("wgmma.wait_group.sync.aligned %0;\n" ::"n"(kGroups)
                          : "memory");
}

// Keeps uses of the sums behind WaitForProducts.
__device__ __forceinline__ void UseSums(WarpgroupSums& sums) {
#pragma unroll
  for (int i = 0; i < 128; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

#define WARPCLUST_SUMS_8(s, i)                                                \
  "+r"(s[i]), "+r"(s[i + 1]), "+r"(s[i + 2]), "+r"(s[i + 3]), "+r"(s[i + 4]), \
      "+r"(s[i + 5]), "+r"(s[i + 6]), "+r"(s[i + 7])
#define WARPCLUST_SUMS_32(s, i)                       \
  WARPCLUST_SUMS_8(s, i), WARPCLUST_SUMS_8(s, i + 8), \
      WARPCLUST_SUMS_8(s, i + 16), WARPCLUST_SUMS_8(s, i + 24)

// sums += (add) or = rows columns, for 64 rows and 256 columns, 32 signed bytes
// of each.
__device__ __forceinline__ void MultiplyTiles(WarpgroupSums& sums,
                                              uint64_t rows, uint64_t columns,
                                              bool add) {
  WARPCLUST_WARPGROUP_ASM(
      "{\n"
      ".reg .pred accumulate;\n"
      "setp.ne.b32 accumulate, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,"
      "%110,%111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,"
      "%123,%124,%125,%126,%127}, %128, %129, accumulate;\n"
      "}\n"
      : WARPCLUST_SUMS_32(sums, 0), WARPCLUST_SUMS_32(sums, 32),
        WARPCLUST_SUMS_32(sums, 64), WARPCLUST_SUMS_32(sums, 96)
      : "l"(rows), "l"(columns), "r"(static_cast<int>(add)));
}

#undef WARPCLUST_SUMS_32
#undef WARPCLUST_SUMS_8
#undef WARPCLUST_WARPGROUP_ASM

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_TENSOR_WARPGROUP_CUH_
