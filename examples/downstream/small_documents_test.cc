// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "small_documents.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "graph/cover/cover.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace downstream {
namespace {

using ::testing::ElementsAre;

void ExpectTwoClustersThatOverlap(const warpclust::Cover& cover) {
  ASSERT_EQ(cover.num_clusters(), 2);
  EXPECT_THAT(cover.MembersOf(0), ElementsAre(0, 1, 2));
  EXPECT_THAT(cover.MembersOf(1), ElementsAre(2, 3, 4));
}

TEST(SmallDocumentsTest, OverlapOnTheCpu) {
  const absl::StatusOr<warpclust::Cover> cover =
      ClusterSmallDocuments(warpclust::Device::kCpu);
  ASSERT_TRUE(cover.ok()) << cover.status();
  ExpectTwoClustersThatOverlap(*cover);
}

TEST(SmallDocumentsTest, OverlapOnTheGpu) {
  const absl::StatusOr<warpclust::Cover> cover =
      ClusterSmallDocuments(warpclust::Device::kCuda);
  if (absl::IsUnavailable(cover.status())) {
    GTEST_SKIP() << cover.status();
  }
  ASSERT_TRUE(cover.ok()) << cover.status();
  ExpectTwoClustersThatOverlap(*cover);
}

}  // namespace
}  // namespace downstream
