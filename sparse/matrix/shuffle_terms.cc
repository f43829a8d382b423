// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/shuffle_terms.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {

DocumentMatrix ShuffleTerms(const DocumentMatrix& documents, uint64_t seed) {
  constexpr int kTries = 64;
  const int64_t entries = documents.num_entries();
  std::vector<int32_t> terms = documents.terms;
  // The last row that got the term.
  std::vector<int32_t> row_of(documents.num_terms, -1);
  Random random(seed);
  DocumentMatrix shuffled;
  shuffled.num_terms = documents.num_terms;
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    row.clear();
    for (int64_t e = documents.offsets[d]; e < documents.offsets[d + 1]; ++e) {
      for (int tries = 0; tries < kTries; ++tries) {
        const auto from = e + static_cast<int64_t>(random.Below(
                                  static_cast<uint64_t>(entries - e)));
        if (row_of[terms[from]] == d) continue;
        std::swap(terms[e], terms[from]);
        row_of[terms[e]] = d;
        row.emplace_back(terms[e], documents.weights[e]);
        break;
      }
    }
    std::sort(row.begin(), row.end());
    for (const auto& [term, weight] : row) {
      shuffled.terms.push_back(term);
      shuffled.weights.push_back(weight);
    }
    shuffled.offsets.push_back(static_cast<int64_t>(shuffled.terms.size()));
  }
  return shuffled;
}

}  // namespace warpclust
