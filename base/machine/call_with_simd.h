// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CallWithSimd: runs a loop compiled for the widest vectors that the CPU has.
//
//   CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
//     for (int64_t i = 0; i < n; ++i) sums[i] += row[i];
//   });
//
// The body is compiled once for each SimdLevel, so it uses GCC's vector types
// or plain loops instead of intrinsics. It captures by value: the compiler then
// knows that no store of the loop changes a captured pointer.

#ifndef WARPCLUST_BASE_MACHINE_CALL_WITH_SIMD_H_
#define WARPCLUST_BASE_MACHINE_CALL_WITH_SIMD_H_

#include "base/machine/cpu_features.h"

#define WARPCLUST_ALWAYS_INLINE __attribute__((always_inline))

namespace warpclust {

namespace internal {

#if defined(__x86_64__)
template <typename Body>
__attribute__((target("avx2"))) auto CallWithAvx2(Body body) {
  return body();
}

template <typename Body>
__attribute__((target("avx512f,avx512bw"))) auto CallWithAvx512(Body body) {
  return body();
}
#endif

}  // namespace internal

// body() at the level of CpuSimdLevel().
template <typename Body>
auto CallWithSimd(Body body) {
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx512) {
    return internal::CallWithAvx512(body);
  }
  if (CpuSimdLevel() >= SimdLevel::kAvx2) return internal::CallWithAvx2(body);
#endif
  return body();
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_CALL_WITH_SIMD_H_
