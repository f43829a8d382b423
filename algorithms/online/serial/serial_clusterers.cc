// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/serial/serial_clusterers.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/exhaustive_search.h"
#include "algorithms/online/clusters/list_search.h"
#include "algorithms/online/serial/listed_engine.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {
namespace {

// What both share: the loop over the documents.
class SerialClusterer : public ListedEngine {
 public:
  using ListedEngine::ListedEngine;

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    clusters_.ReserveTerms(documents.num_terms);
    for (int64_t d = 0; d < documents.size(); ++d) {
      const absl::Span<const int32_t> terms = documents.TermsOf(d);
      const absl::Span<const int32_t> weights = documents.WeightsOf(d);
      const int32_t nearest = Nearest(terms, weights, clocks[d]);
      clusters[d] = Place(nearest, terms, weights, clocks[d]);
      Placed(1, clocks[d]);
    }
    return absl::OkStatus();
  }

 protected:
  // The open cluster most similar to a document and above the threshold, or
  // kNone.
  virtual int32_t Nearest(absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights, int64_t clock) = 0;
};

class SerialClusterer1 : public SerialClusterer {
 public:
  using SerialClusterer::SerialClusterer;

 private:
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights, int64_t clock) override {
    counts_.candidates += clusters_.size();
    return NearestOfAll(
        terms, weights, clusters_, above_, /*bucket_width=*/0,
        [&](int32_t cluster) { return IsOpen(cluster, clock); });
  }
};

class SerialClusterer2 : public SerialClusterer {
 public:
  SerialClusterer2(const OnlineOptions& options, const OnlineState& state)
      : SerialClusterer(options, state), search_(above_) {}

  OnlineCounts counts() const override {
    OnlineCounts counts = SerialClusterer::counts();
    counts.partial_products = search_.partial_products();
    counts.candidates = search_.num_candidates();
    return counts;
  }

 private:
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights, int64_t clock) override {
    search_.Reserve(clusters_.size());
    return search_.Nearest(
        terms, weights, clusters_.lists(),
        [&](int32_t cluster) { return IsOpen(cluster, clock); });
  }

  ListSearch search_;
};

}  // namespace

std::unique_ptr<OnlineEngine> MakeSerialClusterer1(const OnlineOptions& options,
                                                   const OnlineState& state) {
  return std::make_unique<SerialClusterer1>(options, state);
}

std::unique_ptr<OnlineEngine> MakeSerialClusterer2(const OnlineOptions& options,
                                                   const OnlineState& state) {
  return std::make_unique<SerialClusterer2>(options, state);
}

}  // namespace warpclust
