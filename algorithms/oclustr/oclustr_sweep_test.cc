// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_sweep.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

enum class Weights { kCounts, kReals, kEqual };

// Groups of documents prefer the same terms. With equal weights many cosines
// are exactly 1/3, 1/2 and the like.
std::vector<float> RandomRows(uint32_t seed, Weights kind, int32_t n,
                              int32_t terms) {
  std::mt19937 random(seed);
  std::vector<float> values(int64_t{n} * terms);
  for (int32_t d = 0; d < n; ++d) {
    for (int32_t t = 0; t < terms; ++t) {
      const bool fits = t % 6 == d / 10 % 6;
      if (d % 13 == 12 || random() % 100 >= (fits ? 60u : 8u)) continue;
      values[int64_t{d} * terms + t] =
          kind == Weights::kCounts  ? static_cast<float>(1 + random() % 3)
          : kind == Weights::kReals ? static_cast<float>(1 + random() % 99) / 7
                                    : 1;
    }
  }
  return values;
}

DocumentMatrix SparseOf(const std::vector<float>& values, int32_t terms) {
  DocumentMatrix documents;
  documents.num_terms = terms;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) {
      documents.terms.push_back(static_cast<int32_t>(i % terms));
      documents.weights.push_back(values[i]);
    }
    if (i % terms == terms - 1u) {
      documents.offsets.push_back(documents.num_entries());
    }
  }
  return documents;
}

const std::vector<Decimal> kBetas = {
    "0.05",        "0.2", "0.25", {1, 3}, "0.333333334", "0.4", "0.5",
    "0.500000001", "0.6", "0.8",  "1"};

// Each step is the run with its β.
template <class Documents>
void ExpectSeparateRuns(const Documents& documents) {
  for (const int num_threads : {1, 3}) {
    OClustRSweepOptions options;
    options.betas = kBetas;
    options.num_threads = num_threads;
    size_t steps = 0;
    const auto check = [&](const Decimal& beta, OClustRResult result) {
      SCOPED_TRACE(FormatDecimal(beta));
      EXPECT_EQ(FormatDecimal(beta), FormatDecimal(kBetas[steps++]));
      OClustRDocumentsOptions single;
      single.graph.beta = beta;
      const absl::StatusOr<OClustRResult> expected =
          OClustRDocuments(documents, single);
      EXPECT_TRUE(expected.ok()) << expected.status();
      if (!expected.ok()) return expected.status();
      EXPECT_EQ(result.num_edges, expected->num_edges);
      EXPECT_EQ(result.num_initial_centers, expected->num_initial_centers);
      EXPECT_TRUE(result.cover == expected->cover);
      EXPECT_EQ(result.centers, expected->centers);
      return absl::OkStatus();
    };
    const absl::Status status = SweepOClustR(documents, options, check);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(steps, kBetas.size());
  }
}

TEST(OClustRSweepTest, IsTheRunAtEachThreshold) {
  constexpr int32_t kTerms = 40;
  for (const Weights kind :
       {Weights::kCounts, Weights::kReals, Weights::kEqual}) {
    for (uint32_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      std::vector<float> values = RandomRows(seed, kind, 70, kTerms);
      ExpectSeparateRuns(SparseOf(values, kTerms));
      // Embeddings have negative values too.
      if (seed % 2 == 1) {
        for (size_t i = 0; i < values.size(); i += 5) values[i] = -values[i];
      }
      ExpectSeparateRuns(MakeDenseDocuments(std::move(values), 70));
    }
  }
}

TEST(OClustRSweepTest, NothingAndOne) {
  ExpectSeparateRuns(DocumentMatrix());
  ExpectSeparateRuns(SparseOf({1, 2}, 2));
}

TEST(OClustRSweepTest, RefusesThresholdsThatDoNotAscend) {
  const DocumentMatrix documents = SparseOf({1, 2, 2, 1}, 2);
  const std::vector<std::vector<Decimal>> bad = {
      {}, {"0"}, {"0.5", "1.1"}, {"0.5", "0.4"}, {"0.5", {1, 2}}};
  for (const std::vector<Decimal>& betas : bad) {
    OClustRSweepOptions options;
    options.betas = betas;
    const absl::Status status = SweepOClustR(
        documents, options,
        [](const Decimal&, OClustRResult) { return absl::OkStatus(); });
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
}

TEST(OClustRSweepTest, StopsAtAnError) {
  OClustRSweepOptions options;
  options.betas = kBetas;
  int calls = 0;
  const absl::Status status = SweepOClustR(
      SparseOf({1, 2, 2, 1}, 2), options, [&](const Decimal&, OClustRResult) {
        ++calls;
        return calls == 2 ? absl::CancelledError("enough") : absl::OkStatus();
      });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace warpclust
