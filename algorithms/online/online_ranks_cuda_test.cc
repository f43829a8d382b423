// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering by ranks that share a GPU, against Serial Clusterer 2.

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/testing/collision_stream.h"
#include "algorithms/online/testing/ranked_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class OnlineRanksCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(OnlineRanksCudaTest, RanksDoNotShow) {
  constexpr int32_t kTerms[] = {1, 3, 8, 20, 128};
  const Decimal thresholds[] = {{5, 100}, {3, 10}, {1, 2}, {999, 1000}};
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed, 2);
    OnlineOptions options;
    options.terms = kTerms[random.Below(5)];
    options.threshold = thresholds[random.Below(4)];
    options.merge_threshold = thresholds[random.Below(4)];
    options.merge_every = static_cast<int64_t>(random.Below(3)) * 170;
    options.expire_after =
        random.Below(2) == 0 ? 0 : 1 + static_cast<int64_t>(random.Below(99));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(200));
    const CollisionStream stream =
        MakeCollisionStream(&random, static_cast<int64_t>(random.Below(2000)),
                            options.terms, num_terms);
    const int num_ranks = 2 + static_cast<int>(seed % 3);
    OnlineMethodOptions method;
    method.method =
        random.Below(2) == 0 ? OnlineMethod::kAuto : OnlineMethod::kBatched;
    constexpr int32_t kBatches[] = {0, 1, 16, 100};
    method.batch = kBatches[random.Below(4)];
    method.device = Device::kCuda;
    const bool resumed = random.Below(3) == 0;
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", ranks " << num_ranks << ", batch "
                 << method.batch << ", " << stream.documents.size()
                 << " documents");
    ExpectAsAlone(stream, options, num_ranks, method, resumed);
    if (HasFatalFailure()) return;
  }
}

CollisionStream MakeStream(int64_t size) {
  Random random(8);
  return MakeCollisionStream(&random, size, 20, 3000);
}

TEST_F(OnlineRanksCudaTest, AutoMovesToTheGpu) {
  if (!TakesCase()) return;
  const CollisionStream stream = MakeStream(30000);
  OnlineMethodOptions method;
  // The second half, after a change of the engine, is on the GPU too.
  for (const bool resumed : {false, true}) {
    ExpectAsAlone(stream, OnlineOptions::Paper(), 2, method, resumed);
    if (HasFatalFailure()) return;
    const absl::StatusOr<RankedStream> result =
        ClusterOnRanks(stream, OnlineOptions::Paper(), 2, method, resumed);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->device, Device::kCuda);
  }
}

// Where the memory of the GPU runs out, the CPUs of all ranks go on.
TEST_F(OnlineRanksCudaTest, LittleMemory) {
  if (!TakesCase()) return;
  const CollisionStream stream = MakeStream(ShareOf(8000, 400));
  OnlineMethodOptions method;
  method.device = Device::kCuda;
  int64_t left = 0;
  ExpectLittleMemoryHolds(
      "nothing: this never fails", INT64_MAX,
      [&] {
        auto result =
            ClusterOnRanks(stream, OnlineOptions::Paper(), 3, method, false);
        left += result.ok() && result->device == Device::kCpu ? 1 : 0;
        return result;
      },
      [](const RankedStream& a, const RankedStream& b) {
        return a.clusters == b.clusters && a.state == b.state;
      });
  EXPECT_GT(left, 1);
}

}  // namespace
}  // namespace warpclust
