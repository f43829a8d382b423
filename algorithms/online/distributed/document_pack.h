// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Documents and their clocks as one message: the numbers of documents and
// terms, the offsets and clocks, and a word per entry.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_DOCUMENT_PACK_H_
#define WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_DOCUMENT_PACK_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/state/unit_vectors.h"

namespace warpclust {

// Documents [begin, end).
inline std::vector<int64_t> PackDocuments(const UnitVectors& documents,
                                          absl::Span<const int64_t> clocks,
                                          int64_t begin, int64_t end) {
  const int64_t first = documents.offsets[begin];
  std::vector<int64_t> words = {end - begin, documents.num_terms};
  words.reserve(2 + 2 * (end - begin) + documents.offsets[end] - first);
  for (int64_t d = begin; d < end; ++d) {
    words.push_back(documents.offsets[d + 1] - first);
  }
  words.insert(words.end(), clocks.begin() + begin, clocks.begin() + end);
  for (int64_t e = first; e < documents.offsets[end]; ++e) {
    words.push_back(int64_t{documents.weights[e]} << 32 | documents.terms[e]);
  }
  return words;
}

// The documents and their clocks.
inline std::pair<UnitVectors, std::vector<int64_t>> UnpackDocuments(
    absl::Span<const int64_t> words) {
  const int64_t size = words[0];
  UnitVectors documents;
  documents.num_terms = static_cast<int32_t>(words[1]);
  const absl::Span<const int64_t> offsets = words.subspan(2, size);
  documents.offsets.insert(documents.offsets.end(), offsets.begin(),
                           offsets.end());
  const absl::Span<const int64_t> clocks = words.subspan(2 + size, size);
  const absl::Span<const int64_t> entries = words.subspan(2 + 2 * size);
  documents.terms.reserve(entries.size());
  documents.weights.reserve(entries.size());
  for (const int64_t word : entries) {
    documents.terms.push_back(static_cast<int32_t>(word));
    documents.weights.push_back(static_cast<int32_t>(word >> 32));
  }
  return {std::move(documents), {clocks.begin(), clocks.end()}};
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_DISTRIBUTED_DOCUMENT_PACK_H_
