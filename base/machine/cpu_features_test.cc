// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/cpu_features.h"

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CpuFeaturesTest, LimitLowersTheLevel) {
  const SimdLevel detected = CpuSimdLevel();
  for (SimdLevel limit :
       {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    SetSimdLevelLimitForTesting(limit);
    EXPECT_EQ(CpuSimdLevel(), limit < detected ? limit : detected);
  }
  EXPECT_EQ(CpuSimdLevel(), detected);
}

TEST(CpuFeaturesTest, Names) {
  EXPECT_EQ(SimdLevelName(SimdLevel::kBaseline), "baseline");
  EXPECT_EQ(SimdLevelName(SimdLevel::kAvx2), "avx2");
  EXPECT_EQ(SimdLevelName(SimdLevel::kAvx512), "avx512");
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))) int SumAvx2(
    const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * 3;
  return sum;
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))) int
SumAvx512(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * 3;
  return sum;
}

// An instruction the CPU lacks would end the test.
TEST(CpuFeaturesTest, CodeOfTheLevelRuns) {
  int values[100];
  for (int i = 0; i < 100; ++i) values[i] = i;
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    EXPECT_EQ(SumAvx2(values, 100), 3 * 4950);
  }
  if (CpuSimdLevel() >= SimdLevel::kAvx512) {
    EXPECT_EQ(SumAvx512(values, 100), 3 * 4950);
  }
}
#endif

}  // namespace
}  // namespace warpclust
