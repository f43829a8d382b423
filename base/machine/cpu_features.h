// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CpuSimdLevel: which vector instructions this CPU has. Code for each level is
// compiled beside the baseline by function attributes and picked at run time;
// the build sets no -march.
//
//   __attribute__((target("avx2,fma"))) float DotAvx2(...);
//   float Dot(...) {
//     return CpuSimdLevel() >= SimdLevel::kAvx2 ? DotAvx2(...)
//                                               : DotBaseline(...);
//   }
//
// Code for all levels must give the same bits; run its tests at each level
// (simd_levels.h). Cost: one atomic load.

#ifndef WARPCLUST_BASE_MACHINE_CPU_FEATURES_H_
#define WARPCLUST_BASE_MACHINE_CPU_FEATURES_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// Each level includes those before it.
enum class SimdLevel {
  kBaseline,  // What the compiler assumes (x86-64: SSE2), and other CPUs.
  kAvx2,      // target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
  kAvx512,    // + target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
};

// The best level of this CPU and operating system, within the limit below.
SimdLevel CpuSimdLevel();

// "baseline", "avx2" or "avx512".
absl::string_view SimdLevelName(SimdLevel level);

// CpuSimdLevel answers at most `limit` from now on; kAvx512 lifts the limit.
void SetSimdLevelLimitForTesting(SimdLevel limit);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_CPU_FEATURES_H_
