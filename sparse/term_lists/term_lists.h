// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermLists: a static inverted index. It has, for each term, the documents that
// contain it, with their weights: the transpose of a DocumentMatrix, in the
// same layout.
//
// Use it to find the documents that share terms with another one (joins). For
// rows that change use dynamic_term_lists.h.
//
//   const TermLists lists = BuildTermLists(documents);
//   for (const int32_t document : lists.DocumentsOf(term)) ...
//
// Cost: O(entries + terms), a counting sort on all threads. Memory: the result,
// and up to 8 bytes per entry or per term, whichever are more.

#ifndef WARPCLUST_SPARSE_TERM_LISTS_TERM_LISTS_H_
#define WARPCLUST_SPARSE_TERM_LISTS_TERM_LISTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/num_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

struct TermLists {
  // num_terms() + 1 entries; the list of term t is
  // [offsets[t], offsets[t + 1]).
  std::vector<int64_t> offsets = {0};
  // Strictly ascending inside a list.
  std::vector<int32_t> documents;
  // Parallel to `documents`.
  std::vector<float> weights;
  // Per entry of the matrix, in its order: the place of that entry in
  // `documents`. Empty unless TermListsOptions::positions.
  std::vector<int64_t> positions;

  int32_t num_terms() const { return NumRows(offsets.size()); }
  int64_t num_entries() const { return static_cast<int64_t>(documents.size()); }
  absl::Span<const int32_t> DocumentsOf(int32_t term) const {
    return absl::MakeConstSpan(documents).subspan(
        offsets[term], offsets[term + 1] - offsets[term]);
  }
  absl::Span<const float> WeightsOf(int32_t term) const {
    return absl::MakeConstSpan(weights).subspan(
        offsets[term], offsets[term + 1] - offsets[term]);
  }
};

struct TermListsOptions {
  // Fills `positions`.
  bool positions = false;
  int num_threads = 0;  // 0: all cores. At most 64, or one per core.
};

// `documents` must be valid (ValidateDocuments).
TermLists BuildTermLists(const DocumentMatrix& documents,
                         const TermListsOptions& options = {});

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TERM_LISTS_TERM_LISTS_H_
