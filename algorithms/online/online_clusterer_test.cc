// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole streams through OnlineClusterer, by every method, in calls of every
// length, with times, expiry and merges, stopped and resumed, against the
// oracle.

#include "algorithms/online/online_clusterer.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/online_oracle.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

struct Stream {
  DocumentMatrix documents;
  std::vector<int64_t> times;
};

// Documents of a few stories that drift, with repeated ones, empty ones, and
// times that are missing or step back.
Stream MakeStream(Random* random, int64_t size, int32_t num_terms) {
  Stream stream;
  stream.documents.num_terms = num_terms;
  int64_t time = 1000;
  for (int64_t d = 0; d < size; ++d) {
    std::vector<float> row(num_terms);
    const uint64_t story = random->Below(4) * 3 + d / 16;
    const uint64_t count = random->Below(8);
    for (uint64_t i = 0; i < count; ++i) {
      row[(story + random->Below(5)) % num_terms] =
          random->Below(10) == 0 ? 1e-9f
                                 : static_cast<float>(1 + random->Below(3));
    }
    for (int32_t t = 0; t < num_terms; ++t) {
      if (row[t] == 0) continue;
      stream.documents.terms.push_back(t);
      stream.documents.weights.push_back(row[t]);
    }
    stream.documents.offsets.push_back(stream.documents.num_entries());
    time += static_cast<int64_t>(random->Below(8)) - 1;
    stream.times.push_back(random->Below(6) == 0 ? OnlineState::kNoTime : time);
  }
  return stream;
}

DocumentMatrix Rows(const DocumentMatrix& documents, int64_t begin,
                    int64_t end) {
  DocumentMatrix rows;
  rows.num_terms = documents.num_terms;
  rows.offsets.clear();
  const int64_t first = documents.offsets[begin];
  const int64_t last = documents.offsets[end];
  for (int64_t d = begin; d <= end; ++d) {
    rows.offsets.push_back(documents.offsets[d] - first);
  }
  rows.terms.assign(documents.terms.begin() + first,
                    documents.terms.begin() + last);
  rows.weights.assign(documents.weights.begin() + first,
                      documents.weights.begin() + last);
  return rows;
}

OnlineClusterer Create(const OnlineOptions& options,
                       const OnlineMethodOptions& method_options,
                       const OnlineState& state = OnlineState()) {
  absl::StatusOr<OnlineClusterer> clusterer =
      OnlineClusterer::Create(options, method_options, state);
  if (!clusterer.ok()) ADD_FAILURE() << clusterer.status();
  return *std::move(clusterer);
}

OnlineState StateOf(OnlineClusterer& clusterer) {
  absl::StatusOr<OnlineState> state = clusterer.State();
  EXPECT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(ValidateOnlineState(*state), absl::OkStatus());
  return *state;
}

// On the CPU, whatever else there is.
std::vector<OnlineMethodOptions> ExactMethods() {
  std::vector<OnlineMethodOptions> methods;
  for (const OnlineMethod method :
       {OnlineMethod::kSerial1, OnlineMethod::kSerial2, OnlineMethod::kAuto,
        OnlineMethod::kBatched}) {
    for (const int threads : {1, 3}) {
      for (const int32_t batch : {0, 1, 5, 64}) {
        const bool serial = method == OnlineMethod::kSerial1 ||
                            method == OnlineMethod::kSerial2;
        if (serial && (batch != 0 || threads != 1)) continue;
        methods.push_back({.method = method,
                           .batch = batch,
                           .device = Device::kCpu,
                           .num_threads = threads});
      }
    }
  }
  // With one document per batch and no buckets they are exact.
  for (const OnlineMethod method :
       {OnlineMethod::kMdc1, OnlineMethod::kMdc2, OnlineMethod::kApproximate}) {
    methods.push_back({.method = method,
                       .batch = 1,
                       .epsilon = Decimal("0"),
                       .device = Device::kCpu,
                       .num_threads = 1});
  }
  return methods;
}

TEST(OnlineClustererTest, EveryExactMethodGivesWhatTheOracleGives) {
  size_t merges = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = static_cast<int32_t>(1 + random.Below(6));
    options.threshold = {static_cast<int64_t>(3 + random.Below(7)), 10};
    if (random.Below(2) == 0) {
      options.expire_after = static_cast<int64_t>(1 + random.Below(60));
    }
    options.truncated_mean = random.Below(3) == 0;
    if (random.Below(3) != 0) {
      options.merge_every = static_cast<int64_t>(1 + random.Below(30));
      options.merge_threshold = {static_cast<int64_t>(3 + random.Below(7)), 10};
    }
    const auto size = static_cast<int64_t>(random.Below(150));
    const Stream stream = MakeStream(&random, size, 20);
    const UnitVectors vectors =
        *MakeUnitVectors(stream.documents, options.terms);
    OnlineOracle oracle(options);
    std::vector<int32_t> expected;
    for (int64_t d = 0; d < size; ++d) {
      expected.push_back(oracle.Add(vectors, d, stream.times[d]));
    }
    merges += oracle.merges().size();

    const std::vector<OnlineMethodOptions> methods = ExactMethods();
    for (size_t m = 0; m < methods.size(); ++m) {
      SCOPED_TRACE(testing::Message() << OnlineMethodName(methods[m].method)
                                      << " batch " << methods[m].batch
                                      << " threads " << methods[m].num_threads);
      OnlineClusterer clusterer = Create(options, methods[m]);
      std::vector<int32_t> clusters(size);
      std::vector<std::pair<int32_t, int32_t>> merged;
      for (int64_t begin = 0; begin < size;) {
        const int64_t end = std::min<int64_t>(
            size, begin + static_cast<int64_t>(random.Below(60)));
        const absl::Status added = clusterer.Add(
            Rows(stream.documents, begin, end),
            absl::MakeConstSpan(stream.times).subspan(begin, end - begin),
            absl::MakeSpan(clusters).subspan(begin, end - begin));
        ASSERT_TRUE(added.ok()) << added;
        begin = end;
        if (random.Below(3) != 0) continue;
        // Stopped, and resumed by another method.
        for (const OnlineMerge& merge : clusterer.merges()) {
          merged.emplace_back(merge.from, merge.into);
          EXPECT_EQ(merge.num_documents % options.merge_every, 0);
        }
        clusterer = Create(options, methods[random.Below(methods.size())],
                           StateOf(clusterer));
      }
      for (const OnlineMerge& merge : clusterer.merges()) {
        merged.emplace_back(merge.from, merge.into);
      }
      ASSERT_EQ(clusters, expected);
      ASSERT_EQ(merged, oracle.merges());
      EXPECT_EQ(clusterer.num_documents(), size);
      const OnlineState state = StateOf(clusterer);
      EXPECT_EQ(clusterer.num_clusters(), state.num_clusters());
      ASSERT_EQ(state, oracle.State());
    }
  }
  EXPECT_GT(merges, 100u);
}

TEST(OnlineClustererTest, UnitVectorsAreTheSameAsDocuments) {
  Random random(1);
  const Stream stream = MakeStream(&random, 200, 20);
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 4;
  options.merge_every = 30;
  OnlineClusterer from_documents = Create(options, {});
  OnlineClusterer from_vectors = Create(options, {});
  OnlineClusterer unchecked = Create(options, {});
  std::vector<int32_t> clusters(200);
  std::vector<int32_t> others(200);
  ASSERT_TRUE(from_documents
                  .Add(stream.documents, stream.times, absl::MakeSpan(clusters))
                  .ok());
  const UnitVectors vectors = *MakeUnitVectors(stream.documents, options.terms);
  ASSERT_TRUE(
      from_vectors.Add(vectors, stream.times, absl::MakeSpan(others)).ok());
  EXPECT_EQ(others, clusters);
  EXPECT_EQ(StateOf(from_documents), StateOf(from_vectors));
  ASSERT_TRUE(
      unchecked.AddMade(vectors, stream.times, absl::MakeSpan(others)).ok());
  EXPECT_EQ(others, clusters);
  EXPECT_EQ(StateOf(from_documents), StateOf(unchecked));
}

TEST(OnlineClustererTest, StartsEmpty) {
  OnlineClusterer clusterer = Create(OnlineOptions::Paper(), {});
  EXPECT_NE(clusterer.method(), OnlineMethod::kAuto);
  EXPECT_NE(clusterer.device(), Device::kAuto);
  EXPECT_TRUE(clusterer.Add(DocumentMatrix(), {}, {}).ok());
  EXPECT_TRUE(clusterer.Add(UnitVectors(), {}, {}).ok());
  EXPECT_EQ(clusterer.num_clusters(), 0);
  EXPECT_EQ(clusterer.num_documents(), 0);
  EXPECT_EQ(StateOf(clusterer), OnlineState());
}

TEST(OnlineClustererTest, CountsGoOnOverMerges) {
  Random random(2);
  const Stream stream = MakeStream(&random, 300, 20);
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = {9, 10};
  options.merge_threshold = {8, 10};
  options.merge_every = 20;
  OnlineMethodOptions methods;
  methods.method = OnlineMethod::kSerial2;
  OnlineClusterer clusterer = Create(options, methods);
  int64_t before = 0;
  for (int64_t d = 0; d < 300; ++d) {
    int32_t cluster = 0;
    ASSERT_TRUE(
        clusterer.Add(Rows(stream.documents, d, d + 1), {}, {&cluster, 1})
            .ok());
    const OnlineCounts counts = clusterer.counts();
    EXPECT_GE(counts.partial_products, before);
    before = counts.partial_products;
    EXPECT_LE(counts.lists, 20);
    EXPECT_LE(counts.list_entries, 20 * int64_t{clusterer.num_clusters()});
  }
  EXPECT_GT(clusterer.merges().size(), 10u);
}

void ExpectStatus(const absl::Status& status, absl::StatusCode code,
                  absl::string_view part) {
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), part))
      << "expected \"" << part << "\" in " << status;
}

TEST(OnlineClustererTest, InvalidInputChangesNothing) {
  Random random(3);
  const Stream stream = MakeStream(&random, 50, 10);
  OnlineClusterer clusterer = Create(OnlineOptions::Paper(), {});
  std::vector<int32_t> numbers(50);
  const absl::Span<int32_t> clusters = absl::MakeSpan(numbers);
  ASSERT_TRUE(clusterer.Add(stream.documents, stream.times, clusters).ok());
  const OnlineState before = StateOf(clusterer);
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

  DocumentMatrix bad = stream.documents;
  bad.weights[0] = -1;
  ExpectStatus(clusterer.Add(bad, stream.times, clusters), kInvalid,
               "document ");
  UnitVectors bad_vectors = *MakeUnitVectors(stream.documents, 21);
  bad_vectors.weights[0] = 0;
  ExpectStatus(clusterer.Add(bad_vectors, stream.times, clusters), kInvalid,
               "document ");
  std::vector<int64_t> times(49);
  ExpectStatus(clusterer.Add(stream.documents, times, clusters), kInvalid,
               "one per document, 50, found 49");
  times = stream.times;
  times[7] = OnlineState::kMaxTime + 1;
  ExpectStatus(clusterer.Add(stream.documents, times, clusters), kInvalid,
               "document 7: expected a time");
  times[7] = -OnlineState::kMaxTime - 1;
  ExpectStatus(clusterer.Add(stream.documents, times, clusters), kInvalid,
               "document 7: expected a time");
  ExpectStatus(
      clusterer.Add(stream.documents, stream.times, clusters.subspan(1)),
      kInvalid, "room for 50 cluster numbers, found 49");
  EXPECT_EQ(StateOf(clusterer), before);
  times[7] = OnlineState::kMaxTime;
  EXPECT_TRUE(clusterer.Add(stream.documents, times, clusters).ok());
  EXPECT_EQ(StateOf(clusterer).clock, OnlineState::kMaxTime);
}

TEST(OnlineClustererTest, CreateChecksEverything) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = 129;
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "terms");
  options = {};
  options.threshold = {3, 2};
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "threshold from 0 to 1, found 1.5");
  options.threshold = {1, 0};
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "threshold from 0 to 1");
  options = {};
  options.merge_threshold = {-1, 10};
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "merge threshold");
  options = {};
  options.expire_after = -1;
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "expires");
  options = {};
  options.merge_every = -1;
  ExpectStatus(OnlineClusterer::Create(options, {}).status(), kInvalid,
               "between merges");
  OnlineMethodOptions methods;
  methods.device = Device::kCuda;
  options = {};
  options.truncated_mean = true;
  ExpectStatus(OnlineClusterer::Create(options, methods).status(),
               ResolveDevice(Device::kCuda).ok()
                   ? kInvalid
                   : absl::StatusCode::kUnavailable,
               "");
  methods = {};
  methods.batch = -1;
  ExpectStatus(
      OnlineClusterer::Create(OnlineOptions::Paper(), methods).status(),
      kInvalid, "batch");
  OnlineState state;
  state.num_documents = 1;
  ExpectStatus(
      OnlineClusterer::Create(OnlineOptions::Paper(), {}, state).status(),
      kInvalid, "documents in all clusters");
}

TEST(OnlineClustererTest, AGpuThatIsNotThereIsUnavailable) {
  if (ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "there is one";
  OnlineMethodOptions methods;
  methods.device = Device::kCuda;
  EXPECT_EQ(
      OnlineClusterer::Create(OnlineOptions::Paper(), methods).status().code(),
      absl::StatusCode::kUnavailable);
  methods = {};
  methods.method = OnlineMethod::kParallel1;
  EXPECT_EQ(
      OnlineClusterer::Create(OnlineOptions::Paper(), methods).status().code(),
      absl::StatusCode::kUnavailable);
}

TEST(OnlineClustererTest, TermsMayBeAnyNumber) {
  constexpr int32_t kLast = std::numeric_limits<int32_t>::max() - 1;
  DocumentMatrix documents;
  documents.offsets = {0, 1, 3, 4};
  documents.terms = {kLast, 0, kLast, 0};
  documents.weights = {1, 1, 2, 1};
  documents.num_terms = kLast + 1;
  OnlineMethodOptions methods;
  methods.device = Device::kCpu;
  for (const OnlineMethod method :
       {OnlineMethod::kSerial1, OnlineMethod::kSerial2, OnlineMethod::kBatched,
        OnlineMethod::kApproximate}) {
    methods.method = method;
    methods.batch = 1;
    OnlineClusterer clusterer = Create(OnlineOptions::Paper(), methods);
    std::vector<int32_t> clusters(3);
    ASSERT_TRUE(clusterer.Add(documents, {}, absl::MakeSpan(clusters)).ok());
    EXPECT_EQ(clusters, (std::vector<int32_t>{0, 0, 1}));
    EXPECT_EQ(StateOf(clusterer).num_terms, kLast + 1);
  }
}

TEST(OnlineClustererTest, TheLimitOfDocumentsIsAnError) {
  OnlineState state;
  state.offsets = {0, 0};
  state.sizes = {OnlineState::kMaxDocuments - 2};
  state.last_times = {0};
  state.num_documents = OnlineState::kMaxDocuments - 2;
  state.clock = 0;
  OnlineClusterer clusterer = Create(OnlineOptions::Paper(), {}, state);
  DocumentMatrix three;
  three.offsets = {0, 0, 0, 0};
  std::vector<int32_t> clusters(3);
  ExpectStatus(clusterer.Add(three, {}, absl::MakeSpan(clusters)),
               absl::StatusCode::kResourceExhausted, "2^32 documents");
  EXPECT_EQ(StateOf(clusterer), state);
  EXPECT_TRUE(
      clusterer
          .Add(Rows(three, 0, 2), {}, absl::MakeSpan(clusters).subspan(0, 2))
          .ok());
  EXPECT_EQ(clusters[0], 1);
  EXPECT_EQ(clusters[1], 2);
}

}  // namespace
}  // namespace warpclust
