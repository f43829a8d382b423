// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_suggestion.h"

#include <cstddef>

#include "absl/status/status.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "base/status/status_macros.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "graph/significance/candidates.h"
#include "graph/significance/pair_chances.h"
#include "kernels/device/device.h"
#include "sparse/matrix/compact_terms.h"

namespace warpclust {
namespace {

// The clusters at the end of the documents, with merges applied.
absl::StatusOr<Cover> ClusterAll(const DocumentMatrix& documents,
                                 absl::Span<const int64_t> times,
                                 const OnlineOptions& options) {
  OnlineMethodOptions method;
  method.method = OnlineMethod::kSerial2;
  method.device = Device::kCpu;
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method));
  std::vector<int32_t> clusters(documents.num_documents());
  RETURN_IF_ERROR(clusterer.Add(documents, times, absl::MakeSpan(clusters)));
  const std::vector<int32_t> home = FinalClusters(clusterer);
  std::vector<std::vector<int32_t>> members(home.size());
  for (size_t d = 0; d < clusters.size(); ++d) {
    members[home[clusters[d]]].push_back(static_cast<int32_t>(d));
  }
  Cover cover;
  for (const std::vector<int32_t>& cluster : members) {
    if (!cluster.empty()) cover.Append(cluster);
  }
  return cover;
}

}  // namespace

absl::StatusOr<OnlineSuggestion> SuggestOnline(
    const DocumentMatrix& documents, absl::Span<const int64_t> times,
    const OnlineOptions& options, absl::Span<const Weighting> weightings) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDocuments(documents));
  OnlineSuggestion suggestion;
  suggestion.threshold = options.threshold;
  suggestion.terms = options.terms;
  if (documents.num_documents() < kFewestComparedDocuments) return suggestion;
  PairChanceOptions chance_options;
  chance_options.num_threads = 1;
  DocumentMatrix compact = documents;
  CompactTerms(&compact);
  ASSIGN_OR_RETURN(const CsrGraph chances,
                   EstimatePairChances(compact, weightings, chance_options));
  if (chances.num_edges() == 0) return suggestion;

  const auto add = [&](const Decimal& threshold,
                       int32_t terms) -> absl::Status {
    OnlineOptions setting = options;
    setting.threshold = threshold;
    setting.terms = terms;
    ASSIGN_OR_RETURN(const Cover cover, ClusterAll(compact, times, setting));
    ASSIGN_OR_RETURN(const ExpectedBCubed expected,
                     ComputeExpectedBCubed(cover, chances, 1));
    suggestion.candidates.push_back(
        {threshold, terms, cover.num_clusters(), expected});
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(add(options.threshold, options.terms));
  for (const int32_t terms : {10, 20, 50, 100}) {
    for (const Decimal& threshold : ThresholdCandidates(18)) {
      RETURN_IF_ERROR(add(threshold, terms));
    }
  }
  const OnlineCandidate& best =
      suggestion.candidates[BestCandidate(suggestion.candidates, 0)];
  suggestion.threshold = best.threshold;
  suggestion.terms = best.terms;
  suggestion.expected = best.expected;
  return suggestion;
}

}  // namespace warpclust
