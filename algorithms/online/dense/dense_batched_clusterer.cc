// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/dense/dense_batched_clusterer.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/dense/dense_engine.h"
#include "algorithms/online/dense/dense_vectors.h"
#include "algorithms/online/dense/digit_search.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {
namespace {

// Up to this many documents are compared with all clusters one by one: a tile
// of them would take longer.
constexpr int32_t kFewDocuments = 4;

// A batch that had too many candidates is halved. It is doubled again after
// this many batches that had not.
constexpr int kBatchesUntilDoubled = 16;

class DenseBatchedClusterer : public DenseEngine {
 public:
  DenseBatchedClusterer(const OnlineOptions& options, const OnlineState& state,
                        const DenseBatchedOptions& batched_options,
                        std::unique_ptr<DenseBatchSearch> search)
      : DenseEngine(options, state),
        most_batch_(
            std::min(batched_options.batch, DenseBatchedOptions::kMostBatch)),
        num_threads_(ResolveThreads(batched_options.num_threads)),
        batch_(most_batch_),
        search_(search != nullptr ? std::move(search)
                                  : MakeDigitSearch(num_threads_)) {}

  absl::Status Cluster(const DenseDocuments& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    SetDimensionsOf(documents);
    const int32_t n = documents.num_documents();
    for (int32_t begin = 0; begin < n;) {
      const int32_t count = std::min(n - begin, batch_);
      Weigh(documents, begin, count);
      bool decided = count <= kFewDocuments;
      const absl::Span<const int64_t> batch_clocks =
          clocks.subspan(begin, count);
      const absl::Span<int32_t> batch_clusters = clusters.subspan(begin, count);
      if (decided) {
        OneByOne(batch_clocks, batch_clusters);
      } else {
        ASSIGN_OR_RETURN(decided, InOneBatch(batch_clocks, batch_clusters));
      }
      if (decided) begin += count;
    }
    return absl::OkStatus();
  }

 private:
  // Sets weights_ to those of `count` documents.
  void Weigh(const DenseDocuments& documents, int32_t begin, int32_t count) {
    const int64_t dimensions = documents.num_dimensions;
    weights_.resize(count * dimensions);
#pragma omp parallel for num_threads(num_threads_) if (count > 256)
    for (int32_t d = 0; d < count; ++d) {
      DocumentWeights(documents.Row(begin + d),
                      weights_.data() + d * dimensions);
    }
  }

  const int32_t* WeightsOf(int32_t document) const {
    return weights_.data() +
           static_cast<int64_t>(document) * clusters_.num_dimensions();
  }

  void OneByOne(absl::Span<const int64_t> clocks,
                absl::Span<int32_t> clusters) {
    for (size_t d = 0; d < clusters.size(); ++d) {
      const int32_t* const weights = WeightsOf(static_cast<int32_t>(d));
      clusters[d] =
          PlaceAndMark(NearestOfAll(weights, clocks[d]), weights, clocks[d]);
    }
    for (const int32_t closed : Sweep()) Mark(closed);
  }

  // False if nothing was decided, because there are too many candidates.
  absl::StatusOr<bool> InOneBatch(absl::Span<const int64_t> clocks,
                                  absl::Span<int32_t> clusters) {
    RETURN_IF_ERROR(UpdateSearch());
    ASSIGN_OR_RETURN(const bool found, search_->Find(weights_, &found_));
    if (!found) {
      batch_ = std::max(1, static_cast<int32_t>(clusters.size()) / 2);
      batches_since_halved_ = 0;
      return false;
    }
    for (size_t d = 0; d < clusters.size(); ++d) {
      const auto document = static_cast<int32_t>(d);
      const int32_t* const weights = WeightsOf(document);
      clusters[d] = PlaceAndMark(Nearest(document, clocks[d], clusters),
                                 weights, clocks[d]);
    }
    for (const int32_t closed : Sweep()) Mark(closed);
    ++counts_.batches;
    if (++batches_since_halved_ >= kBatchesUntilDoubled) {
      batch_ = std::min(most_batch_, 2 * batch_);
      batches_since_halved_ = 0;
    }
    return true;
  }

  absl::Status UpdateSearch() {
    if (!has_begun_) {
      RETURN_IF_ERROR(
          search_->Begin(clusters_.num_dimensions(),
                         MakeBatchBounds(above_, clusters_.num_dimensions())));
      has_begun_ = true;
      for (int32_t c = 0; c < clusters_.size(); ++c) Mark(c);
    }
    RETURN_IF_ERROR(search_->Update(clusters_, changed_));
    for (const int32_t c : changed_) is_changed_[c] = false;
    changed_.clear();
    return absl::OkStatus();
  }

  // The cluster that a document of the batch joins, or kNone. `clusters` are
  // those of the documents before it.
  int32_t Nearest(int32_t document, int64_t clock,
                  absl::Span<const int32_t> clusters) {
    const int32_t* const weights = WeightsOf(document);
    int32_t nearest = kNone;
    int64_t highest = above_;
    const auto compare = [&](int32_t cluster) {
      ++counts_.candidates;
      const int64_t similarity = DenseSimilarity(
          weights, clusters_.WeightsOf(cluster), clusters_.num_dimensions());
      if (similarity > highest ||
          (similarity == highest && nearest != kNone && cluster < nearest)) {
        highest = similarity;
        nearest = cluster;
      }
    };

    // Of clusters that are as they were, those that the search finds clearly
    // less similar than another need not be compared.
    const absl::Span<const BatchPairs::Pair> found =
        found_.clusters.Of(document);
    int64_t most = std::numeric_limits<int32_t>::min();
    for (const BatchPairs::Pair& pair : found) {
      if (pair.product > most && !is_changed_[pair.other] &&
          IsOpen(pair.other, clock)) {
        most = pair.product;
      }
    }
    const int64_t least = most - search_->product_margin();
    for (const BatchPairs::Pair& pair : found) {
      if (is_changed_[pair.other]) {
        CompareChanged(pair.other, document, clock, compare);
      } else if (pair.product >= least && IsOpen(pair.other, clock)) {
        compare(pair.other);
      }
    }
    for (const BatchPairs::Pair& pair : found_.documents.Of(document)) {
      CompareChanged(clusters[pair.other], document, clock, compare);
    }
    return nearest;
  }

  // Once per cluster and document.
  template <typename Compare>
  void CompareChanged(int32_t cluster, int32_t document, int64_t clock,
                      const Compare& compare) {
    if (compared_[cluster] == document || !IsOpen(cluster, clock)) return;
    compared_[cluster] = document;
    compare(cluster);
  }

  int32_t PlaceAndMark(int32_t nearest, const int32_t* weights, int64_t clock) {
    const int32_t cluster = Place(nearest, weights, clock);
    Mark(cluster);
    return cluster;
  }

  // Notes that the search does not know a cluster as it is.
  void Mark(int32_t cluster) {
    is_changed_.resize(clusters_.size());
    compared_.resize(clusters_.size(), kNone);
    if (is_changed_[cluster]) return;
    is_changed_[cluster] = true;
    compared_[cluster] = kNone;
    changed_.push_back(cluster);
  }

  const int32_t most_batch_;
  const int num_threads_;
  int32_t batch_;
  int batches_since_halved_ = 0;

  const std::unique_ptr<DenseBatchSearch> search_;
  bool has_begun_ = false;
  BatchCandidates found_;
  // Of the batch.
  std::vector<int32_t> weights_;
  // The clusters that the search does not know as they are: in the order of
  // change, and per cluster.
  std::vector<int32_t> changed_;
  std::vector<char> is_changed_;
  // Per changed cluster, the last document of the batch compared with it.
  std::vector<int32_t> compared_;
};

}  // namespace

std::unique_ptr<DenseOnlineEngine> MakeDenseBatchedClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const DenseBatchedOptions& batched_options,
    std::unique_ptr<DenseBatchSearch> search) {
  return std::make_unique<DenseBatchedClusterer>(
      options, state, batched_options, std::move(search));
}

}  // namespace warpclust
