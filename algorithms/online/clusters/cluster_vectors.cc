// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/clusters/cluster_vectors.h"

namespace warpclust {

ClusterVectors::ClusterVectors(int32_t terms)
    : sums_(terms), listed_(terms), weights_(terms) {}

ClusterVectors::ClusterVectors(int32_t terms, const OnlineState& state)
    : sums_(terms, state), listed_(terms), weights_(terms) {
  listed_.Reserve(size());
  for (int32_t c = 0; c < size(); ++c) {
    sums_.Weigh(c, weights_.data());
    listed_.Set(c, sums_.TermsOf(c), weights_);
  }
}

int32_t ClusterVectors::Found(absl::Span<const int32_t> terms,
                              absl::Span<const int32_t> weights, int64_t clock,
                              DynamicTermLists* lists) {
  const int32_t cluster = sums_.Found(terms, weights, clock);
  listed_.Reserve(size());
  Update(cluster, lists);
  return cluster;
}

void ClusterVectors::Join(int32_t cluster, absl::Span<const int32_t> terms,
                          absl::Span<const int32_t> weights, int64_t clock,
                          DynamicTermLists* lists) {
  sums_.Join(cluster, terms, weights, clock);
  Update(cluster, lists);
}

void ClusterVectors::Merge(int32_t from, int32_t into,
                           DynamicTermLists* lists) {
  sums_.Merge(from, into);
  Update(into, lists);
  listed_.Set(from, {}, {});
}

void ClusterVectors::Close(int32_t cluster, DynamicTermLists* lists) {
  sums_.Close(cluster);
  listed_.Replace(cluster, {}, {}, lists);
}

void ClusterVectors::FillLists(DynamicTermLists* lists) {
  for (int32_t c = 0; c < size(); ++c) FillLists(c, lists);
}

void ClusterVectors::FillLists(int32_t cluster, DynamicTermLists* lists) {
  listed_.Fill(cluster, lists);
}

void ClusterVectors::Update(int32_t cluster, DynamicTermLists* lists) {
  sums_.Weigh(cluster, weights_.data());
  listed_.Replace(cluster, sums_.TermsOf(cluster), weights_, lists);
}

}  // namespace warpclust
