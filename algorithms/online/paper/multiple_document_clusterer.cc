// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/paper/multiple_document_clusterer.h"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/exhaustive_search.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/serial/listed_engine.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

class MultipleDocumentClusterer : public ListedEngine {
 public:
  MultipleDocumentClusterer(
      const OnlineOptions& options, const OnlineState& state,
      const MultipleDocumentOptions& multiple_document_options)
      : ListedEngine(options, state),
        batch_(multiple_document_options.batch),
        bucket_width_(BucketWidth(multiple_document_options.epsilon)),
        exhaustive_(multiple_document_options.exhaustive),
        searches_(ResolveThreads(multiple_document_options.num_threads),
                  ListSearch(above_, bucket_width_)) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    clusters_.ReserveTerms(documents.num_terms);
    for (int64_t begin = 0; begin < documents.size(); begin += batch_) {
      const int64_t end = std::min(begin + batch_, documents.size());
      ChooseClusters(documents, clocks, begin, end, clusters);
      for (int64_t d = begin; d < end; ++d) {
        clusters[d] = Place(clusters[d], documents.TermsOf(d),
                            documents.WeightsOf(d), clocks[d]);
      }
      ++counts_.batches;
      Placed(end - begin, clocks[end - 1]);
    }
    return absl::OkStatus();
  }

  OnlineCounts counts() const override {
    OnlineCounts counts = ListedEngine::counts();
    for (const ListSearch& search : searches_) {
      counts.partial_products += search.partial_products();
      counts.candidates += search.num_candidates();
    }
    return counts;
  }

 private:
  // clusters[d] of documents [begin, end): the cluster to join, or kNone.
  void ChooseClusters(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks, int64_t begin,
                      int64_t end, absl::Span<int32_t> clusters) {
    const auto threads = static_cast<int>(
        std::min(static_cast<int64_t>(searches_.size()), end - begin));
    for (int i = 0; i < threads; ++i) searches_[i].Reserve(clusters_.size());
#pragma omp parallel for schedule(dynamic, 8) \
    num_threads(threads) if (threads > 1)
    for (int64_t d = begin; d < end; ++d) {
      const auto is_open = [&](int32_t cluster) {
        return IsOpen(cluster, clocks[d]);
      };
      clusters[d] =
          exhaustive_
              ? NearestOfAll(documents.TermsOf(d), documents.WeightsOf(d),
                             clusters_, above_, bucket_width_, is_open)
              : searches_[omp_get_thread_num()].Nearest(
                    documents.TermsOf(d), documents.WeightsOf(d),
                    clusters_.lists(), is_open);
    }
    if (exhaustive_) counts_.candidates += (end - begin) * clusters_.size();
  }

  const int64_t batch_;
  const int64_t bucket_width_;
  const bool exhaustive_;
  // One per thread.
  std::vector<ListSearch> searches_;
};

}  // namespace

absl::Status MultipleDocumentOptions::Validate() const {
  if (batch < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a batch of at least 1 document, found ", batch));
  }
  RETURN_IF_ERROR(CheckShare("an epsilon", epsilon));
  return ValidateNumThreads(num_threads);
}

std::unique_ptr<OnlineEngine> MakeMultipleDocumentClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options) {
  return std::make_unique<MultipleDocumentClusterer>(options, state,
                                                     multiple_document_options);
}

}  // namespace warpclust
