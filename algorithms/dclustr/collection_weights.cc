// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_weights.h"

#include <algorithm>
#include <vector>

namespace warpclust {

absl::StatusOr<TermWeights> FrozenWeights(const DocumentStore& documents,
                                          Weighting weighting,
                                          int32_t num_terms) {
  if (weighting == Weighting::kTf) return TermWeights();
  int32_t num_documents = 0;
  const absl::StatusOr<std::vector<int32_t>> frequencies =
      documents.FrozenFrequencies(&num_documents);
  if (!frequencies.ok()) return frequencies.status();
  return TermWeights(*frequencies, num_documents,
                     std::max(num_terms, documents.num_terms()));
}

absl::StatusOr<double> IdfDrift(const DocumentStore& documents,
                                const TermWeights& weights) {
  const absl::StatusOr<std::vector<int32_t>> now = documents.Frequencies();
  if (!now.ok()) return now.status();
  return weights.Drift(*now, documents.num_documents());
}

}  // namespace warpclust
