// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/concatenate_documents.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/machine/resize_vector.h"

namespace warpclust {

DocumentMatrix ConcatenateDocuments(std::vector<DocumentMatrix> parts,
                                    int num_threads) {
  if (parts.size() == 1) return std::move(parts[0]);
  const auto num_parts = static_cast<int64_t>(parts.size());
  std::vector<int64_t> first_row(parts.size());
  std::vector<int64_t> first_entry(parts.size());
  int64_t rows = 0;
  int64_t entries = 0;
  DocumentMatrix result;
  for (int64_t p = 0; p < num_parts; ++p) {
    first_row[p] = rows;
    first_entry[p] = entries;
    rows += parts[p].num_documents();
    entries += parts[p].num_entries();
    result.num_terms = std::max(result.num_terms, parts[p].num_terms);
  }
  const int threads = ThreadsForEntries(entries, num_threads);
  ResizeVector(rows + 1, threads, &result.offsets);
  ResizeVector(entries, threads, &result.terms);
  ResizeVector(entries, threads, &result.weights);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int64_t p = 0; p < num_parts; ++p) {
    const DocumentMatrix part = std::move(parts[p]);
    std::copy(part.terms.begin(), part.terms.end(),
              result.terms.begin() + first_entry[p]);
    std::copy(part.weights.begin(), part.weights.end(),
              result.weights.begin() + first_entry[p]);
    for (int64_t d = 0; d < part.num_documents(); ++d) {
      result.offsets[first_row[p] + d + 1] =
          first_entry[p] + part.offsets[d + 1];
    }
  }
  return result;
}

}  // namespace warpclust
