// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Batches of dense documents against one document after the other, at all SIMD
// levels and with refused batches. dense_clusterer_test.cc has the oracle.

#include "algorithms/online/dense/dense_batched_clusterer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
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
#include "algorithms/online/testing/dense_streams.h"
#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "base/numbers/decimal.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

DenseStreamResult Cluster(std::unique_ptr<DenseOnlineEngine> engine,
                          const DenseDocuments& documents) {
  absl::StatusOr<DenseStreamResult> result =
      ClusterDenseStream(std::move(engine), documents);
  EXPECT_TRUE(result.ok()) << result.status();
  return *std::move(result);
}

TEST(DenseBatchedClustererTest, EqualsOneAfterTheOther) {
  for (const auto& [name, documents] : DenseStreams()) {
    for (const Decimal& threshold :
         {Decimal("0.1"), Decimal("0.4"), Decimal("0.6"), Decimal("0.8")}) {
      OnlineOptions options = OnlineOptions::Embeddings();
      options.threshold = threshold;
      const DenseStreamResult expected =
          Cluster(MakeDenseSerialClusterer(options, {}), documents);
      for (const SimdLevel level : SimdLevels()) {
        SetSimdLevelLimitForTesting(level);
        for (const int32_t batch : {5, 130, 700, 1 << 20}) {
          for (const int threads : {1, 3}) {
            const DenseStreamResult actual = Cluster(
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
  const DenseDocuments documents = DenseStreams()[1].second;
  OnlineOptions options = OnlineOptions::Embeddings();
  options.threshold = "0.4";
  const DenseStreamResult expected =
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
  const DenseDocuments documents = DenseStreams()[0].second;
  OnlineOptions options = OnlineOptions::Embeddings();
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
