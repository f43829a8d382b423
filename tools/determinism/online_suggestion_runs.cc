// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/online_suggestion.h"
#include "algorithms/online/state/online_options.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "eval/labels.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "graph/significance/candidates.h"
#include "graph/significance/expected_bcubed.h"
#include "graph/significance/pair_chances.h"
#include "kernels/device/device.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

// As online_cluster --suggest.
constexpr int32_t kFirstDocuments = 2048;

struct FirstDocuments {
  DocumentMatrix counts;
  absl::Span<const int64_t> times;
  std::vector<Weighting> weightings = {Weighting::kTf, Weighting::kTfIdf};
};

void AddExpected(const ExpectedBCubed& expected, Digest* digest) {
  digest->Number(expected.precision);
  digest->Number(expected.recall);
  digest->Number(expected.f);
}

uint64_t SuggestionDigest(const OnlineSuggestion& suggestion) {
  Digest digest;
  digest.Text(FormatDecimal(suggestion.threshold));
  digest.Number(suggestion.terms);
  AddExpected(suggestion.expected, &digest);
  for (const OnlineCandidate& candidate : suggestion.candidates) {
    digest.Text(FormatDecimal(candidate.threshold));
    digest.Number(candidate.terms);
    digest.Number(candidate.clusters);
    AddExpected(candidate.expected, &digest);
  }
  return digest.value();
}

// The clusters of the batched method, with merges applied.
absl::StatusOr<Cover> Clusters(const FirstDocuments& first,
                               const OnlineOptions& options, Device device,
                               int threads) {
  OnlineMethodOptions method;
  method.method = OnlineMethod::kBatched;
  method.device = device;
  method.num_threads = threads;
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method));
  std::vector<int32_t> clusters(first.counts.num_documents());
  RETURN_IF_ERROR(
      clusterer.Add(first.counts, first.times, absl::MakeSpan(clusters)));
  const std::vector<int32_t> home = FinalClusters(clusterer);
  for (int32_t& cluster : clusters) cluster = home[cluster];
  return CoverFromLabels(clusters);
}

// `suggestion` once more: clusters on this device, chances and measures with
// this number of threads.
absl::StatusOr<uint64_t> AgainDigest(const FirstDocuments& first,
                                     const OnlineOptions& options,
                                     OnlineSuggestion suggestion, Device device,
                                     int threads) {
  if (suggestion.candidates.empty()) return SuggestionDigest(suggestion);
  PairChanceOptions chance_options;
  chance_options.num_threads = threads;
  ASSIGN_OR_RETURN(
      const CsrGraph chances,
      EstimatePairChances(first.counts, first.weightings, chance_options));
  for (OnlineCandidate& candidate : suggestion.candidates) {
    OnlineOptions setting = options;
    setting.threshold = candidate.threshold;
    setting.terms = candidate.terms;
    ASSIGN_OR_RETURN(const Cover cover,
                     Clusters(first, setting, device, threads));
    candidate.clusters = cover.num_clusters();
    ASSIGN_OR_RETURN(candidate.expected,
                     ComputeExpectedBCubed(cover, chances, threads));
  }
  const OnlineCandidate& best =
      suggestion.candidates[BestCandidate(suggestion.candidates, 0)];
  suggestion.threshold = best.threshold;
  suggestion.terms = best.terms;
  suggestion.expected = best.expected;
  return SuggestionDigest(suggestion);
}

}  // namespace

absl::Status RunOnlineSuggestion(const StreamInput& stream,
                                 DeterminismRunner* runner) {
  const int32_t n = std::min(stream.counts.num_documents(), kFirstDocuments);
  FirstDocuments first;
  first.counts = SelectRows(stream.counts, RowRange(0, n));
  first.times = absl::MakeConstSpan(stream.times).subspan(0, n);
  const OnlineOptions options;
  OnlineSuggestion suggestion;
  const RunGroup group = {"online", stream.name, "suggestion"};
  RETURN_IF_ERROR(runner->Run(
      group,
      {.method = "suggestion",
       .devices = RunWay::Devices::kCpu,
       .threads = false},
      [&](Device, int) -> absl::StatusOr<uint64_t> {
        ASSIGN_OR_RETURN(suggestion, SuggestOnline(first.counts, first.times,
                                                   options, first.weightings));
        return SuggestionDigest(suggestion);
      }));
  return runner->Run(group, {.method = "batched per candidate"},
                     [&](Device device, int threads) {
                       return AgainDigest(first, options, suggestion, device,
                                          threads);
                     });
}

}  // namespace warpclust
