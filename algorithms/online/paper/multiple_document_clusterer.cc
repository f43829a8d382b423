// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/paper/multiple_document_clusterer.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/list_sums.h"
#include "algorithms/online/serial/listed_engine.h"
#include "algorithms/online/state/similarity_rank.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// What a thread adds similarities up in.
struct Scratch {
  // One a cluster; 0 between documents.
  std::vector<int64_t> similarities;
  // The clusters met: AddUpLists says how many there must be room for.
  std::vector<int32_t> candidates;
  int64_t num_candidates = 0;
  int64_t partial_products = 0;
};

class MultipleDocumentClusterer : public ListedEngine {
 public:
  MultipleDocumentClusterer(
      const OnlineOptions& options, const OnlineState& state,
      const MultipleDocumentOptions& multiple_document_options)
      : ListedEngine(options, state),
        bucket_width_(BucketWidth(multiple_document_options.epsilon)),
        batch_(multiple_document_options.batch),
        threads_(ResolveThreads(multiple_document_options.threads)),
        scratch_(threads_) {}

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    lists_.ReserveTerms(documents.num_terms);
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
    for (const Scratch& scratch : scratch_) {
      counts.partial_products += scratch.partial_products;
      counts.candidates += scratch.num_candidates;
    }
    return counts;
  }

 private:
  // clusters[d] of documents [begin, end): the cluster to join, or kNone.
  void ChooseClusters(const UnitVectors& documents,
                      absl::Span<const int64_t> clocks, int64_t begin,
                      int64_t end, absl::Span<int32_t> clusters) {
    const int threads =
        static_cast<int>(std::min<int64_t>(threads_, end - begin));
    for (int i = 0; i < threads; ++i) {
      scratch_[i].similarities.resize(clusters_.size());
      scratch_[i].candidates.resize(clusters_.size() + size_t{1});
    }
#pragma omp parallel for schedule(dynamic, 8) \
    num_threads(threads) if (threads > 1)
    for (int64_t d = begin; d < end; ++d) {
      clusters[d] = Nearest(documents.TermsOf(d), documents.WeightsOf(d),
                            clocks[d], scratch_[omp_get_thread_num()]);
    }
  }

  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights, int64_t clock,
                  Scratch& scratch) const {
    int64_t* const similarities = scratch.similarities.data();
    int32_t* const candidates = scratch.candidates.data();
    const size_t count = AddUpLists(terms, weights, lists_, similarities,
                                    candidates, &scratch.partial_products);
    scratch.num_candidates += static_cast<int64_t>(count);

    int32_t nearest = kNone;
    int64_t most = 0;
    for (size_t i = 0; i < count; ++i) {
      const int32_t cluster = candidates[i];
      const int64_t similarity = similarities[cluster];
      similarities[cluster] = 0;
      if (similarity <= above_) continue;
      const int64_t rank = SimilarityRank(similarity, bucket_width_);
      if (nearest != kNone &&
          (rank < most || (rank == most && cluster > nearest))) {
        continue;
      }
      if (!IsOpen(cluster, clock)) continue;
      most = rank;
      nearest = cluster;
    }
    return nearest;
  }

  const int64_t bucket_width_;
  const int64_t batch_;
  const int threads_;
  // One a thread.
  std::vector<Scratch> scratch_;
};

}  // namespace

absl::Status MultipleDocumentOptions::Validate() const {
  if (batch < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a batch of at least 1 document, found ", batch));
  }
  return CheckShare("an epsilon", epsilon);
}

std::unique_ptr<OnlineEngine> MakeMultipleDocumentClusterer(
    const OnlineOptions& options, const OnlineState& state,
    const MultipleDocumentOptions& multiple_document_options) {
  return std::make_unique<MultipleDocumentClusterer>(options, state,
                                                     multiple_document_options);
}

}  // namespace warpclust
