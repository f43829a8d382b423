// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/dense_of_sparse.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"

namespace warpclust {

bool HasNegativeWeights(const DocumentMatrix& documents, int num_threads) {
  const int64_t entries = documents.num_entries();
  // Fewer are not worth a thread.
  constexpr int64_t kEntriesPerThread = int64_t{1} << 18;
  const int threads = ThreadsFor(entries, kEntriesPerThread, num_threads);
  bool found = false;
#pragma omp parallel for num_threads(threads) reduction(|| : found)
  for (int64_t e = 0; e < entries; ++e) {
    found = found || documents.weights[e] < 0;
  }
  return found;
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
