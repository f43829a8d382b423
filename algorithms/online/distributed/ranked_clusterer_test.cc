// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Clusters that go from one rank to all in the middle of a stream, and sums
// that do not stay where they are borrowed, against one process. All of it
// against Serial Clusterer 2: online_ranks_test.

#include "algorithms/online/distributed/ranked_clusterer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/batched_clusterer.h"
#include "algorithms/online/state/online_engine.h"
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

namespace warpclust {
namespace {

struct Clustered {
  std::vector<int32_t> clusters;
  std::vector<std::vector<ClusterMerge>> merges;
  OnlineState state;
  OnlineCounts counts;
};

// Clusters the stream, `step` documents at a time.
absl::StatusOr<Clustered> Cluster(const CollisionStream& stream, int64_t step,
                                  bool merges, OnlineEngine& engine) {
  const UnitVectors& documents = stream.documents;
  Clustered result;
  result.clusters.resize(documents.size());
  for (int64_t begin = 0; begin < documents.size(); begin += step) {
    const int64_t size = std::min(step, documents.size() - begin);
    RETURN_IF_ERROR(
        engine.Cluster(Slice(documents, begin, begin + size),
                       absl::MakeConstSpan(stream.clocks).subspan(begin, size),
                       absl::MakeSpan(result.clusters).subspan(begin, size)));
    if (merges) {
      ASSIGN_OR_RETURN(const auto merged, engine.Merge());
      result.merges.push_back(*merged);
    }
    // Sometimes in between.
    if (begin / step % 5 == 3) RETURN_IF_ERROR(engine.State().status());
  }
  ASSIGN_OR_RETURN(result.state, engine.State());
  result.counts = engine.counts();
  return result;
}

// An engine on the CPU that is like one on a GPU with room for `most_clusters`:
// it cannot merge, and runs out of memory between two batches.
class FakeGpuEngine : public OnlineEngine {
 public:
  FakeGpuEngine(const OnlineOptions& options, const OnlineState& state,
                int32_t batch, int32_t most_clusters)
      : batch_(batch),
        most_clusters_(most_clusters),
        engine_(MakeBatchedClusterer(options, state, {.num_threads = 1})) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    for (num_decided_ = 0; num_decided_ < documents.size();) {
      if (num_clusters() > most_clusters_) {
        return absl::ResourceExhaustedError("no room");
      }
      const int64_t end = std::min(documents.size(), num_decided_ + batch_);
      const int64_t size = end - num_decided_;
      RETURN_IF_ERROR(engine_->Cluster(Slice(documents, num_decided_, end),
                                       clocks.subspan(num_decided_, size),
                                       clusters.subspan(num_decided_, size)));
      num_decided_ = end;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override { return engine_->State(); }
  int32_t num_clusters() const override { return engine_->num_clusters(); }
  OnlineCounts counts() const override { return engine_->counts(); }
  int64_t num_decided() const override { return num_decided_; }

 private:
  const int64_t batch_;
  const int32_t most_clusters_;
  const std::unique_ptr<OnlineEngine> engine_;
  int64_t num_decided_ = 0;
};

GpuEngineMaker FakeGpu(int32_t most_clusters) {
  return [most_clusters](
             const OnlineOptions& options, const OnlineState& state,
             int32_t batch) -> absl::StatusOr<std::unique_ptr<OnlineEngine>> {
    if (state.num_clusters() > most_clusters) {
      return absl::ResourceExhaustedError("no room");
    }
    return std::make_unique<FakeGpuEngine>(options, state, batch,
                                           most_clusters);
  };
}

TEST(RankedClustererTest, AsOneProcess) {
  constexpr int32_t kTerms[] = {1, 3, 8, 20};
  const Decimal thresholds[] = {{5, 100}, {3, 10}, {1, 2}, {999, 1000}};
  int64_t repeated = 0;
  // Streams that stayed on the GPU, and that left it.
  int stayed = 0, left = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, 3);
    OnlineOptions options;
    options.terms = kTerms[random.Below(4)];
    options.threshold = thresholds[random.Below(4)];
    options.merge_threshold = thresholds[random.Below(4)];
    options.merge_every = static_cast<int64_t>(random.Below(2));
    options.expire_after =
        random.Below(2) == 0 ? 0 : 1 + static_cast<int64_t>(random.Below(99));
    options.truncated_mean = random.Below(5) == 0;
    const auto num_terms = static_cast<int32_t>(1 + random.Below(200));
    const CollisionStream stream =
        MakeCollisionStream(&random, static_cast<int64_t>(random.Below(500)),
                            options.terms, num_terms);
    RankedOptions ranked;
    constexpr int32_t kBatches[] = {1, 2, 3, 16, 64};
    ranked.batched.batch = kBatches[random.Below(5)];
    ranked.batched.num_threads = 1;
    ranked.may_be_alone = random.Below(4) != 0;
    ranked.entries_worth_ranks = static_cast<int64_t>(random.Below(60));
    constexpr int64_t kBytes[] = {0, 1000, 20000, int64_t{1} << 20};
    ranked.most_bytes = kBytes[random.Below(4)];
    ranked.on_gpu = random.Below(2) == 0;
    constexpr int32_t kClusters[] = {0, 5, 60, INT32_MAX};
    const GpuEngineMaker make_on_gpu = FakeGpu(kClusters[random.Below(4)]);
    const auto step = static_cast<int64_t>(1 + random.Below(150));
    const bool merges = options.merge_every > 0;
    const int num_ranks = 2 + static_cast<int>(seed % 5);
    SCOPED_TRACE(testing::Message() << "seed " << seed);

    const absl::StatusOr<Clustered> expected =
        Cluster(stream, step, merges,
                *MakeBatchedClusterer(options, OnlineState(), ranked.batched));
    ASSERT_TRUE(expected.ok()) << expected.status();
    Clustered found;
    bool has_left_gpu = false;
    const absl::Status status =
        RunOnThreads(num_ranks, [&](Communicator& ranks) -> absl::Status {
          if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
          ASSIGN_OR_RETURN(const std::unique_ptr<OnlineEngine> engine,
                           MakeRankedClusterer(options, OnlineState(), ranked,
                                               ranks, make_on_gpu));
          ASSIGN_OR_RETURN(found, Cluster(stream, step, merges, *engine));
          has_left_gpu = engine->has_left_gpu();
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(found.clusters, expected->clusters);
    ASSERT_EQ(found.merges, expected->merges);
    ASSERT_EQ(found.state, expected->state);
    repeated += found.counts.repeated;
    if (ranked.on_gpu) ++(has_left_gpu ? left : stayed);
  }
  // Some documents were searched for again.
  EXPECT_GT(repeated, 0);
  EXPECT_GT(stayed, 20);
  EXPECT_GT(left, 20);
}

// Rank 0 has no GPU: the others hear of it, and an engine that it has goes on.
TEST(RankedClustererTest, WithoutGpu) {
  Random random(1);
  const CollisionStream stream = MakeCollisionStream(&random, 100, 8, 50);
  const auto expected = Cluster(
      stream, 30, /*merges=*/false,
      *MakeBatchedClusterer(OnlineOptions(), OnlineState(), BatchedOptions()));
  ASSERT_TRUE(expected.ok());
  RankedOptions on_gpu;
  on_gpu.on_gpu = true;
  const GpuEngineMaker no_gpu =
      [](const OnlineOptions&, const OnlineState&,
         int32_t) -> absl::StatusOr<std::unique_ptr<OnlineEngine>> {
    return absl::UnavailableError("no GPU");
  };
  const absl::Status status =
      RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
        ASSIGN_OR_RETURN(
            const std::unique_ptr<OnlineEngine> engine,
            MakeRankedClusterer(OnlineOptions(), OnlineState(), {}, ranks));
        EXPECT_EQ(MakeRankedClusterer(OnlineOptions(), OnlineState(), on_gpu,
                                      ranks, no_gpu)
                      .status()
                      .code(),
                  absl::StatusCode::kUnavailable);
        ASSIGN_OR_RETURN(const Clustered found,
                         Cluster(stream, 30, /*merges=*/false, *engine));
        EXPECT_EQ(found.clusters, expected->clusters);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(RunOnThreads(3,
                         [&](Communicator& ranks) -> absl::Status {
                           if (ranks.rank() > 0) {
                             return FollowRankedClusterer(ranks);
                           }
                           return MakeRankedClusterer(OnlineOptions(),
                                                      OnlineState(), on_gpu,
                                                      ranks, no_gpu)
                               .status();
                         })
                .code(),
            absl::StatusCode::kUnavailable);
}

// A GPU that is gone when clusters have merged.
TEST(RankedClustererTest, GpuThatFailsLater) {
  Random random(1);
  const CollisionStream stream = MakeCollisionStream(&random, 100, 8, 50);
  OnlineOptions options;
  options.threshold = {999, 1000};
  options.merge_threshold = {5, 100};
  options.merge_every = 1;
  RankedOptions on_gpu;
  on_gpu.on_gpu = true;
  const GpuEngineMaker make = FakeGpu(INT32_MAX);
  int made = 0;
  const GpuEngineMaker once =
      [&](const OnlineOptions& options, const OnlineState& state,
          int32_t batch) -> absl::StatusOr<std::unique_ptr<OnlineEngine>> {
    if (++made > 1) return absl::UnavailableError("gone");
    return make(options, state, batch);
  };
  const absl::Status status =
      RunOnThreads(2, [&](Communicator& ranks) -> absl::Status {
        if (ranks.rank() > 0) return FollowRankedClusterer(ranks);
        ASSIGN_OR_RETURN(
            const std::unique_ptr<OnlineEngine> engine,
            MakeRankedClusterer(options, OnlineState(), on_gpu, ranks, once));
        const absl::Status failed =
            Cluster(stream, 30, /*merges=*/true, *engine).status();
        EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable) << failed;
        EXPECT_GT(engine->num_clusters(), 0);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(RankedClustererTest, OneRankIsOneProcess) {
  Random random(1);
  const CollisionStream stream = MakeCollisionStream(&random, 100, 8, 50);
  SingleRank ranks;
  const auto engine =
      MakeRankedClusterer(OnlineOptions(), OnlineState(), {}, ranks);
  ASSERT_TRUE(engine.ok()) << engine.status();
  const auto found = Cluster(stream, 30, /*merges=*/false, **engine);
  const auto expected = Cluster(
      stream, 30, /*merges=*/false,
      *MakeBatchedClusterer(OnlineOptions(), OnlineState(), BatchedOptions()));
  ASSERT_TRUE(found.ok() && expected.ok());
  EXPECT_EQ(found->clusters, expected->clusters);
}

}  // namespace
}  // namespace warpclust
