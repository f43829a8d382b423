// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/exact_cosines.h"

#include <cstddef>

#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

ExactCosines::ExactCosines(const DocumentMatrix& documents)
    : documents_(documents), squared_norms_(SquaredNorms(documents)) {}

void ExactCosines::operator()(int32_t document,
                              absl::Span<const int32_t> others,
                              std::vector<double>* scratch,
                              absl::Span<double> cosines) const {
  // The document's weights by term; 0 elsewhere, and everywhere between calls.
  std::vector<double>& dense = *scratch;
  dense.resize(documents_.num_terms);
  const absl::Span<const int32_t> terms = documents_.TermsOf(document);
  const absl::Span<const float> weights = documents_.WeightsOf(document);
  for (size_t e = 0; e < terms.size(); ++e) dense[terms[e]] = weights[e];
  for (size_t k = 0; k < others.size(); ++k) {
    const absl::Span<const int32_t> other_terms = documents_.TermsOf(others[k]);
    const absl::Span<const float> other_weights =
        documents_.WeightsOf(others[k]);
    // Terms that are not shared add +0, which changes no sum.
    double dot = 0;
    for (size_t e = 0; e < other_terms.size(); ++e) {
      dot += dense[other_terms[e]] * static_cast<double>(other_weights[e]);
    }
    cosines[k] = CosineDecision::DoubleCosine(dot, squared_norms_[document],
                                              squared_norms_[others[k]]);
  }
  for (const int32_t term : terms) dense[term] = 0;
}

}  // namespace warpclust
