// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SimdLevels: for tests that run every implementation that this CPU supports.

#ifndef WARPCLUST_BASE_MACHINE_SIMD_LEVELS_H_
#define WARPCLUST_BASE_MACHINE_SIMD_LEVELS_H_

#include <vector>

#include "base/machine/cpu_features.h"

namespace warpclust {

// The levels up to CpuSimdLevel(), the lowest first.
inline std::vector<SimdLevel> SimdLevels() {
  std::vector<SimdLevel> levels;
  for (SimdLevel level :
       {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level <= CpuSimdLevel()) levels.push_back(level);
  }
  return levels;
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_SIMD_LEVELS_H_
