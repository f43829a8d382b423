// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/weighting.h"

#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<Weighting> ParseWeighting(absl::string_view name) {
  if (name == "tf") return Weighting::kTf;
  if (name == "tfidf") return Weighting::kTfIdf;
  return absl::InvalidArgumentError(
      absl::StrCat("weighting: expected 'tf' or 'tfidf', found '", name, "'"));
}

absl::string_view WeightingName(Weighting weighting) {
  return weighting == Weighting::kTf ? "tf" : "tfidf";
}

std::vector<int32_t> DocumentFrequencies(const DocumentMatrix& documents) {
  std::vector<int32_t> frequencies(documents.num_terms);
  for (int32_t term : documents.terms) ++frequencies[term];
  return frequencies;
}

std::vector<double> InverseDocumentFrequencies(
    const DocumentMatrix& documents) {
  const std::vector<int32_t> frequencies = DocumentFrequencies(documents);
  const double n = documents.num_documents();
  std::vector<double> factors(frequencies.size());
  for (size_t t = 0; t < frequencies.size(); ++t) {
    if (frequencies[t] > 0) factors[t] = std::log(n / frequencies[t]);
  }
  return factors;
}

absl::StatusOr<DocumentMatrix> ScaleTerms(DocumentMatrix documents,
                                          absl::Span<const double> factors) {
  if (factors.size() < static_cast<size_t>(documents.num_terms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("factors: expected one per term, ", documents.num_terms,
                     ", found ", factors.size()));
  }
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t end = documents.offsets[d + 1];
    for (int64_t e = begin; e < end; ++e) {
      const int32_t term = documents.terms[e];
      const float weight = static_cast<float>(
          static_cast<double>(documents.weights[e]) * factors[term]);
      // Written so that NaN fails.
      if (!(weight >= 0) || std::isinf(weight)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "document ", d, ", term ", term,
            ": expected a finite weight that is not negative, found ",
            documents.weights[e], " * ", factors[term]));
      }
      if (weight == 0) continue;
      documents.terms[kept] = term;
      documents.weights[kept] = weight;
      ++kept;
    }
    begin = end;
    documents.offsets[d + 1] = kept;
  }
  documents.terms.resize(kept);
  documents.weights.resize(kept);
  return documents;
}

absl::StatusOr<DocumentMatrix> ApplyWeighting(DocumentMatrix documents,
                                              Weighting weighting) {
  if (weighting == Weighting::kTf) return documents;
  const std::vector<double> factors = InverseDocumentFrequencies(documents);
  return ScaleTerms(std::move(documents), factors);
}

}  // namespace warpclust
