// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Serial Clusterers 1 and 2 against an oracle that shares nothing with them.

#include "algorithms/online/serial/serial_clusterers.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "algorithms/online/testing/online_oracle.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using MakeEngine = std::unique_ptr<OnlineEngine> (*)(const OnlineOptions&,
                                                     const OnlineState&);
constexpr MakeEngine kEngines[] = {MakeSerialClusterer1, MakeSerialClusterer2};

UnitVectors Rows(const UnitVectors& documents, int64_t begin, int64_t end) {
  UnitVectors rows;
  rows.num_terms = documents.num_terms;
  for (int64_t d = begin; d < end; ++d) {
    const absl::Span<const int32_t> terms = documents.TermsOf(d);
    const absl::Span<const int32_t> weights = documents.WeightsOf(d);
    rows.terms.insert(rows.terms.end(), terms.begin(), terms.end());
    rows.weights.insert(rows.weights.end(), weights.begin(), weights.end());
    rows.offsets.push_back(static_cast<int64_t>(rows.terms.size()));
  }
  return rows;
}

std::vector<int32_t> Cluster(OnlineEngine& engine, const UnitVectors& documents,
                             absl::Span<const int64_t> clocks) {
  std::vector<int32_t> clusters(documents.size(), -1);
  const absl::Status status =
      engine.Cluster(documents, clocks, absl::MakeSpan(clusters));
  EXPECT_TRUE(status.ok()) << status;
  return clusters;
}

// With the fields that the caller of an engine fills.
OnlineState State(OnlineEngine& engine, int64_t num_documents, int64_t clock,
                  int32_t num_terms) {
  absl::StatusOr<OnlineState> state = engine.State();
  EXPECT_TRUE(state.ok()) << state.status();
  state->num_documents = num_documents;
  state->clock = clock;
  state->num_terms = num_terms;
  EXPECT_EQ(ValidateOnlineState(*state), absl::OkStatus());
  return *state;
}

UnitVectors Documents(const std::vector<std::vector<int32_t>>& weights) {
  UnitVectors documents;
  for (const std::vector<int32_t>& row : weights) {
    documents.num_terms =
        std::max(documents.num_terms, static_cast<int32_t>(row.size()));
    for (size_t t = 0; t < row.size(); ++t) {
      if (row[t] == 0) continue;
      documents.terms.push_back(static_cast<int32_t>(t));
      documents.weights.push_back(row[t]);
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  return documents;
}

constexpr int32_t kOne = 1 << 30;
// 0.6 and 0.8.
constexpr int32_t kSix = 644245094;
constexpr int32_t kEight = 858993459;

// T = 0.5, K = 2. Documents of terms a, b, c:
//   0  a          founds 0
//   1  .6a .8b    .6 to 0: joins; sums 1.6a .8b: (.894, .447)
//   2  b          .447 to 0: founds 1
//   3  .8b .6c    .358 to 0, .8 to 1: joins; sums 1.8b .6c: (.949, .316)
//   4  c          .316 to 1: founds 2
//   5  .6b .8c    .8 to 2, .822 to 1: joins 1; sums 2.4b 1.4c: (.864, .504)
//   6  c          .504 to 1, 1 to 2: joins 2
//   7  .6a .8c    .537 to 0, .403 to 1, .8 to 2: joins 2; sums .6a 2.8c
TEST(SerialClusterersTest, ByHand) {
  const UnitVectors documents = Documents({{kOne},
                                           {kSix, kEight},
                                           {0, kOne},
                                           {0, kEight, kSix},
                                           {0, 0, kOne},
                                           {0, kSix, kEight},
                                           {0, 0, kOne},
                                           {kSix, 0, kEight}});
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 2;
  const std::vector<int64_t> clocks(8, OnlineState::kNoTime);
  for (const MakeEngine make : kEngines) {
    const auto engine = make(options, OnlineState());
    EXPECT_EQ(Cluster(*engine, documents, clocks),
              (std::vector<int32_t>{0, 0, 1, 1, 2, 1, 2, 2}));
    EXPECT_EQ(engine->num_clusters(), 3);
    const OnlineState state = State(*engine, 8, OnlineState::kNoTime, 3);
    EXPECT_EQ(state.sizes, (std::vector<int64_t>{2, 3, 3}));
    EXPECT_EQ(state.offsets, (std::vector<int64_t>{0, 2, 4, 6}));
    EXPECT_EQ(state.terms, (std::vector<int32_t>{0, 1, 1, 2, 0, 2}));
    EXPECT_EQ(state.sums,
              (std::vector<int64_t>{
                  int64_t{kOne} + kSix, kEight, int64_t{kOne} + kEight + kSix,
                  int64_t{kSix} + kEight, kSix, 2 * int64_t{kOne} + kEight}));
    EXPECT_EQ(engine->counts().list_entries, 6);
    EXPECT_EQ(engine->counts().lists, 3);
  }
}

TEST(SerialClusterersTest, TheThresholdIsStrict) {
  // The similarity of document 1 to document 0 is 2^59, exactly 0.5; that of
  // document 2 is 2^30 more.
  const UnitVectors documents =
      Documents({{kOne}, {kOne / 2, 929887697}, {kOne / 2 + 1, 0, 929887696}});
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {5, 10};
  for (const MakeEngine make : kEngines) {
    const auto engine = make(options, OnlineState());
    EXPECT_EQ(Cluster(*engine, documents,
                      std::vector<int64_t>(3, OnlineState::kNoTime)),
              (std::vector<int32_t>{0, 1, 0}));
  }
}

TEST(SerialClusterersTest, AtOneNothingJoinsAtZeroWhateverSharesATerm) {
  const UnitVectors documents =
      Documents({{kOne}, {kOne}, {}, {1, kOne}, {}, {0, 0, kOne}});
  OnlineOptions options = OnlineOptions::Paper();
  const std::vector<int64_t> clocks(6, 0);
  for (const MakeEngine make : kEngines) {
    options.threshold = {1, 1};
    EXPECT_EQ(Cluster(*make(options, OnlineState()), documents, clocks),
              (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
    options.threshold = {0, 1};
    EXPECT_EQ(Cluster(*make(options, OnlineState()), documents, clocks),
              (std::vector<int32_t>{0, 0, 1, 0, 2, 3}));
  }
}

TEST(SerialClusterersTest, TiesGoToTheSmallestNumber) {
  // Documents 0 and 1 differ in one term each; 2 is as near to both.
  const UnitVectors documents =
      Documents({{kSix, kEight}, {kSix, 0, kEight}, {0, 759250125, 759250125}});
  OnlineOptions options = OnlineOptions::Paper();
  for (const MakeEngine make : kEngines) {
    EXPECT_EQ(Cluster(*make(options, OnlineState()), documents,
                      std::vector<int64_t>(3, 0)),
              (std::vector<int32_t>{0, 1, 0}));
  }
}

// Nineteen terms whose sums are nothing beside the first: a document that has
// them all meets the cluster once, not nineteen times.
TEST(SerialClusterersTest, TermsThatNearlyVanish) {
  UnitVectors documents;
  documents.num_terms = 20;
  const auto add = [&](int32_t first, int32_t others) {
    for (int32_t t = 0; t < 20; ++t) {
      const int32_t weight = t == 0 ? first : others;
      if (weight == 0) continue;
      documents.terms.push_back(t);
      documents.weights.push_back(weight);
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  };
  add(kOne, 1);
  for (int i = 0; i < 9; ++i) add(kOne, 0);
  add(0, kOne / 5);
  add(0, kOne / 5);
  OnlineOptions options = OnlineOptions::Paper();
  for (const char* threshold : {"0.5", "0"}) {
    options.threshold = *ParseDecimal(threshold);
    OnlineOracle oracle(options);
    std::vector<int32_t> expected;
    for (int64_t d = 0; d < documents.size(); ++d) {
      expected.push_back(oracle.Add(documents, d, 0));
    }
    for (const MakeEngine make : kEngines) {
      const auto engine = make(options, OnlineState());
      EXPECT_EQ(Cluster(*engine, documents, std::vector<int64_t>(12, 0)),
                expected);
      EXPECT_EQ(State(*engine, 12, 0, 20), oracle.State());
    }
  }
}

TEST(SerialClusterersTest, ClustersExpire) {
  const UnitVectors documents =
      Documents({{kOne}, {kOne}, {kOne}, {0, kOne}, {kOne}, {kOne}});
  OnlineOptions options = OnlineOptions::Paper();
  options.expire_after = 10;
  const std::vector<int64_t> clocks = {
      OnlineState::kNoTime, 100, 110, 121, 121, 131};
  for (const MakeEngine make : kEngines) {
    const auto engine = make(options, OnlineState());
    // 110 to 121 is more than 10; 121 to 131 is not.
    EXPECT_EQ(Cluster(*engine, documents, clocks),
              (std::vector<int32_t>{0, 0, 0, 1, 2, 2}));
    const OnlineState state = State(*engine, 6, 131, 2);
    EXPECT_EQ(state.offsets, (std::vector<int64_t>{0, 0, 1, 2}));
    EXPECT_EQ(state.sizes, (std::vector<int64_t>{3, 1, 2}));
    EXPECT_EQ(state.last_times, (std::vector<int64_t>{110, 121, 131}));
  }
}

TEST(SerialClusterersTest, RandomStreamsGiveWhatTheOracleGives) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = static_cast<int32_t>(1 + random.Below(6));
    options.threshold = {static_cast<int64_t>(random.Below(11)), 10};
    options.expire_after =
        random.Below(2) == 0 ? 0 : static_cast<int64_t>(1 + random.Below(30));
    const auto size = static_cast<int64_t>(random.Below(120));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(25));
    CollisionStream stream =
        MakeCollisionStream(&random, size, options.terms, num_terms);
    if (random.Below(4) == 0) {  // No times before the middle.
      for (int64_t d = 0; d < size / 2; ++d) {
        stream.clocks[d] = OnlineState::kNoTime;
      }
    }
    const UnitVectors& documents = stream.documents;
    OnlineOracle oracle(options);
    std::vector<int32_t> expected;
    std::vector<OnlineState> states = {oracle.State()};
    for (int64_t d = 0; d < size; ++d) {
      expected.push_back(oracle.Add(documents, d, stream.clocks[d]));
      states.push_back(oracle.State());
    }
    const int64_t end = size == 0 ? OnlineState::kNoTime : stream.clocks.back();
    states.back().num_terms = num_terms;
    for (const MakeEngine make : kEngines) {
      const auto engine = make(options, OnlineState());
      ASSERT_EQ(Cluster(*engine, documents, stream.clocks), expected);
      ASSERT_EQ(State(*engine, size, end, num_terms), states.back());
      EXPECT_EQ(engine->num_clusters(), states.back().num_clusters());
      // From the oracle's state at each position, or at some.
      const int64_t step = seed < 50 ? 1 : 1 + size / 4;
      for (int64_t d = 0; d <= size; d += step) {
        const auto resumed = make(options, states[d]);
        ASSERT_EQ(Cluster(*resumed, Rows(documents, d, size),
                          absl::MakeConstSpan(stream.clocks).subspan(d)),
                  std::vector<int32_t>(expected.begin() + d, expected.end()))
            << "from " << d;
        ASSERT_EQ(State(*resumed, size, end, num_terms), states.back())
            << "from " << d;
      }
    }
  }
}

TEST(SerialClusterersTest, SerialClusterer2MultipliesOnlyWhatIsInLists) {
  const UnitVectors documents = Documents({{kOne}, {0, kOne}, {kSix, kEight}});
  OnlineOptions options = OnlineOptions::Paper();
  const std::vector<int64_t> clocks(3, 0);
  const auto engine1 = MakeSerialClusterer1(options, OnlineState());
  const auto engine2 = MakeSerialClusterer2(options, OnlineState());
  Cluster(*engine1, documents, clocks);
  Cluster(*engine2, documents, clocks);
  EXPECT_EQ(engine1->counts().candidates, 0 + 1 + 2);
  EXPECT_EQ(engine2->counts().candidates, 0 + 0 + 2);
  EXPECT_EQ(engine2->counts().partial_products, 2);
}

}  // namespace
}  // namespace warpclust
