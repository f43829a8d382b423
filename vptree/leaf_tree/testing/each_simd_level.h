// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A fixture and its values, for tests that run at each SIMD level:
//
//   class FooTest : public EachSimdLevel {};
//   INSTANTIATE_TEST_SUITE_P(Levels, FooTest, kAllSimdLevels, SimdLevelOfTest);

#ifndef WARPCLUST_VPTREE_LEAF_TREE_TESTING_EACH_SIMD_LEVEL_H_
#define WARPCLUST_VPTREE_LEAF_TREE_TESTING_EACH_SIMD_LEVEL_H_

#include <string>

#include "base/machine/cpu_features.h"
#include "gtest/gtest.h"

namespace warpclust {

class EachSimdLevel : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    SetSimdLevelLimitForTesting(GetParam());
    if (CpuSimdLevel() != GetParam()) GTEST_SKIP() << "not on this CPU";
  }
  void TearDown() override { SetSimdLevelLimitForTesting(SimdLevel::kAvx512); }
};

inline const auto kAllSimdLevels =
    testing::Values(SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512);

inline std::string SimdLevelOfTest(
    const testing::TestParamInfo<SimdLevel>& level) {
  return std::string(SimdLevelName(level.param));
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_TESTING_EACH_SIMD_LEVEL_H_
