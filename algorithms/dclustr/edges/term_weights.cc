// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/term_weights.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {
namespace {

double InverseFrequency(int32_t num_documents, int32_t frequency) {
  return std::log(static_cast<double>(num_documents) / frequency);
}

}  // namespace

TermWeights::TermWeights(absl::Span<const int32_t> frequencies,
                         int32_t num_documents, int32_t num_terms)
    : is_tf_(false) {
  factors_.resize(std::max<size_t>(num_terms, frequencies.size()));
  for (size_t t = 0; t < factors_.size(); ++t) {
    const int32_t frequency = t < frequencies.size() ? frequencies[t] : 0;
    factors_[t] =
        InverseFrequency(std::max(num_documents, 1), std::max(frequency, 1));
  }
}

absl::StatusOr<DocumentMatrix> TermWeights::Weigh(DocumentMatrix counts) const {
  if (is_tf_) return counts;
  return ScaleTerms(std::move(counts), factors_);
}

double TermWeights::Drift(absl::Span<const int32_t> frequencies,
                          int32_t num_documents) const {
  if (is_tf_) return 0;
  double sum = 0;
  int64_t pairs = 0;
  for (size_t t = 0; t < std::min(frequencies.size(), factors_.size()); ++t) {
    if (frequencies[t] <= 0) continue;
    const double now = InverseFrequency(num_documents, frequencies[t]);
    sum += frequencies[t] * std::abs(now - factors_[t]);
    pairs += frequencies[t];
  }
  return pairs == 0 ? 0 : sum / static_cast<double>(pairs);
}

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
