// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/distributed/ranked_comparison.h"

#include <cstddef>
#include <utility>

#include "algorithms/online/clusters/list_search.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// After a new start from a state all clusters have changed. No rank holds the
// vectors of all.
constexpr size_t kClustersAtOnce = 1 << 14;

}  // namespace

RankedComparison::RankedComparison(int64_t above, const ListedVectors& vectors,
                                   const DynamicTermLists& lists,
                                   Communicator& ranks)
    : above_(above),
      vectors_(vectors),
      lists_(lists),
      ranks_(ranks),
      similarities_(vectors.size()),
      candidates_(vectors.size() + size_t{1}) {}

absl::Status RankedComparison::Compare(absl::Span<const int32_t> clusters,
                                       std::vector<SimilarPair>* pairs) {
  for (size_t begin = 0; begin < clusters.size(); begin += kClustersAtOnce) {
    // Number, length, terms, weights.
    std::vector<int32_t> sent;
    for (const int32_t cluster : clusters.subspan(begin, kClustersAtOnce)) {
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
    const absl::Span<const int32_t> words = all.values;
    std::vector<SimilarPair> found;
    for (size_t at = 0; at < words.size();) {
      const int32_t cluster = words[at];
      const auto length = static_cast<size_t>(words[at + 1]);
      at += 2;
      CompareWithMine(cluster, words.subspan(at, length),
                      words.subspan(at + length, length), &found);
      at += 2 * length;
    }
    RETURN_IF_ERROR(GatherPairs(found, pairs));
  }
  return absl::OkStatus();
}

absl::Status RankedComparison::CompareVector(int32_t cluster,
                                             absl::Span<const int32_t> terms,
                                             absl::Span<const int32_t> weights,
                                             std::vector<SimilarPair>* pairs) {
  std::vector<SimilarPair> found;
  CompareWithMine(cluster, terms, weights, &found);
  return GatherPairs(found, pairs);
}

void RankedComparison::CompareWithMine(int32_t cluster,
                                       absl::Span<const int32_t> terms,
                                       absl::Span<const int32_t> weights,
                                       std::vector<SimilarPair>* pairs) {
  int64_t products = 0;
  const size_t count =
      AddPartialProducts(terms, weights, lists_, similarities_.data(),
                         candidates_.data(), &products);
  for (size_t i = 0; i < count; ++i) {
    const int64_t similarity = std::exchange(similarities_[candidates_[i]], 0);
    if (similarity <= above_) continue;
    pairs->push_back(
        {cluster, candidates_[i] * ranks_.size() + ranks_.rank(), similarity});
  }
}

absl::Status RankedComparison::GatherPairs(absl::Span<const SimilarPair> found,
                                           std::vector<SimilarPair>* pairs) {
  ASSIGN_OR_RETURN(const RankLists<SimilarPair> all, ranks_.AllGather(found));
  pairs->insert(pairs->end(), all.values.begin(), all.values.end());
  return absl::OkStatus();
}

}  // namespace warpclust
