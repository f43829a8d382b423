// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_merging.h"

#include <cstddef>
#include <utility>

#include "algorithms/online/clusters/list_search.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr size_t kClustersAtOnce = 1 << 14;

// The inner product of two vectors with ascending terms.
template <typename Vector>
int64_t Product(const Vector& a, const Vector& b) {
  int64_t product = 0;
  size_t j = 0;
  for (size_t i = 0; i < a.terms.size(); ++i) {
    while (j < b.terms.size() && b.terms[j] < a.terms[i]) ++j;
    if (j < b.terms.size() && b.terms[j] == a.terms[i]) {
      product += int64_t{a.weights[i]} * b.weights[j];
    }
  }
  return product;
}

}  // namespace

RankedMerging::RankedMerging(const ListedVectors& vectors,
                             const DynamicTermLists& lists,
                             const ClusterMerging& merging, Communicator& ranks)
    : vectors_(vectors),
      lists_(lists),
      above_(merging.above()),
      changed_(merging.changed().begin(), merging.changed().end()),
      ranks_(ranks),
      similarities_(vectors.size()),
      candidates_(vectors.size() + size_t{1}) {}

absl::Status RankedMerging::Begin() {
  const absl::Span<const int32_t> changed = changed_;
  for (size_t begin = 0; begin < changed.size(); begin += kClustersAtOnce) {
    const auto some = changed.subspan(begin, kClustersAtOnce);
    RETURN_IF_ERROR(Gather(some));
    RETURN_IF_ERROR(Compare(some));
    // After a new start from a state all clusters have changed. No rank keeps
    // the vectors of all.
    if (changed.size() > kClustersAtOnce) known_.clear();
  }
  return absl::OkStatus();
}

absl::Status RankedMerging::Gather(absl::Span<const int32_t> clusters) {
  // Number, length, terms, weights.
  std::vector<int32_t> sent;
  for (const int32_t cluster : clusters) {
    if (cluster % ranks_.size() != ranks_.rank()) continue;
    const int32_t place = cluster / ranks_.size();
    const absl::Span<const int32_t> terms = vectors_.TermsOf(place);
    const absl::Span<const int32_t> weights = vectors_.WeightsOf(place);
    sent.push_back(cluster);
    sent.push_back(static_cast<int32_t>(terms.size()));
    sent.insert(sent.end(), terms.begin(), terms.end());
    sent.insert(sent.end(), weights.begin(), weights.end());
  }
  ASSIGN_OR_RETURN(const RankLists<int32_t> all,
                   ranks_.AllGather(absl::MakeConstSpan(sent)));
  const int32_t* at = all.values.data();
  const int32_t* const end = at + all.values.size();
  while (at < end) {
    Vector& vector = known_[*at++];
    const int32_t length = *at++;
    vector.terms.assign(at, at + length);
    at += length;
    vector.weights.assign(at, at + length);
    at += length;
  }
  return absl::OkStatus();
}

absl::Status RankedMerging::Compare(absl::Span<const int32_t> clusters) {
  std::vector<Hit> sent;
  int64_t products = 0;
  for (const int32_t cluster : clusters) {
    const Vector& vector = known_[cluster];
    const size_t count =
        AddPartialProducts(vector.terms, vector.weights, lists_,
                           similarities_.data(), candidates_.data(), &products);
    for (size_t i = 0; i < count; ++i) {
      const int64_t similarity =
          std::exchange(similarities_[candidates_[i]], 0);
      if (similarity <= above_) continue;
      const int32_t other = candidates_[i] * ranks_.size() + ranks_.rank();
      sent.push_back({cluster, other, similarity});
    }
  }
  ASSIGN_OR_RETURN(const RankLists<Hit> all,
                   ranks_.AllGather(absl::MakeConstSpan(sent)));
  for (const int32_t cluster : clusters) hits_[cluster].clear();
  for (const Hit& hit : all.values) hits_[hit.cluster].push_back(hit);
  return absl::OkStatus();
}

absl::Status RankedMerging::VisitSimilar(
    int32_t cluster,
    absl::FunctionRef<void(int32_t other, int64_t similarity)> visit) {
  const bool was_known = known_.contains(cluster);
  if (!was_known) {
    RETURN_IF_ERROR(Gather({cluster}));
  }
  if (merged_.contains(cluster) || !hits_.contains(cluster)) {
    RETURN_IF_ERROR(Compare({cluster}));
  }
  for (const Hit& hit : hits_[cluster]) {
    if (!merged_.contains(hit.other)) visit(hit.other, hit.similarity);
  }
  for (const int32_t other : merged_) {
    const int64_t similarity = Product(known_[cluster], known_[other]);
    if (similarity > above_) visit(other, similarity);
  }
  if (!was_known) known_.erase(cluster);
  return absl::OkStatus();
}

void RankedMerging::Merged(int32_t from, int32_t into,
                           absl::Span<const int32_t> terms,
                           absl::Span<const int32_t> weights) {
  known_[from] = Vector();
  known_[into] = {{terms.begin(), terms.end()},
                  {weights.begin(), weights.begin() + terms.size()}};
  merged_.insert({from, into});
}

}  // namespace warpclust
