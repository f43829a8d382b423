// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The paper's clusterers on the GPU against their twin on the CPU and against
// Serial Clusterer 2, cluster by cluster and sum by sum.

#include "algorithms/online/paper/cuda/multiple_document_clusterer_cuda.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/paper/cuda/paper_search_cuda.h"
#include "algorithms/online/paper/multiple_document_clusterer.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "algorithms/online/testing/whole_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class MultipleDocumentClustererCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

struct Outcome {
  std::vector<int32_t> clusters;
  OnlineState state;
};

Outcome RunEngine(OnlineEngine& engine, const CollisionStream& stream) {
  Outcome outcome;
  outcome.clusters.resize(stream.clocks.size(), -2);
  const absl::Status clustered = engine.Cluster(
      stream.documents, stream.clocks, absl::MakeSpan(outcome.clusters));
  EXPECT_TRUE(clustered.ok()) << clustered;
  absl::StatusOr<OnlineState> state = engine.State();
  EXPECT_TRUE(state.ok()) << state.status();
  if (state.ok()) outcome.state = *std::move(state);
  // For the caller of State to fill.
  outcome.state.clock = stream.clocks.empty() ? 0 : stream.clocks.back();
  outcome.state.num_terms = stream.documents.num_terms;
  return outcome;
}

struct Case {
  int32_t batch = 1;
  Decimal epsilon = "0";
  bool exhaustive = false;
  int64_t tile_products = PaperSearch::kTileProducts;
};

// Both continue from `state`; returns the CPU's.
Outcome ExpectSameOnBoth(const OnlineOptions& options, const OnlineState& state,
                         const Case& c, const CollisionStream& stream) {
  MultipleDocumentOptions snapshot;
  snapshot.batch = c.batch;
  snapshot.epsilon = c.epsilon;
  snapshot.exhaustive = c.exhaustive;
  const std::unique_ptr<OnlineEngine> cpu =
      MakeMultipleDocumentClusterer(options, state, snapshot);
  Outcome expected = RunEngine(*cpu, stream);
  const absl::StatusOr<std::unique_ptr<OnlineEngine>> cuda =
      internal::MakeMultipleDocumentClustererCuda(options, state, snapshot,
                                                  c.tile_products);
  EXPECT_TRUE(cuda.ok()) << cuda.status();
  if (!cuda.ok()) return expected;
  const Outcome outcome = RunEngine(**cuda, stream);
  EXPECT_EQ(outcome.clusters, expected.clusters);
  EXPECT_EQ(outcome.state, expected.state);
  EXPECT_EQ((*cuda)->num_clusters(), cpu->num_clusters());
  const OnlineCounts counts = (*cuda)->counts();
  const OnlineCounts cpu_counts = cpu->counts();
  EXPECT_EQ(counts.batches, cpu_counts.batches);
  if (options.expire_after == 0) {  // Lists are swept at other times.
    EXPECT_EQ(counts.partial_products, cpu_counts.partial_products);
    EXPECT_EQ(counts.candidates, cpu_counts.candidates);
    EXPECT_EQ(counts.list_entries, cpu_counts.list_entries);
    EXPECT_EQ(counts.lists, cpu_counts.lists);
  }
  return expected;
}

OnlineOptions RandomOptions(Random* random) {
  const std::vector<Decimal> thresholds = {{0, 1}, {1, 10}, {1, 2}, {7, 10}};
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = thresholds[random->Below(thresholds.size())];
  options.terms = static_cast<int32_t>(1 + random->Below(10));
  options.expire_after = static_cast<int64_t>(random->Below(2) * 30);
  options.truncated_mean = random->Below(3) == 0;
  return options;
}

TEST_F(MultipleDocumentClustererCudaTest, RandomStreams) {
  const std::vector<Decimal> epsilons = {
      {0, 1}, {0, 1}, {1, 1000000000}, {625, 10000}, {1, 1}};
  const std::vector<int64_t> tiles = {1, 100, PaperSearch::kTileProducts};
  for (uint64_t seed = 0; seed < 48; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const OnlineOptions options = RandomOptions(&random);
    Case c;
    c.batch = std::vector<int32_t>{1, 3, 64, 1000}[seed % 4];
    c.epsilon = epsilons[random.Below(epsilons.size())];
    c.tile_products = tiles[random.Below(tiles.size())];
    c.exhaustive = random.Below(3) == 0;
    const CollisionStream stream = MakeCollisionStream(
        &random,
        1 + ShareOf(
                static_cast<int64_t>(random.Below(c.batch < 10 ? 300 : 3000)),
                100),
        options.terms, static_cast<int32_t>(1 + random.Below(120)));
    const Outcome half = ExpectSameOnBoth(options, OnlineState(), c, stream);
    if (HasFailure()) return;
    // Continues from there, with other documents.
    CollisionStream more = MakeCollisionStream(&random, 200, options.terms,
                                               stream.documents.num_terms + 5);
    for (int64_t& clock : more.clocks) clock += half.state.clock;
    ExpectSameOnBoth(options, half.state, c, more);
    if (HasFailure()) return;
  }
}

TEST_F(MultipleDocumentClustererCudaTest,
       ParallelClusterer1IsSerialClusterer2) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed, 1);
    const OnlineOptions options = RandomOptions(&random);
    const CollisionStream stream =
        MakeCollisionStream(&random, 400, options.terms, 100);
    const auto serial = MakeSerialClusterer2(options, OnlineState());
    MultipleDocumentOptions one;
    one.batch = 1;
    const auto cuda =
        MakeMultipleDocumentClustererCuda(options, OnlineState(), one);
    ASSERT_TRUE(cuda.ok()) << cuda.status();
    const Outcome expected = RunEngine(*serial, stream);
    const Outcome outcome = RunEngine(**cuda, stream);
    ASSERT_EQ(outcome.clusters, expected.clusters);
    ASSERT_EQ(outcome.state, expected.state);
  }
}

TEST_F(MultipleDocumentClustererCudaTest, ManyTermsAndAHundredKept) {
  Random random(5);
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {1, 10};
  for (const int32_t terms : {33, 128}) {
    options.terms = terms;
    const CollisionStream stream =
        MakeCollisionStream(&random, ShareOf(3000, 300), terms, 2000);
    ExpectSameOnBoth(options, OnlineState(), {.batch = 256}, stream);
    ExpectSameOnBoth(options, OnlineState(),
                     {.batch = 256, .epsilon = "0.0625", .exhaustive = true},
                     stream);
    options.truncated_mean = !options.truncated_mean;
  }
}

TEST_F(MultipleDocumentClustererCudaTest, TheFirstClustererIsTheSecond) {
  // As the paper runs them.
  Random random(9);
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(4000, 1500), 20, 500);
  MultipleDocumentOptions paper;
  paper.epsilon = MultipleDocumentOptions::kPaperEpsilon;
  const auto second =
      ClusterWholeStream(MakeMultipleDocumentClustererCuda(
                             OnlineOptions::Paper(), OnlineState(), paper),
                         stream);
  ASSERT_TRUE(second.ok()) << second.status();
  paper.exhaustive = true;
  const auto first =
      ClusterWholeStream(MakeMultipleDocumentClustererCuda(
                             OnlineOptions::Paper(), OnlineState(), paper),
                         stream);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(*first, *second);
}

TEST_F(MultipleDocumentClustererCudaTest, ABatchJoinsOneCluster) {
  // A document, then a thousand that are near it but not the same.
  Random random(6);
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 20;
  const auto size = static_cast<int32_t>(ShareOf(1001, 100));
  CollisionStream stream;
  stream.documents.num_terms = 500;
  for (int d = 0; d < size; ++d) {
    for (int32_t t = 0; t < 10; ++t) {
      stream.documents.terms.push_back(t);
      stream.documents.weights.push_back(
          static_cast<int32_t>((1 << 28) + random.Below(1000)));
    }
    for (int32_t t = 0; t < 10 && d > 0; ++t) {
      stream.documents.terms.push_back(
          static_cast<int32_t>(10 + t * 49 + random.Below(49)));
      stream.documents.weights.push_back(
          static_cast<int32_t>((1 << 27) + random.Below(1 << 26)));
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(d);
  }
  CollisionStream first;
  first.documents.num_terms = 500;
  first.documents.terms.assign(stream.documents.terms.begin(),
                               stream.documents.terms.begin() + 10);
  first.documents.weights.assign(stream.documents.weights.begin(),
                                 stream.documents.weights.begin() + 10);
  first.documents.offsets = {0, 10};
  first.clocks = {0};
  const Outcome one = ExpectSameOnBoth(options, OnlineState(), {}, first);
  const Outcome all =
      ExpectSameOnBoth(options, one.state, {.batch = size}, stream);
  EXPECT_EQ(all.clusters, std::vector<int32_t>(size, 0));
}

TEST_F(MultipleDocumentClustererCudaTest, ClosedClustersLeaveTheLists) {
  Random random(7);
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {3, 10};
  options.terms = 8;
  options.expire_after = 100;
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(12000, 600), 8, 300);
  ExpectSameOnBoth(options, OnlineState(), {.batch = 64}, stream);
}

TEST_F(MultipleDocumentClustererCudaTest, ListsThatOutgrowTheirPool) {
  // No two documents are alike: a million entries and more.
  Random random(8);
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {9, 10};
  options.terms = 64;
  CollisionStream stream;
  stream.documents.num_terms = 4096;
  const int64_t size = ShareOf(40000, 500);
  for (int64_t d = 0; d < size; ++d) {
    for (int32_t t = 0; t < 64; ++t) {
      stream.documents.terms.push_back(
          static_cast<int32_t>(t * 64 + random.Below(64)));
      stream.documents.weights.push_back(1 << 27);
    }
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(d);
  }
  ExpectSameOnBoth(options, OnlineState(), {.batch = 1024}, stream);
}

TEST_F(MultipleDocumentClustererCudaTest, NoDocuments) {
  ExpectSameOnBoth(OnlineOptions::Paper(), OnlineState(), {.batch = 16},
                   CollisionStream());
}

// Smaller tiles of products, fewer documents at a time.
TEST_F(MultipleDocumentClustererCudaTest, LittleMemory) {
  Random random(8);
  const CollisionStream stream =
      MakeCollisionStream(&random, ShareOf(3000, 150), 20, 500);
  for (const Case& c : {Case{1, {0, 1}}, Case{64, {0, 1}}, Case{500, {0, 1}},
                        Case{500, {5, 100}}, Case{500, {0, 1}, true}}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(absl::StrCat("batch ", c.batch));
    OnlineOptions options = OnlineOptions::Paper();
    options.expire_after = c.batch == 64 ? 500 : 0;
    MultipleDocumentOptions taken;
    taken.batch = c.batch;
    taken.epsilon = c.epsilon;
    taken.exhaustive = c.exhaustive;
    ExpectLittleMemoryHolds(
        "on the GPU", 1,
        [&] {
          return ClusterWholeStream(
              MakeMultipleDocumentClustererCuda(options, OnlineState(), taken),
              stream);
        },
        [](const auto& a, const auto& b) { return a == b; });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
