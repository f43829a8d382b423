// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/serial_clusterers.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/cluster_vectors.h"
#include "algorithms/online/expiry.h"
#include "algorithms/online/unit_vectors.h"
#include "sparse/dynamic_term_lists.h"

namespace warpclust {
namespace {

constexpr int32_t kNone = -1;

// What the two have in common: the loop over the documents.
class SerialClusterer : public OnlineEngine {
 public:
  SerialClusterer(const OnlineOptions& options, const OnlineState& state)
      : above_(SimilarityAbove(options.threshold)),
        expire_after_(options.expire_after),
        clusters_(options.terms, state),
        clock_(state.clock) {
    lists_.ReserveTerms(state.num_terms);
    clusters_.FillLists(&lists_);
  }

  absl::Status Cluster(const UnitVectors& documents,
                       absl::Span<const int64_t> clocks,
                       absl::Span<int32_t> clusters) override {
    lists_.ReserveTerms(documents.num_terms);
    for (int64_t d = 0; d < documents.size(); ++d) {
      clock_ = clocks[d];
      const absl::Span<const int32_t> terms = documents.TermsOf(d);
      const absl::Span<const int32_t> weights = documents.WeightsOf(d);
      const int32_t nearest = Nearest(terms, weights);
      if (nearest == kNone) {
        clusters[d] = clusters_.Found(terms, weights, clock_, &lists_);
      } else {
        clusters[d] = nearest;
        clusters_.Join(nearest, terms, weights, clock_, &lists_);
      }
      // A sweep over all clusters for as many documents: constant time each.
      if (expire_after_ != 0 && ++since_sweep_ >= clusters_.size()) Sweep();
    }
    return absl::OkStatus();
  }

  absl::StatusOr<OnlineState> State() override {
    Sweep();
    return clusters_.State();
  }

  int32_t num_clusters() const override { return clusters_.size(); }

  OnlineCounts counts() const override {
    OnlineCounts counts = counts_;
    counts.list_entries = lists_.num_entries();
    counts.lists = lists_.num_lists();
    return counts;
  }

 protected:
  // The open cluster most similar to a document and above the threshold, or
  // kNone.
  virtual int32_t Nearest(absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights) = 0;

  bool IsOpen(int32_t cluster) const {
    return !IsExpired(clusters_.last_time(cluster), clock_, expire_after_);
  }

  const int64_t above_;
  const int64_t expire_after_;
  ClusterVectors clusters_;
  DynamicTermLists lists_;
  int64_t clock_;
  OnlineCounts counts_;

 private:
  void Sweep() {
    since_sweep_ = 0;
    for (int32_t c = 0; expire_after_ != 0 && c < clusters_.size(); ++c) {
      if (!IsOpen(c)) clusters_.Close(c, &lists_);
    }
  }

  int64_t since_sweep_ = 0;
};

class SerialClusterer1 : public SerialClusterer {
 public:
  using SerialClusterer::SerialClusterer;

 private:
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights) override {
    int32_t nearest = kNone;
    int64_t most = above_;
    for (int32_t c = 0; c < clusters_.size(); ++c) {
      const absl::Span<const int32_t> others = clusters_.TermsOf(c);
      const absl::Span<const int32_t> other_weights = clusters_.WeightsOf(c);
      int64_t similarity = 0;
      size_t j = 0;
      for (size_t i = 0; i < terms.size(); ++i) {
        while (j < others.size() && others[j] < terms[i]) ++j;
        if (j < others.size() && others[j] == terms[i]) {
          similarity += int64_t{weights[i]} * other_weights[j];
        }
      }
      if (similarity > most && IsOpen(c)) {
        most = similarity;
        nearest = c;
      }
    }
    counts_.candidates += clusters_.size();
    return nearest;
  }
};

class SerialClusterer2 : public SerialClusterer {
 public:
  using SerialClusterer::SerialClusterer;

 private:
  int32_t Nearest(absl::Span<const int32_t> terms,
                  absl::Span<const int32_t> weights) override {
    similarities_.resize(clusters_.size());
    // One more than there can be: what comes after the last is written too.
    candidates_.resize(clusters_.size() + size_t{1});
    int64_t* const similarities = similarities_.data();
    int32_t* const candidates = candidates_.data();
    size_t count = 0;
    for (size_t i = 0; i < terms.size(); ++i) {
      const int64_t weight = weights[i];
      const absl::Span<const TermListEntry> list = lists_[terms[i]];
      for (const TermListEntry& entry : list) {
        // All products are positive: 0 is a cluster not met before.
        const int64_t before = similarities[entry.row];
        candidates[count] = entry.row;
        count += before == 0 ? 1 : 0;
        similarities[entry.row] = before + weight * entry.weight;
      }
      counts_.partial_products += static_cast<int64_t>(list.size());
    }
    counts_.candidates += static_cast<int64_t>(count);

    int32_t nearest = kNone;
    int64_t most = above_;
    for (size_t i = 0; i < count; ++i) {
      const int32_t cluster = candidates[i];
      const int64_t similarity = similarities[cluster];
      similarities[cluster] = 0;
      if (similarity < most || similarity <= above_) continue;
      if (similarity == most && cluster > nearest) continue;
      if (!IsOpen(cluster)) continue;
      most = similarity;
      nearest = cluster;
    }
    return nearest;
  }

  // One a cluster; 0 between calls.
  std::vector<int64_t> similarities_;
  std::vector<int32_t> candidates_;
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
