// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Document blocks: a few documents' vectors as one record of a store, small and
// quick to read: about two bytes an entry for term counts, about 1 ns to
// decode.
//
// A block holds packed numbers (graph/pcc_store/codec/packed_numbers.h): how
// many documents and entries, the differences of the documents' vertex numbers,
// the lengths of their rows, the differences of their terms, and their counts
// less one; or, if one weight of the block is not an integer below 2^24, the
// weights as floats, 4 bytes each.
//
// Thread-safety: a reader is a plain value over bytes that must outlive it;
// concurrent decoding is safe. Determinism: the same documents, the same bytes.

#ifndef WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_
#define WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The rows [first_row, first_row + vertices.size()) of `documents` (valid)
// under the numbers `vertices`, ascending and not negative.
std::string EncodeDocumentBlock(absl::Span<const int32_t> vertices,
                                const DocumentMatrix& documents,
                                int32_t first_row);

class DocumentBlockReader {
 public:
  // Reads the head of a block. DataLoss if it is not one.
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
  bool are_counts() const { return are_counts_; }

  // Decodes all rows, num_entries() terms and weights. DataLoss if they are not
  // rows of a DocumentMatrix with `num_terms` columns.
  absl::Status Decode(int32_t num_terms, int32_t* terms, float* weights) const;

 private:
  DocumentBlockReader() = default;

  bool are_counts_ = true;
  std::vector<int32_t> vertices_;
  std::vector<int32_t> offsets_ = {0};
  absl::string_view entries_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_CODEC_DOCUMENT_BLOCK_CODEC_H_
