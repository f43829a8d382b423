// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SuggestOnline: T and K for a stream, from its first documents, without
// labels. Use it before a stream is clustered, if you do not know which T
// suits.
//
//   ASSIGN_OR_RETURN(const OnlineSuggestion suggestion,
//                    SuggestOnline(first_documents, {}, OnlineOptions(),
//                                  {{Weighting::kTf, Weighting::kTfIdf}}));
//   options.threshold = suggestion.threshold;
//   options.terms = suggestion.terms;
//
// The rule: the T and the K whose clusters of these documents have the highest
// expected B-cubed F. The chance that two documents belong together is
// estimated by comparing cosines with those of documents whose terms are
// shuffled (graph/significance/pair_chances.h).
//
// Complexity: two cosine graphs per weighting, and the documents clustered with
// each setting. Give it some thousand documents.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_ONLINE_SUGGESTION_H_
#define WARPCLUST_ALGORITHMS_ONLINE_ONLINE_SUGGESTION_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/state/online_options.h"
#include "base/numbers/decimal.h"
#include "graph/significance/expected_bcubed.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {

struct OnlineCandidate {
  Decimal threshold;
  int32_t terms;
  // With merges applied.
  int32_t clusters;
  ExpectedBCubed expected;
};

struct OnlineSuggestion {
  // Those of `options` unless another setting is better.
  Decimal threshold;
  int32_t terms = 0;
  ExpectedBCubed expected;
  // By K in 10, 20, 50 and 100, T from 0.05 to 0.9 in steps of 0.05; and the
  // setting of `options` before them. Empty if there are fewer than 64
  // documents, or if none are more similar than by chance.
  std::vector<OnlineCandidate> candidates;
};

// `documents` are the first of a stream, weighted as they are to be clustered,
// `times` those of OnlineClusterer::Add. `weightings` say how documents are
// compared with shuffled ones: {kTf, kTfIdf} for term counts, {kTf} for
// documents that have weights already. All other options of `options` are kept.
// The errors of
// OnlineClusterer and EstimatePairChances.
absl::StatusOr<OnlineSuggestion> SuggestOnline(
    const DocumentMatrix& documents, absl::Span<const int64_t> times,
    const OnlineOptions& options, absl::Span<const Weighting> weightings);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_ONLINE_SUGGESTION_H_
