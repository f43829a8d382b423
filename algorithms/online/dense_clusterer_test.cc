// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OnlineClusterer on dense documents: against the oracle, against the same
// documents with terms, in pieces, and its errors.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/testing/dense_online_oracle.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

constexpr int64_t kNoTime = OnlineState::kNoTime;

struct Result {
  std::vector<int32_t> clusters;
  OnlineState state;
  std::vector<std::pair<int32_t, int32_t>> merges;
};

DenseDocuments Rows(const DenseDocuments& documents, int32_t begin,
                    int32_t end) {
  DenseDocuments rows = documents;
  rows.num_rows = end - begin;
  rows.values =
      documents.values.subspan(int64_t{begin} * documents.num_dimensions,
                               int64_t{end - begin} * documents.num_dimensions);
  return rows;
}

Result Oracle(const DenseDocuments& documents,
              const std::vector<int64_t>& times, const OnlineOptions& options) {
  DenseOnlineOracle oracle(options);
  Result result;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    result.clusters.push_back(
        oracle.Add(documents.Row(d), times.empty() ? kNoTime : times[d]));
  }
  result.state = oracle.State();
  result.merges = oracle.merges();
  return result;
}

// Adds the documents in calls of random sizes, and saves and restores the state
// between some of them.
Result InPieces(const DenseDocuments& documents,
                const std::vector<int64_t>& times, const OnlineOptions& options,
                const OnlineMethodOptions& methods, Random random) {
  absl::StatusOr<OnlineClusterer> clusterer =
      OnlineClusterer::CreateDense(options, methods);
  EXPECT_TRUE(clusterer.ok()) << clusterer.status();
  const int32_t n = documents.num_documents();
  Result result;
  result.clusters.assign(n, -1);
  const auto take_merges = [&] {
    for (const OnlineMerge& merge : clusterer->merges()) {
      result.merges.emplace_back(merge.from, merge.into);
    }
  };
  for (int32_t begin = 0; begin < n;) {
    const auto most = static_cast<int32_t>(random.Below(3) == 0 ? 3 : n);
    const auto end = static_cast<int32_t>(
        std::min<int64_t>(n, begin + 1 + random.Below(most)));
    const absl::Status added = clusterer->Add(
        Rows(documents, begin, end),
        times.empty() ? absl::Span<const int64_t>()
                      : absl::MakeConstSpan(times).subspan(begin, end - begin),
        absl::MakeSpan(result.clusters).subspan(begin, end - begin));
    EXPECT_TRUE(added.ok()) << added;
    if (random.Below(2) == 0) {
      take_merges();
      absl::StatusOr<OnlineState> state = clusterer->State();
      EXPECT_TRUE(state.ok()) << state.status();
      clusterer = OnlineClusterer::CreateDense(options, methods, *state);
      EXPECT_TRUE(clusterer.ok()) << clusterer.status();
    }
    begin = end;
  }
  take_merges();
  absl::StatusOr<OnlineState> state = clusterer->State();
  EXPECT_TRUE(state.ok()) << state.status();
  result.state = *std::move(state);
  return result;
}

std::vector<OnlineMethodOptions> Methods() {
  std::vector<OnlineMethodOptions> methods(4);
  methods[0].method = OnlineMethod::kSerial1;
  for (size_t i = 1; i < methods.size(); ++i) {
    methods[i].method = OnlineMethod::kBatched;
  }
  methods[1].num_threads = 1;
  methods[1].batch = 5;
  methods[2].num_threads = 3;
  methods[2].batch = 40;
  return methods;
}

std::string Describe(const OnlineMethodOptions& methods) {
  return absl::StrCat(OnlineMethodName(methods.method), ", batch ",
                      methods.batch, ", threads ", methods.num_threads);
}

TEST(DenseClustererTest, EqualsTheOracle) {
  const Decimal thresholds[] = {"0",   "0.05", "0.3", "0.5",        "0.6",
                                "0.7", "0.9",  "1",   "0.000000001"};
  for (const DenseKind kind : kDenseKinds) {
    for (uint64_t seed = 0; seed < 9; ++seed) {
      Random random(100 * static_cast<uint64_t>(kind) + seed);
      const auto n = static_cast<int32_t>(1 + random.Below(220));
      const auto dimensions = static_cast<int32_t>(6 + random.Below(70));
      const DenseDocuments documents =
          RandomDenseDocuments(kind, n, dimensions, seed);
      OnlineOptions options = OnlineOptions::Embeddings();
      options.threshold = thresholds[seed];
      std::vector<int64_t> times;
      if (random.Below(2) == 0) {
        options.expire_after = static_cast<int64_t>(1 + random.Below(40));
        for (int32_t d = 0; d < n; ++d) {
          times.push_back(random.Below(9) == 0
                              ? kNoTime
                              : d + static_cast<int64_t>(random.Below(9)));
        }
      }
      if (random.Below(2) == 0) {
        options.merge_every = static_cast<int64_t>(1 + random.Below(60));
        options.merge_threshold = thresholds[random.Below(9)];
      }
      const Result expected = Oracle(documents, times, options);
      for (const OnlineMethodOptions& methods : Methods()) {
        const Result actual =
            InPieces(documents, times, options, methods, random);
        const std::string what =
            absl::StrCat("kind ", static_cast<int>(kind), ", seed ", seed, ", ",
                         Describe(methods));
        ASSERT_EQ(expected.clusters, actual.clusters) << what;
        ASSERT_EQ(expected.merges, actual.merges) << what;
        ASSERT_EQ(expected.state, actual.state) << what;
      }
    }
  }
}

// With all terms kept, dense documents are documents with terms.
TEST(DenseClustererTest, EqualsTheSameDocumentsWithTerms) {
  size_t merges = 0;
  for (const DenseKind kind : {DenseKind::kNonNegative, DenseKind::kCounts}) {
    for (const Decimal& threshold : {Decimal("0.2"), Decimal("0.6")}) {
      const int32_t n = 300;
      const int32_t dimensions = OnlineOptions::kMaxTerms;
      const DenseDocuments documents =
          RandomDenseDocuments(kind, n, dimensions, /*seed=*/7);
      DocumentMatrix with_terms = SparseOfDense(documents);
      with_terms.num_terms = dimensions;
      OnlineOptions options = OnlineOptions::Embeddings();
      options.threshold = threshold;
      options.terms = dimensions;
      options.merge_every = 10;
      options.merge_threshold = "0.1";
      absl::StatusOr<OnlineClusterer> sparse =
          OnlineClusterer::Create(options, {});
      absl::StatusOr<OnlineClusterer> dense =
          OnlineClusterer::CreateDense(options, {});
      ASSERT_TRUE(sparse.ok() && dense.ok());
      std::vector<int32_t> expected(n);
      std::vector<int32_t> actual(n);
      ASSERT_TRUE(sparse->Add(with_terms, {}, absl::MakeSpan(expected)).ok());
      ASSERT_TRUE(dense->Add(documents, {}, absl::MakeSpan(actual)).ok());
      EXPECT_EQ(expected, actual);
      merges += sparse->merges().size();
      EXPECT_EQ(sparse->merges(), dense->merges());
      EXPECT_EQ(*sparse->State(), *dense->State());
      EXPECT_LT(dense->num_clusters(), n);
    }
  }
  EXPECT_GT(merges, 0);
}

TEST(DenseClustererTest, SaysWhatIsWrong) {
  const DenseDocuments two = MakeDenseDocuments({1, 2, -3, 4}, 2);
  std::vector<int32_t> clusters(2);
  absl::StatusOr<OnlineClusterer> clusterer =
      OnlineClusterer::CreateDense({}, {});
  ASSERT_TRUE(clusterer.ok());
  EXPECT_TRUE(clusterer->Add(two, {}, absl::MakeSpan(clusters)).ok());
  const DenseDocuments longer = MakeDenseDocuments({1, 2, -3, 4, 5, 6}, 2);
  absl::Status status = clusterer->Add(longer, {}, absl::MakeSpan(clusters));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(status.message(), "expected documents of 2"))
      << status;
  const DenseDocuments not_finite =
      MakeDenseDocuments({1, 2, std::numeric_limits<float>::infinity(), 4}, 2);
  EXPECT_EQ(clusterer->Add(not_finite, {}, absl::MakeSpan(clusters)).code(),
            absl::StatusCode::kInvalidArgument);
  DocumentMatrix with_terms;
  EXPECT_EQ(clusterer->Add(with_terms, {}, {}).code(),
            absl::StatusCode::kInvalidArgument);
  absl::StatusOr<OnlineClusterer> sparse = OnlineClusterer::Create({}, {});
  ASSERT_TRUE(sparse.ok());
  EXPECT_EQ(sparse->Add(two, {}, absl::MakeSpan(clusters)).code(),
            absl::StatusCode::kInvalidArgument);
  // Nothing has changed.
  EXPECT_EQ(clusterer->num_documents(), 2);
  EXPECT_TRUE(clusterer->Add(two, {}, absl::MakeSpan(clusters)).ok());

  // A state with negative sums is of dense documents only.
  const absl::StatusOr<OnlineState> state = clusterer->State();
  ASSERT_TRUE(state.ok());
  EXPECT_TRUE(OnlineClusterer::CreateDense({}, {}, *state).ok());
  EXPECT_EQ(OnlineClusterer::Create({}, {}, *state).status().code(),
            absl::StatusCode::kInvalidArgument);

  OnlineOptions truncated;
  truncated.truncated_mean = true;
  EXPECT_EQ(OnlineClusterer::CreateDense(truncated, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const OnlineMethod method :
       {OnlineMethod::kSerial2, OnlineMethod::kMdc1, OnlineMethod::kMdc2,
        OnlineMethod::kApproximate, OnlineMethod::kParallel1}) {
    OnlineMethodOptions methods;
    methods.method = method;
    const absl::Status refused =
        OnlineClusterer::CreateDense({}, methods).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(refused.message(), OnlineMethodName(method)))
        << refused;
  }
}

}  // namespace
}  // namespace warpclust
