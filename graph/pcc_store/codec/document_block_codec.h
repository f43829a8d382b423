// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Document blocks: the vectors of a few documents as one record of a store,
// about two bytes per entry for term counts, four per value of dense rows.
//
// A block holds, in StreamVByte (graph/pcc_store/codec/stream_vbyte.h): the
// kind of its weights, the numbers of documents and of entries, the vertices
// and the lengths of the rows, the terms of each row, and the counts less one.
// If a weight of the block is not an integer below 2^24, all weights follow as
// floats of 4 bytes instead. Dense rows have no lengths and no terms: their
// values follow the vertices as floats.
//
// A reader is a plain value over bytes that must outlive it; several threads
// may decode at once.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Encodes the rows [first_row, first_row + vertices.size()) of valid
// `documents`. Their vertices ascend and are in [0, 2^31 - 1).
std::string EncodeDocumentBlock(absl::Span<const int32_t> vertices,
                                const DocumentMatrix& documents,
                                int32_t first_row);

// The same for dense rows, which have at least one dimension.
std::string EncodeDocumentBlock(absl::Span<const int32_t> vertices,
                                const DenseDocuments& documents,
                                int32_t first_row);

// The first number of a block: what its weights are.
enum class DocumentBlockKind : uint32_t {
  kCounts = 0,
  kFloats = 1,
  kDense = 2
};

class DocumentBlockReader {
 public:
  // Reads the head of a block. DataLoss if it is damaged.
  static absl::StatusOr<DocumentBlockReader> Open(absl::string_view bytes);

  // The vertex numbers, ascending.
  const std::vector<int32_t>& vertices() const { return vertices_; }
  // Where the row of each document begins, and the end of the last.
  const std::vector<int32_t>& offsets() const { return offsets_; }
  int32_t num_documents() const {
    return static_cast<int32_t>(vertices_.size());
  }
  int32_t num_entries() const { return offsets_.back(); }
  // Whether the weights are integers, from 1 to 2^24.
  bool are_counts() const { return kind_ == DocumentBlockKind::kCounts; }
  bool is_dense() const { return kind_ == DocumentBlockKind::kDense; }

  // Decodes all rows to num_entries() terms and as many weights. DataLoss if
  // they are not rows of a DocumentMatrix with `num_terms` columns.
  absl::Status Decode(int32_t num_terms, absl::Span<int32_t> terms,
                      absl::Span<float> weights) const;

  // Decodes one dense row. DataLoss if it is not one of values.size() finite
  // values.
  absl::Status DecodeRow(int32_t document, absl::Span<float> values) const;

 private:
  DocumentBlockReader() = default;

  DocumentBlockKind kind_ = DocumentBlockKind::kCounts;
  std::vector<int32_t> vertices_;
  std::vector<int32_t> offsets_ = {0};
  absl::string_view entries_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_
