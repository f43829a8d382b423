// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/cpu_features.h"

#include <algorithm>
#include <atomic>

#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

SimdLevel Detect() {
#if defined(__x86_64__)
  // Also asks whether the operating system saves the wide registers.
  __builtin_cpu_init();
  // Every CPU with BMI2 has LZCNT, for which clang 14 knows no name here.
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("popcnt");
  if (!avx2) return SimdLevel::kBaseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vnni");
  return avx512 ? SimdLevel::kAvx512 : SimdLevel::kAvx2;
#else
  return SimdLevel::kBaseline;
#endif
}

std::atomic<SimdLevel> limit{SimdLevel::kAvx512};

}  // namespace

SimdLevel CpuSimdLevel() {
  static const SimdLevel detected = Detect();
  return std::min(detected, limit.load(std::memory_order_relaxed));
}

absl::string_view SimdLevelName(SimdLevel level) {
  switch (level) {
    case SimdLevel::kBaseline:
      return "baseline";
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
  }
  return "unknown";
}

void SetSimdLevelLimitForTesting(SimdLevel most) {
  limit.store(most, std::memory_order_relaxed);
}

}  // namespace warpclust
