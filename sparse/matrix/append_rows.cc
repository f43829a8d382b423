// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/append_rows.h"

#include <algorithm>

namespace warpclust {

void AppendRows(const DocumentMatrix& rows, int32_t begin, int32_t end,
                DocumentMatrix* documents) {
  const int64_t first = rows.offsets[begin];
  const int64_t last = rows.offsets[end];
  const int64_t shift = documents->num_entries() - first;
  documents->terms.insert(documents->terms.end(), rows.terms.begin() + first,
                          rows.terms.begin() + last);
  documents->weights.insert(documents->weights.end(),
                            rows.weights.begin() + first,
                            rows.weights.begin() + last);
  for (int32_t d = begin; d < end; ++d) {
    documents->offsets.push_back(shift + rows.offsets[d + 1]);
  }
  documents->num_terms = std::max(documents->num_terms, rows.num_terms);
}

}  // namespace warpclust
