// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Online clustering by the threads of several ranks, against Serial Clusterer 2
// in one process.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/distributed/ranked_clusterer.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "kernels/device.h"

namespace warpclust {
namespace {

// What a clustering gives.
struct Clustered {
  std::vector<int32_t> clusters;
  std::vector<OnlineMerge> merges;
  OnlineState state;
};

// Clusters the stream; `resumed` starts anew from the state in the middle.
absl::StatusOr<Clustered> Cluster(const CollisionStream& stream,
                                  const OnlineOptions& options,
                                  const OnlineMethodOptions& method,
                                  bool resumed) {
  const int64_t size = stream.documents.size();
  Clustered result;
  result.clusters.resize(size);
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method));
  const int64_t middle = resumed ? size / 2 : 0;
  for (int64_t begin = 0; begin < size;) {
    const int64_t end = begin < middle ? middle : size;
    UnitVectors part;
    part.num_terms = stream.documents.num_terms;
    for (int64_t d = begin; d < end; ++d) {
      const auto terms = stream.documents.TermsOf(d);
      const auto weights = stream.documents.WeightsOf(d);
      part.terms.insert(part.terms.end(), terms.begin(), terms.end());
      part.weights.insert(part.weights.end(), weights.begin(), weights.end());
      part.offsets.push_back(static_cast<int64_t>(part.terms.size()));
    }
    RETURN_IF_ERROR(clusterer.Add(
        part, absl::MakeConstSpan(stream.clocks).subspan(begin, end - begin),
        absl::MakeSpan(result.clusters).subspan(begin, end - begin)));
    result.merges.insert(result.merges.end(), clusterer.merges().begin(),
                         clusterer.merges().end());
    if (end == middle) {
      ASSIGN_OR_RETURN(const OnlineState state, clusterer.State());
      ASSIGN_OR_RETURN(clusterer,
                       OnlineClusterer::Create(options, method, state));
    }
    begin = end;
  }
  ASSIGN_OR_RETURN(result.state, clusterer.State());
  return result;
}

void ExpectAsAlone(const CollisionStream& stream, const OnlineOptions& options,
                   int num_ranks, int32_t batch, bool resumed) {
  OnlineMethodOptions serial;
  serial.method = OnlineMethod::kSerial2;
  const absl::StatusOr<Clustered> alone =
      Cluster(stream, options, serial, resumed);
  ASSERT_TRUE(alone.ok()) << alone.status();
  Clustered result;
  const absl::Status status =
      RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
        OnlineMethodOptions method;
        // One rank is alone first, or all share at once.
        method.method =
            batch % 3 == 0 ? OnlineMethod::kAuto : OnlineMethod::kBatched;
        method.batch = batch;
        method.ranks = &ranks;
        method.device = Device::kCpu;
        method.num_threads = 1 + batch % 2;
        ASSIGN_OR_RETURN(result, Cluster(stream, options, method, resumed));
        return absl::OkStatus();
      });
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_EQ(result.clusters, alone->clusters);
  ASSERT_EQ(result.merges, alone->merges);
  ASSERT_EQ(result.state, alone->state);
}

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
    ExpectAsAlone(stream, options, num_ranks, batch, resumed);
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
        method.method = OnlineMethod::kBatched;
        method.device = Device::kCuda;
        EXPECT_EQ(
            OnlineClusterer::Create(OnlineOptions(), method).status().code(),
            absl::StatusCode::kUnimplemented);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

}  // namespace
}  // namespace warpclust
