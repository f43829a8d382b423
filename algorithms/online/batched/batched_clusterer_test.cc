// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches against Serial Clusterer 1, one document after the other.

#include "algorithms/online/batched/batched_clusterer.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/serial/serial_clusterers.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

CollisionStream Part(const CollisionStream& stream, int64_t begin,
                     int64_t end) {
  CollisionStream part;
  const UnitVectors& all = stream.documents;
  part.documents.num_terms = all.num_terms;
  part.documents.terms.assign(all.terms.begin() + all.offsets[begin],
                              all.terms.begin() + all.offsets[end]);
  part.documents.weights.assign(all.weights.begin() + all.offsets[begin],
                                all.weights.begin() + all.offsets[end]);
  for (int64_t d = begin + 1; d <= end; ++d) {
    part.documents.offsets.push_back(all.offsets[d] - all.offsets[begin]);
  }
  part.clocks.assign(stream.clocks.begin() + begin,
                     stream.clocks.begin() + end);
  return part;
}

std::vector<int32_t> Cluster(OnlineEngine* engine,
                             const CollisionStream& stream) {
  std::vector<int32_t> clusters(stream.documents.size(), -1);
  EXPECT_TRUE(
      engine->Cluster(stream.documents, stream.clocks, absl::MakeSpan(clusters))
          .ok());
  return clusters;
}

OnlineState StateOf(OnlineEngine* engine, const CollisionStream& stream) {
  absl::StatusOr<OnlineState> state = engine->State();
  EXPECT_TRUE(state.ok());
  state->num_documents = stream.documents.size();
  if (!stream.clocks.empty()) state->clock = stream.clocks.back();
  state->num_terms = stream.documents.num_terms;
  return *state;
}

// Batches however few entries there are, as `options` says otherwise.
BatchedOptions Always(int32_t batch, int threads) {
  BatchedOptions options;
  options.batch = batch;
  options.num_threads = threads;
  options.entries_worth_threads = 0;
  return options;
}

void ExpectAsSerial(const CollisionStream& stream, const OnlineOptions& options,
                    const BatchedOptions& batched, int64_t resume_at) {
  SCOPED_TRACE(testing::Message()
               << "T = " << options.threshold.numerator << " / "
               << options.threshold.denominator << ", K = " << options.terms
               << ", expire after " << options.expire_after
               << ", Q = " << batched.batch << ", threads "
               << batched.num_threads << ", resumed at " << resume_at);
  const auto serial = MakeSerialClusterer1(options, {});
  const std::vector<int32_t> expected = Cluster(serial.get(), stream);

  auto engine = MakeBatchedClusterer(options, {}, batched);
  const CollisionStream first = Part(stream, 0, resume_at);
  std::vector<int32_t> clusters = Cluster(engine.get(), first);
  engine = MakeBatchedClusterer(options, StateOf(engine.get(), first), batched);
  const std::vector<int32_t> more =
      Cluster(engine.get(), Part(stream, resume_at, stream.documents.size()));
  clusters.insert(clusters.end(), more.begin(), more.end());

  ASSERT_EQ(clusters, expected);
  ASSERT_EQ(engine->num_clusters(), serial->num_clusters());
  const OnlineState state = StateOf(engine.get(), stream);
  ASSERT_EQ(state, StateOf(serial.get(), stream));
  EXPECT_EQ(engine->counts().list_entries, serial->counts().list_entries);
  EXPECT_EQ(engine->counts().lists, serial->counts().lists);
}

TEST(BatchedClustererTest, AsSerialOnStreamsThatCollide) {
  constexpr int32_t kTerms[] = {1, 2, 3, 8, 20, 128};
  const Decimal thresholds[] = {{0, 1}, {5, 100},    {3, 10},
                                {1, 2}, {999, 1000}, {1, 1}};
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = kTerms[seed % 6];
    const auto size = static_cast<int64_t>(random.Below(500));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(200));
    const CollisionStream stream =
        MakeCollisionStream(&random, size, options.terms, num_terms);
    for (const Decimal& threshold : thresholds) {
      options.threshold = threshold;
      options.expire_after =
          random.Below(2) == 0 ? 0 : 1 + static_cast<int64_t>(random.Below(99));
      for (const int32_t batch : {1, 2, 3, 7, 64, 1000}) {
        // One round per document takes long.
        const int64_t part = batch < 7 ? std::min<int64_t>(size, 60) : size;
        const auto resume_at = static_cast<int64_t>(random.Below(part + 1));
        const auto threads = static_cast<int>(1 + random.Below(3));
        ExpectAsSerial(Part(stream, 0, part), options, Always(batch, threads),
                       resume_at);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Every document is near one story: one cluster that all of a batch hits, or
// many that are born and grow in it.
TEST(BatchedClustererTest, AsSerialInABurst) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = 6;
    CollisionStream stream;
    stream.documents.num_terms = 12;
    for (int64_t d = 0; d < 400; ++d) {
      // A drifting window of terms.
      for (int32_t t = 0; t < 12; ++t) {
        const int64_t distance = std::abs(t - d / 40);
        if (random.Below(1 + distance) > 0) continue;
        stream.documents.terms.push_back(t);
      }
      const int64_t begin = stream.documents.offsets.back();
      const auto count =
          static_cast<int64_t>(stream.documents.terms.size()) - begin;
      for (int64_t i = 0; i < std::min<int64_t>(count, 6); ++i) {
        stream.documents.weights.push_back(
            static_cast<int32_t>((1 << 30) / (count + 1)));
      }
      stream.documents.terms.resize(stream.documents.weights.size());
      stream.documents.offsets.push_back(
          static_cast<int64_t>(stream.documents.terms.size()));
      stream.clocks.push_back(d);
    }
    for (const Decimal& threshold :
         {Decimal("0"), Decimal("0.3"), Decimal("0.6"), Decimal("0.9")}) {
      options.threshold = threshold;
      options.expire_after = seed % 2 == 0 ? 0 : 20;
      for (const int32_t batch : {5, 100, 1000}) {
        ExpectAsSerial(stream, options, Always(batch, 2),
                       static_cast<int64_t>(random.Below(400)));
        if (HasFatalFailure()) return;
      }
    }
  }
}

// More clusters above the threshold than a document takes note of, all touched
// before its turn: it has to look again.
TEST(BatchedClustererTest, LooksAgainWhenAllThatItFoundHaveChanged) {
  CollisionStream stream;
  stream.documents.num_terms = 101;
  const auto add = [&](int32_t own) {
    // 0.6 of the term that all share.
    stream.documents.terms.insert(stream.documents.terms.end(), {0, own});
    stream.documents.weights.insert(stream.documents.weights.end(),
                                    {644245094, 858993459});
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  };
  // 40 clusters, then what moves 20 of them away from the shared term, then
  // documents of that alone.
  for (int32_t c = 0; c < 40; ++c) add(c + 1);
  for (int32_t c = 0; c < 20; ++c) {
    for (int i = 0; i < 3; ++i) {
      stream.documents.terms.push_back(c + 1);
      stream.documents.weights.push_back(1 << 30);
      stream.documents.offsets.push_back(
          static_cast<int64_t>(stream.documents.terms.size()));
      stream.clocks.push_back(0);
    }
  }
  for (int i = 0; i < 3; ++i) {
    stream.documents.terms.push_back(0);
    stream.documents.weights.push_back(1 << 30);
    stream.documents.offsets.push_back(
        static_cast<int64_t>(stream.documents.terms.size()));
    stream.clocks.push_back(0);
  }
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {4, 10};
  for (const int threads : {2, 3}) {
    ExpectAsSerial(stream, options, Always(50, threads), 40);
    const auto engine = MakeBatchedClusterer(options, {}, Always(50, threads));
    Cluster(engine.get(), Part(stream, 0, 40));
    EXPECT_EQ(Cluster(engine.get(), Part(stream, 40, 103)).back(), 20);
    EXPECT_GT(engine->counts().repeated, 0);
  }
}

TEST(BatchedClustererTest, ChoosesByItselfWhetherThreadsAreWorthIt) {
  Random random(7);
  const CollisionStream stream = MakeCollisionStream(&random, 12000, 12, 60);
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {95, 100};
  BatchedOptions batched;
  batched.batch = 128;
  batched.num_threads = 2;
  const auto engine = MakeBatchedClusterer(options, {}, batched);
  const auto serial = MakeSerialClusterer2(options, {});
  EXPECT_EQ(Cluster(engine.get(), stream), Cluster(serial.get(), stream));
  EXPECT_EQ(StateOf(engine.get(), stream), StateOf(serial.get(), stream));
  EXPECT_GT(engine->counts().batches, 0);
  EXPECT_LT(engine->counts().batches, 12000 / 128);
}

}  // namespace
}  // namespace warpclust
