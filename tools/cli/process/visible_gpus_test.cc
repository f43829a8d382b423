// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/visible_gpus.h"

#include <cstdlib>
#include <optional>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(VisibleGpusTest, AreTheFirstOfAll) {
  EXPECT_EQ(FirstVisibleGpus(std::nullopt, 1), "0");
  EXPECT_EQ(FirstVisibleGpus(std::nullopt, 3), "0,1,2");
}

TEST(VisibleGpusTest, AreTheFirstOfThoseGiven) {
  EXPECT_EQ(FirstVisibleGpus("2,3", 1), "2");
  EXPECT_EQ(FirstVisibleGpus("4,6,5", 2), "4,6");
  EXPECT_EQ(FirstVisibleGpus("4,6", 8), "4,6");
  EXPECT_EQ(FirstVisibleGpus("GPU-8932f937,GPU-1", 1), "GPU-8932f937");
  EXPECT_EQ(FirstVisibleGpus("MIG-1,MIG-2", 2), "MIG-1,MIG-2");
}

TEST(VisibleGpusTest, NoneStaysNone) {
  EXPECT_EQ(FirstVisibleGpus("", 2), "");
  EXPECT_EQ(FirstVisibleGpus("-1", 1), "-1");
  EXPECT_EQ(FirstVisibleGpus("-1,0", 1), "-1");
}

TEST(VisibleGpusTest, AreSetInTheEnvironment) {
  setenv("CUDA_VISIBLE_DEVICES", "3,1", 1);
  SeeFirstGpus(1);
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "3");
  unsetenv("CUDA_VISIBLE_DEVICES");
  SeeFirstGpus(2);
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "0,1");
}

}  // namespace
}  // namespace warpclust
