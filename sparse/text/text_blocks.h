// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts in blocks for several threads, and columns that are numbered once all
// threads are done.

#ifndef WARPCLUST_SPARSE_TEXT_TEXT_BLOCKS_H_
#define WARPCLUST_SPARSE_TEXT_TEXT_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Texts that follow one another, as strings or as views.
template <typename Text>
using TextBlock = absl::Span<const Text>;

// With a byte more for each text.
template <typename Text>
int64_t TextBytes(TextBlock<Text> texts) {
  int64_t bytes = 0;
  for (const Text& text : texts) {
    bytes += static_cast<int64_t>(text.size()) + 1;
  }
  return bytes;
}

// `num_blocks` blocks, about as long as one another; `bytes` is TextBytes.
template <typename Text>
std::vector<TextBlock<Text>> SplitTexts(TextBlock<Text> texts, int64_t bytes,
                                        int64_t num_blocks) {
  std::vector<TextBlock<Text>> blocks;
  size_t begin = 0;
  int64_t passed = 0;
  for (int64_t block = 1; block <= num_blocks; ++block) {
    size_t end = begin;
    for (; end < texts.size() && passed * num_blocks < bytes * block; ++end) {
      passed += static_cast<int64_t>(texts[end].size()) + 1;
    }
    blocks.push_back(texts.subspan(begin, end - begin));
    begin = end;
  }
  return blocks;
}

// Column first + i becomes numbers[i]; sorts the rows that have such columns.
inline void RenumberColumns(int32_t first, absl::Span<const int32_t> numbers,
                            DocumentMatrix& documents) {
  std::vector<std::pair<int32_t, float>> row;
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    const int64_t begin = documents.offsets[d];
    const int64_t size = documents.offsets[d + 1] - begin;
    // Columns ascend.
    if (size == 0 || documents.terms[begin + size - 1] < first) continue;
    row.resize(size);
    for (int64_t i = 0; i < size; ++i) {
      const int32_t column = documents.terms[begin + i];
      row[i] = {column < first ? column : numbers[column - first],
                documents.weights[begin + i]};
    }
    std::sort(row.begin(), row.end());
    for (int64_t i = 0; i < size; ++i) {
      documents.terms[begin + i] = row[i].first;
      documents.weights[begin + i] = row[i].second;
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_TEXT_TEXT_BLOCKS_H_
