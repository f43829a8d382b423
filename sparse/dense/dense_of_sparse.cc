// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/dense_of_sparse.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

bool HasNegativeWeights(const DocumentMatrix& documents) {
  return std::any_of(documents.weights.begin(), documents.weights.end(),
                     [](float weight) { return weight < 0; });
}

absl::StatusOr<DenseDocuments> DenseOfSparse(const DocumentMatrix& documents) {
  if (documents.num_terms > kMostDenseTerms) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at most ", kMostDenseTerms,
        " columns where weights are negative, found ", documents.num_terms));
  }
  const int32_t n = documents.num_documents();
  const int64_t d = documents.num_terms;
  std::vector<float> values(n * d);
  for (int32_t i = 0; i < n; ++i) {
    for (int64_t e = documents.offsets[i]; e < documents.offsets[i + 1]; ++e) {
      values[i * d + documents.terms[e]] = documents.weights[e];
    }
  }
  return MakeDenseDocuments(std::move(values), n);
}

}  // namespace warpclust
