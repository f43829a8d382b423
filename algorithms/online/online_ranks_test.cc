// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering by the threads of several ranks, against Serial Clusterer 2
// in one process.

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/testing/collision_stream.h"
#include "algorithms/online/testing/ranked_stream.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

TEST(OnlineRanksTest, RanksDoNotShow) {
  constexpr int32_t kTerms[] = {1, 2, 3, 8, 20, 128};
  const Decimal thresholds[] = {{0, 1}, {5, 100},    {3, 10},
                                {1, 2}, {999, 1000}, {1, 1}};
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed, 2);
    OnlineOptions options;
    options.terms = kTerms[random.Below(6)];
    options.threshold = thresholds[random.Below(6)];
    options.merge_threshold = thresholds[random.Below(6)];
    options.merge_every = static_cast<int64_t>(random.Below(3)) * 17;
    options.expire_after =
        random.Below(2) == 0 ? 0 : 1 + static_cast<int64_t>(random.Below(99));
    options.truncated_mean = random.Below(5) == 0;
    const auto num_terms = static_cast<int32_t>(1 + random.Below(200));
    const CollisionStream stream =
        MakeCollisionStream(&random, static_cast<int64_t>(random.Below(400)),
                            options.terms, num_terms);
    const int num_ranks = 1 + static_cast<int>(seed % 7);
    constexpr int32_t kBatches[] = {1, 2, 3, 16, 64, 1000};
    const int32_t batch = kBatches[random.Below(6)];
    const bool resumed = random.Below(3) == 0;
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", ranks " << num_ranks << ", batch "
                 << batch << ", " << stream.documents.size() << " documents");
    OnlineMethodOptions method;
    // One rank is alone first, or all share at once.
    method.method =
        batch % 3 == 0 ? OnlineMethod::kAuto : OnlineMethod::kBatched;
    method.batch = batch;
    method.device = Device::kCpu;
    method.num_threads = 1 + batch % 2;
    ExpectAsAlone(stream, options, num_ranks, method, resumed);
    if (HasFatalFailure()) return;
  }
}

TEST(OnlineRanksTest, RefusesWhatIsNotForRanks) {
  const absl::Status status =
      RunOnThreads(2, [](Communicator& ranks) -> absl::Status {
        OnlineMethodOptions method;
        method.ranks = &ranks;
        EXPECT_EQ(
            OnlineClusterer::CreateDense(OnlineOptions::Embeddings(), method)
                .status()
                .code(),
            absl::StatusCode::kUnimplemented);
        method.method = OnlineMethod::kMdc2;
        EXPECT_EQ(
            OnlineClusterer::Create(OnlineOptions(), method).status().code(),
            absl::StatusCode::kInvalidArgument);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
