// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/collection_weights.h"

#include <algorithm>
#include <vector>

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<TermWeights> FrozenWeights(const DocumentStore& documents,
                                          Weighting weighting,
                                          int32_t num_terms) {
  if (weighting == Weighting::kTf) return TermWeights();
  ASSIGN_OR_RETURN(const DocumentStore::Frozen frozen,
                   documents.FrozenFrequencies());
  return TermWeights(frozen.frequencies, frozen.num_documents,
                     std::max(num_terms, documents.num_terms()));
}

absl::StatusOr<double> IdfDrift(const DocumentStore& documents,
                                const TermWeights& weights) {
  ASSIGN_OR_RETURN(const std::vector<int32_t> now, documents.Frequencies());
  return weights.Drift(now, documents.num_documents());
}

}  // namespace warpclust
