// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/distributed/document_pieces.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// `row_words(d)`: the words of row d.
template <typename RowWords>
std::vector<int32_t> Cut(int32_t end, const PieceLimits& limits,
                         RowWords row_words) {
  std::vector<int32_t> cuts = {0};
  int64_t words = 0;
  for (int32_t d = 0; d < end; ++d) {
    words += row_words(d);
    if (d > cuts.back() &&
        (words > limits.words || d - cuts.back() >= limits.rows)) {
      cuts.push_back(d);
      words = row_words(d);
    }
  }
  if (end > 0) cuts.push_back(end);
  return cuts;
}

}  // namespace

std::vector<int32_t> CutIntoPieces(const DocumentMatrix& documents, int32_t end,
                                   const PieceLimits& limits) {
  return Cut(end, limits, [&](int32_t d) {
    return 1 + 2 * (documents.offsets[d + 1] - documents.offsets[d]);
  });
}

std::vector<int32_t> CutIntoPieces(const DenseDocuments& documents, int32_t end,
                                   const PieceLimits& limits) {
  return Cut(end, limits,
             [&](int32_t) { return int64_t{documents.num_dimensions}; });
}

int64_t PackedWords(const DocumentMatrix& documents, int32_t begin,
                    int32_t end) {
  return 1 + (end - begin) +
         2 * (documents.offsets[end] - documents.offsets[begin]);
}

int64_t PackedWords(const DenseDocuments& documents, int32_t begin,
                    int32_t end) {
  return int64_t{end - begin} * documents.num_dimensions;
}

// The number of rows, their lengths, all terms, all weights.
absl::Span<const uint32_t> PackRows(const DocumentMatrix& documents,
                                    int32_t begin, int32_t end,
                                    std::vector<uint32_t>* scratch) {
  const int64_t first = documents.offsets[begin];
  const int64_t num_entries = documents.offsets[end] - first;
  scratch->resize(PackedWords(documents, begin, end));
  uint32_t* out = scratch->data();
  *out++ = static_cast<uint32_t>(end - begin);
  for (int32_t d = begin; d < end; ++d) {
    *out++ =
        static_cast<uint32_t>(documents.offsets[d + 1] - documents.offsets[d]);
  }
  out = std::copy_n(documents.terms.begin() + first, num_entries, out);
  std::copy_n(documents.weights.begin() + first, num_entries,
              reinterpret_cast<float*>(out));
  return *scratch;
}

absl::Span<const uint32_t> PackRows(const DenseDocuments& documents,
                                    int32_t begin, int32_t end,
                                    std::vector<uint32_t>*) {
  const absl::Span<const float> values = documents.Rows(begin, end).values;
  return {reinterpret_cast<const uint32_t*>(values.data()), values.size()};
}

void UnpackRows(absl::Span<const uint32_t> words, int32_t num_columns,
                DocumentMatrix* documents) {
  documents->num_terms = num_columns;
  const int32_t num_rows = static_cast<int32_t>(words[0]);
  const uint32_t* in = words.data() + 1;
  documents->offsets.assign(1, 0);
  for (int32_t d = 0; d < num_rows; ++d) {
    documents->offsets.push_back(documents->offsets.back() + *in++);
  }
  const int64_t num_entries = documents->offsets.back();
  documents->terms.assign(in, in + num_entries);
  const float* const weights = reinterpret_cast<const float*>(in + num_entries);
  documents->weights.assign(weights, weights + num_entries);
}

void UnpackRows(absl::Span<const uint32_t> words, int32_t num_columns,
                DenseDocuments* documents) {
  documents->num_rows =
      num_columns == 0 ? 0 : static_cast<int32_t>(words.size() / num_columns);
  documents->num_dimensions = num_columns;
  documents->values = {reinterpret_cast<const float*>(words.data()),
                       words.size()};
}

void UnpackOwned(std::vector<uint32_t> words, int32_t num_columns,
                 DocumentMatrix* documents) {
  UnpackRows(words, num_columns, documents);
}

void UnpackOwned(std::vector<uint32_t> words, int32_t num_columns,
                 DenseDocuments* documents) {
  auto storage =
      std::make_shared<const std::vector<uint32_t>>(std::move(words));
  UnpackRows(*storage, num_columns, documents);
  documents->storage = std::move(storage);
}

DocumentMatrix SliceRows(const DocumentMatrix& documents, int32_t begin,
                         int32_t end) {
  DocumentMatrix slice;
  slice.num_terms = documents.num_terms;
  AppendRows(documents, begin, end, &slice);
  return slice;
}

DenseDocuments SliceRows(const DenseDocuments& documents, int32_t begin,
                         int32_t end) {
  return documents.Rows(begin, end);
}

}  // namespace warpclust
