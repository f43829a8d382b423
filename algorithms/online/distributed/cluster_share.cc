// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/cluster_share.h"

#include <omp.h>

#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

ClusterShare::ClusterShare(const OnlineOptions& options, int rank,
                           int num_ranks, int num_threads)
    : rank_(rank),
      num_ranks_(num_ranks),
      expire_after_(options.expire_after),
      sums_(options),
      base_(options),
      best_search_(SimilarityAbove(options.threshold), 1),
      searches_(num_threads, NearestSearch(SimilarityAbove(options.threshold),
                                           NearestClusters::kMost)),
      weights_(options.terms) {}

void ClusterShare::Reserve(int32_t num_clusters) {
  const int32_t places = (num_clusters - rank_ + num_ranks_ - 1) / num_ranks_;
  while (sums_.size() < places) sums_.AppendEmpty();
  base_.Reserve(sums_.size());
  is_lent_.resize(sums_.size(), true);
}

void ClusterShare::Set(const PackedCluster& cluster) {
  Reserve(cluster.number + 1);
  Keep(cluster);
  const int32_t place = PlaceOf(cluster.number);
  sums_.Weigh(place, weights_.data());
  base_.Replace(place, cluster.last_time, sums_.TermsOf(place), weights_);
}

void ClusterShare::Keep(const PackedCluster& cluster) {
  const int32_t place = PlaceOf(cluster.number);
  sums_.Set(place, cluster.num_documents, cluster.last_time, cluster.terms,
            cluster.sums);
  is_lent_[place] = false;
}

void ClusterShare::SetVector(const PackedVector& vector) {
  base_.Replace(PlaceOf(vector.number), vector.last_time, vector.terms,
                vector.weights);
}

void ClusterShare::Lend(int32_t cluster, std::vector<int64_t>* pack) {
  const int32_t place = PlaceOf(cluster);
  PackCluster(sums_, place, cluster, pack);
  sums_.Close(place);
  is_lent_[place] = true;
}

void ClusterShare::Pack(std::vector<int64_t>* pack) const {
  for (int32_t place = 0; place < sums_.size(); ++place) {
    PackCluster(sums_, place, NumberOf(place), pack);
  }
}

void ClusterShare::CloseExpired(int64_t clock) {
  for (int32_t place = 0; expire_after_ != 0 && place < sums_.size(); ++place) {
    if (base_.IsOpen(place, clock)) continue;
    sums_.Close(place);
    if (base_.vectors().TermsOf(place).empty()) continue;
    base_.Replace(place, base_.last_time(place), {}, {});
  }
}

std::vector<int64_t> ClusterShare::FindAll(const UnitVectors& documents,
                                           absl::Span<const int64_t> clocks) {
  for (NearestSearch& search : searches_) search.Reserve(base_.size());
  std::vector<NearestClusters> found(documents.size());
  const int threads = static_cast<int>(searches_.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (int64_t d = 0; d < documents.size(); ++d) {
    base_.Find(documents.TermsOf(d), documents.WeightsOf(d), clocks[d],
               &searches_[omp_get_thread_num()], &found[d]);
  }
  std::vector<int64_t> words;
  for (const NearestClusters& nearest : found) {
    words.push_back(nearest.floor);
    words.push_back(nearest.count);
    for (int32_t i = 0; i < nearest.count; ++i) {
      words.push_back(nearest.similarities[i]);
      words.push_back(NumberOf(nearest.clusters[i]));
    }
  }
  return words;
}

Similar ClusterShare::FindBest(
    absl::Span<const int32_t> terms, absl::Span<const int32_t> weights,
    int64_t clock, absl::FunctionRef<bool(int32_t cluster)> is_changed) {
  best_search_.Reserve(base_.size());
  NearestClusters unchanged;
  best_search_.Find(
      terms, weights, base_.lists(), base_.vectors(),
      [&](int32_t place) {
        return !is_changed(NumberOf(place)) && base_.IsOpen(place, clock);
      },
      &unchanged);
  if (unchanged.count == 0) return {0, kNone};
  return {unchanged.similarities[0], NumberOf(unchanged.clusters[0])};
}

OnlineCounts ClusterShare::counts() const {
  OnlineCounts counts;
  counts.partial_products = best_search_.partial_products();
  counts.candidates = best_search_.candidates();
  for (const NearestSearch& search : searches_) {
    counts.partial_products += search.partial_products();
    counts.candidates += search.candidates();
  }
  counts.list_entries = base_.lists().num_entries();
  counts.lists = base_.lists().num_lists();
  return counts;
}

}  // namespace warpclust
