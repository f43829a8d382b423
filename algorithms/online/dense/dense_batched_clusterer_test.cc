// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of dense documents against one document after the other, at all SIMD
// levels and with refused batches. dense_clusterer_test.cc has the oracle.

#include "algorithms/online/dense/dense_batched_clusterer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/batch_search.h"
#include "algorithms/online/dense/dense_clusters.h"
#include "algorithms/online/dense/dense_serial_clusterer.h"
#include "algorithms/online/dense/digit_search.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/numbers/decimal.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

using Result = std::pair<std::vector<int32_t>, OnlineState>;

Result Cluster(std::unique_ptr<DenseOnlineEngine> engine,
               const DenseDocuments& documents) {
  const std::vector<int64_t> clocks(documents.num_documents(),
                                    OnlineState::kNoTime);
  std::vector<int32_t> clusters(documents.num_documents());
  const absl::Status status =
      engine->Cluster(documents, clocks, absl::MakeSpan(clusters));
  EXPECT_TRUE(status.ok()) << status;
  absl::StatusOr<OnlineState> state = engine->State();
  EXPECT_TRUE(state.ok()) << state.status();
  return {std::move(clusters), *std::move(state)};
}

// Some clusters with many documents of a batch, with cosines to other clusters
// up to the threshold.
std::vector<std::pair<std::string, DenseDocuments>> Streams() {
  std::vector<std::pair<std::string, DenseDocuments>> streams;
  RandomEmbeddingsOptions mixture;
  mixture.dimensions = 37;
  mixture.directions = 60;
  mixture.near_duplicates = "0.1";
  for (const double noise : {0.5, 1.0, 2.0}) {
    mixture.noise = noise;
    streams.emplace_back(absl::StrCat("noise ", noise),
                         MakeRandomEmbeddings(mixture, 1500, 1));
  }
  streams.emplace_back(
      "around beta",
      RandomDenseDocuments(DenseKind::kAroundBeta, 900, 24, /*seed=*/1));
  return streams;
}

TEST(DenseBatchedClustererTest, EqualsOneAfterTheOther) {
  for (const auto& [name, documents] : Streams()) {
    for (const Decimal& threshold :
         {Decimal("0.1"), Decimal("0.4"), Decimal("0.6"), Decimal("0.8")}) {
      OnlineOptions options;
      options.threshold = threshold;
      const Result expected =
          Cluster(MakeDenseSerialClusterer(options, {}), documents);
      for (const SimdLevel level : SimdLevels()) {
        SetSimdLevelLimitForTesting(level);
        for (const int32_t batch : {5, 130, 700, 1 << 20}) {
          for (const int threads : {1, 3}) {
            const Result actual = Cluster(
                MakeDenseBatchedClusterer(
                    options, {}, {.batch = batch, .num_threads = threads}),
                documents);
            EXPECT_EQ(expected, actual)
                << name << ", threshold " << FormatDecimal(threshold)
                << ", batch " << batch << ", threads " << threads << ", "
                << SimdLevelName(level);
          }
        }
        SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
      }
    }
  }
}

// Refuses batches of more than a number of documents.
class ChoosySearch : public DenseBatchSearch {
 public:
  explicit ChoosySearch(size_t most) : most_(most) {}

  absl::Status Begin(int32_t num_dimensions,
                     const BatchBounds& bounds) override {
    num_dimensions_ = num_dimensions;
    return search_->Begin(num_dimensions, bounds);
  }
  absl::Status Update(const DenseClusters& clusters,
                      absl::Span<const int32_t> changed) override {
    return search_->Update(clusters, changed);
  }
  absl::StatusOr<bool> Find(absl::Span<const int32_t> weights,
                            BatchCandidates* found) override {
    if (weights.size() / num_dimensions_ > most_) return false;
    return search_->Find(weights, found);
  }
  int32_t product_margin() const override { return search_->product_margin(); }

 private:
  const size_t most_;
  int32_t num_dimensions_ = 0;
  const std::unique_ptr<DenseBatchSearch> search_ = MakeDigitSearch(1);
};

TEST(DenseBatchedClustererTest, HalvesBatchesWithTooManyCandidates) {
  const DenseDocuments documents = Streams()[1].second;
  OnlineOptions options;
  options.threshold = "0.4";
  const Result expected =
      Cluster(MakeDenseSerialClusterer(options, {}), documents);
  for (const size_t most : {0, 7, 100}) {
    EXPECT_EQ(expected, Cluster(MakeDenseBatchedClusterer(
                                    options, {}, {.batch = 300},
                                    std::make_unique<ChoosySearch>(most)),
                                documents))
        << most;
  }
}

// The bounds of the search leave little: it does not list everything.
TEST(DenseBatchedClustererTest, ListsFewCandidates) {
  const DenseDocuments documents = Streams()[0].second;
  OnlineOptions options;
  options.threshold = "0.7";
  const auto engine = MakeDenseBatchedClusterer(options, {}, {.batch = 64});
  const std::vector<int64_t> clocks(documents.num_documents(),
                                    OnlineState::kNoTime);
  std::vector<int32_t> clusters(documents.num_documents());
  ASSERT_TRUE(
      engine->Cluster(documents, clocks, absl::MakeSpan(clusters)).ok());
  EXPECT_GT(engine->counts().candidates, 0);
  EXPECT_LT(engine->counts().candidates, 3 * documents.num_documents());
}

}  // namespace
}  // namespace warpclust
