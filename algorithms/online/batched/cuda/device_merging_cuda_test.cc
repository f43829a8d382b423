// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges on the GPU against those of Serial Clusterer 2; documents in between
// are clustered in exact batches.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "algorithms/online/batched/cuda/batched_clusterer_cuda.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/gpu_like.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class DeviceMergingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
    if (!device.ok()) GTEST_SKIP() << device.status();
  }
};

struct MergedStream {
  std::vector<int32_t> clusters;
  std::vector<ClusterMerge> merges;
  OnlineState state;

  friend bool operator==(const MergedStream&, const MergedStream&) = default;
};

using EngineMaker =
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<OnlineEngine>>(
        const OnlineState& state)>;

// Clusters a stream and merges after every options.merge_every documents. The
// engine is made again from its state after `renewed` merges, and where it
// cannot merge.
absl::StatusOr<MergedStream> ClusterAndMerge(const CollisionStream& stream,
                                             const OnlineOptions& options,
                                             int64_t renewed,
                                             EngineMaker make_engine) {
  const int64_t n = stream.documents.size();
  MergedStream result;
  result.clusters.resize(n);
  ASSIGN_OR_RETURN(std::unique_ptr<OnlineEngine> engine,
                   make_engine(OnlineState()));
  for (int64_t begin = 0; begin < n; begin += options.merge_every) {
    const int64_t size = std::min(options.merge_every, n - begin);
    const auto clocks = absl::MakeConstSpan(stream.clocks).subspan(begin, size);
    RETURN_IF_ERROR(
        engine->Cluster(Slice(stream.documents, begin, begin + size), clocks,
                        absl::MakeSpan(result.clusters).subspan(begin, size)));
    if (size < options.merge_every) break;
    ASSIGN_OR_RETURN(absl::optional<std::vector<ClusterMerge>> merges,
                     engine->Merge());
    const bool merged = merges.has_value();
    if (!merged || --renewed == 0) {
      ASSIGN_OR_RETURN(OnlineState state, engine->State());
      state.clock = clocks.back();
      state.num_terms = stream.documents.num_terms;
      if (!merged) merges = MergeSimilarClusters(options, &state);
      engine.reset();
      ASSIGN_OR_RETURN(engine, make_engine(state));
    }
    result.merges.insert(result.merges.end(), merges->begin(), merges->end());
  }
  ASSIGN_OR_RETURN(result.state, engine->State());
  // What an engine leaves to its caller.
  result.state.clock = stream.clocks.back();
  result.state.num_terms = stream.documents.num_terms;
  return result;
}

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeSerial(
    const OnlineOptions& options, const OnlineState& state) {
  return MakeSerialClusterer2(options, state);
}

// Returns the number of merges.
size_t ExpectSerial(const CollisionStream& stream, const OnlineOptions& options,
                    int64_t renewed) {
  const absl::StatusOr<MergedStream> expected = ClusterAndMerge(
      stream, options, 0,
      [&](const OnlineState& state) { return MakeSerial(options, state); });
  EXPECT_TRUE(expected.ok()) << expected.status();
  if (!expected.ok()) return 0;
  for (const char* like : kGpusLike) {
    SCOPED_TRACE(like);
    const GpuLike gpu(like);
    const absl::StatusOr<MergedStream> found = ClusterAndMerge(
        stream, options, renewed, [&](const OnlineState& state) {
          // Removes closed clusters often.
          return internal::MakeBatchedClustererCuda(options, state, 256, 100);
        });
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok()) return 0;
    EXPECT_EQ(found->merges, expected->merges);
    EXPECT_EQ(found->clusters, expected->clusters);
    EXPECT_TRUE(found->state == expected->state);
  }
  return expected->merges.size();
}

TEST_F(DeviceMergingTest, EqualsSerialOnStreamsThatCollide) {
  const Decimal kThresholds[] = {{5, 100}, {3, 10}, {5, 10}, {9, 10}, {1, 1}};
  size_t merges = 0;
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    Random random(seed);
    OnlineOptions options;
    options.threshold = kThresholds[random.Below(5)];
    options.merge_threshold = kThresholds[random.Below(5)];
    const int32_t kTerms[] = {1, 2, 5, 20, 32, 33, 128};
    options.terms = kTerms[random.Below(7)];
    if (random.Below(3) == 0) {
      options.expire_after = 1 + static_cast<int64_t>(random.Below(300));
    }
    const int64_t size =
        1 + ShareOf(static_cast<int64_t>(random.Below(2000)), 100);
    options.merge_every =
        1 +
        static_cast<int64_t>(random.Below(random.Below(4) == 0 ? 10 : size));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(400));
    const CollisionStream stream = MakeCollisionStream(
        &random, random.Below(4) == 0 ? std::min<int64_t>(size, 300) : size,
        std::min(options.terms, num_terms), num_terms);
    merges += ExpectSerial(stream, options,
                           1 + static_cast<int64_t>(random.Below(3)));
    if (HasFailure()) return;
  }
  EXPECT_GT(merges, 0);
}

// Documents of one common term and some of their own. Each is a cluster, and
// similar to all others, so that there are more pairs than room for them.
TEST_F(DeviceMergingTest, EqualsSerialWithMorePairsThanRoom) {
  CollisionStream stream;
  constexpr int32_t kDocuments = 400;
  stream.documents.num_terms = 1 + 4 * kDocuments;
  for (int32_t d = 0; d < kDocuments; ++d) {
    stream.documents.terms.push_back(0);
    stream.documents.weights.push_back(800 << 20);
    for (int32_t k = 0; k < 4; ++k) {
      stream.documents.terms.push_back(1 + 4 * d + k);
      stream.documents.weights.push_back((319 - d % 7) << 20);
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(d);
  }
  OnlineOptions options;
  options.threshold = {9, 10};
  options.merge_threshold = {5, 10};
  options.merge_every = kDocuments;
  EXPECT_GT(ExpectSerial(stream, options, 0), 0);
}

// Many sums outside the K largest, of clusters that merge again and again: the
// table of sums moves, without those of clusters that are closed.
TEST_F(DeviceMergingTest, EqualsSerialWithManySums) {
  if (!TakesCase()) return;
  Random random(3);
  CollisionStream stream;
  stream.documents.num_terms = 60000;
  const int64_t size = ShareOf(40000, 4000);
  for (int64_t d = 0; d < size; ++d) {
    // Its story, the event, and what is said of it.
    const auto story = static_cast<int32_t>(random.Below(500));
    const auto event = 500 + story * 4 + static_cast<int32_t>(random.Below(4));
    std::vector<std::pair<int32_t, int32_t>> row = {{story, 550}, {event, 650}};
    int32_t term = 3000;
    for (int k = 0; k < 6; ++k) {
      term += 1 + static_cast<int32_t>(random.Below(9000));
      row.emplace_back(term, 200);
    }
    for (const auto& [its, weight] : row) {
      stream.documents.terms.push_back(its);
      stream.documents.weights.push_back(weight << 20);
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(d);
  }
  OnlineOptions options;
  options.threshold = {6, 10};
  options.merge_threshold = {35, 100};
  options.terms = 8;
  options.merge_every = size / 10;
  for (const int64_t expire_after : {int64_t{0}, int64_t{2000}}) {
    options.expire_after = expire_after;
    EXPECT_GT(ExpectSerial(stream, options, 4), 0);
  }
}

// The cluster that merges has more sums than there is room for at first.
TEST_F(DeviceMergingTest, EqualsSerialWhereALargeClusterMerges) {
  if (!TakesCase()) return;
  CollisionStream stream;
  constexpr int32_t kDocuments = 1500;
  constexpr int32_t kOwn = 13;  // terms
  stream.documents.num_terms = 2 + kDocuments * kOwn;
  const auto end_document = [&] {
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  };
  stream.documents.terms = {0, 1};
  stream.documents.weights = {800 << 20, 600 << 20};
  end_document();
  for (int32_t d = 0; d < kDocuments; ++d) {
    stream.documents.terms.push_back(1);
    stream.documents.weights.push_back(920 << 20);
    for (int32_t k = 0; k < kOwn; ++k) {
      stream.documents.terms.push_back(2 + d * kOwn + k);
      stream.documents.weights.push_back((100 + d % 5) << 20);
    }
    end_document();
  }
  OnlineOptions options;
  options.threshold = {7, 10};
  options.merge_threshold = {5, 10};
  options.merge_every = kDocuments + 1;
  EXPECT_EQ(ExpectSerial(stream, options, 0), 1);
}

// Lists of thousands of clusters, which a search takes in passes and slices.
TEST_F(DeviceMergingTest, EqualsSerialWithCrowdedTerms) {
  if (!TakesCase()) return;
  Random random(11);
  CollisionStream stream;
  constexpr int32_t kCommon = 36;
  stream.documents.num_terms = kCommon + 20000;
  const int64_t size = ShareOf(12000, 400);
  for (int64_t d = 0; d < size; ++d) {
    for (int k = 0; k < 6; ++k) {
      stream.documents.terms.push_back(k * 6 +
                                       static_cast<int32_t>(random.Below(6)));
      stream.documents.weights.push_back(200 << 20);
    }
    stream.documents.terms.push_back(kCommon +
                                     static_cast<int32_t>(random.Below(20000)));
    stream.documents.weights.push_back(
        static_cast<int32_t>((600 + random.Below(300)) << 20));
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  }
  OnlineOptions options;
  options.threshold = {9, 10};
  options.merge_threshold = {8, 10};
  options.terms = 7;
  options.merge_every = size / 3;
  EXPECT_GT(ExpectSerial(stream, options, 2), 0);
}

TEST_F(DeviceMergingTest, LittleMemory) {
  Random random(6);
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(6000, 400), 20, 3000);
  for (const int64_t expire_after : {int64_t{0}, int64_t{5000}}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(expire_after);
    OnlineOptions options;
    options.merge_every = 1000;
    options.expire_after = expire_after;
    ExpectLittleMemoryHolds(
        "on the GPU", 1,
        [&] {
          return ClusterAndMerge(stream, options, 0,
                                 [&](const OnlineState& state) {
                                   return internal::MakeBatchedClustererCuda(
                                       options, state, 1024, 4000);
                                 });
        },
        [](const auto& a, const auto& b) { return a == b; });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
