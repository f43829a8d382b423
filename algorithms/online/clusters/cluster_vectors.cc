// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_vectors.h"

namespace warpclust {

ClusterVectors::ClusterVectors(const OnlineOptions& options)
    : sums_(options), vectors_(options.terms), weights_(options.terms) {}

ClusterVectors::ClusterVectors(const OnlineOptions& options,
                               const OnlineState& state)
    : sums_(options, state), vectors_(options.terms), weights_(options.terms) {
  ReserveTerms(state.num_terms);
  vectors_.Reserve(size());
  for (int32_t c = 0; c < size(); ++c) {
    sums_.Weigh(c, weights_.data());
    vectors_.Set(c, sums_.TermsOf(c), weights_);
  }
}

int32_t ClusterVectors::Found(absl::Span<const int32_t> terms,
                              absl::Span<const int32_t> weights,
                              int64_t clock) {
  const int32_t cluster = sums_.Found(terms, weights, clock);
  vectors_.Reserve(size());
  Update(cluster);
  return cluster;
}

void ClusterVectors::Join(int32_t cluster, absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights, int64_t clock) {
  sums_.Join(cluster, terms, weights, clock);
  Update(cluster);
}

void ClusterVectors::Merge(int32_t from, int32_t into) {
  sums_.Merge(from, into);
  Update(into);
  vectors_.Replace(from, {}, {}, &lists_);
}

void ClusterVectors::Close(int32_t cluster) {
  sums_.Close(cluster);
  vectors_.Replace(cluster, {}, {}, &lists_);
}

void ClusterVectors::FillLists() {
  for (int32_t c = 0; c < size(); ++c) vectors_.Fill(c, &lists_);
}

void ClusterVectors::Update(int32_t cluster) {
  sums_.Weigh(cluster, weights_.data());
  vectors_.Replace(cluster, sums_.TermsOf(cluster), weights_, &lists_);
}

}  // namespace warpclust
