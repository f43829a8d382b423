// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/top_terms.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<DocumentMatrix> KeepTopTerms(DocumentMatrix documents,
                                            int32_t count) {
  if (count < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("terms to keep: expected 1 or more, found ", count));
  }
  std::vector<std::pair<float, int32_t>> row;
  const auto heavier = [](const std::pair<float, int32_t>& a,
                          const std::pair<float, int32_t>& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  const auto by_term = [](const std::pair<float, int32_t>& a,
                          const std::pair<float, int32_t>& b) {
    return a.second < b.second;
  };
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t end = documents.offsets[d + 1];
    row.clear();
    for (int64_t e = begin; e < end; ++e) {
      row.emplace_back(documents.weights[e], documents.terms[e]);
    }
    if (end - begin > count) {
      std::nth_element(row.begin(), row.begin() + count, row.end(), heavier);
      row.resize(count);
      std::sort(row.begin(), row.end(), by_term);
    }
    for (const auto& [weight, term] : row) {
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

}  // namespace warpclust
