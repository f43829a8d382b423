// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Pieces of documents as messages between ranks: rows of a matrix, sparse or
// dense, in 32-bit words. A dense row takes a word per dimension, a sparse one
// a word and two per entry.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DOCUMENT_PIECES_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DOCUMENT_PIECES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "kernels/nccl/device_way.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// How large a piece may be. One row is always allowed. 0: what suits the
// device.
struct PieceLimits {
  int32_t rows = 0;
  int64_t words = 0;
};

// How documents and edges travel from rank to rank.
struct CosineExchange {
  PieceLimits limits = {};
  // Between GPUs. By kAuto, NCCL is used for much data only.
  DeviceWay way = DeviceWay::kAuto;
  // If several ranks build their rows on GPUs, these stay there:
  // GraphShare::on_gpu.
  bool leave_rows_on_gpus = false;
  // For tests: from GPU to GPU even if that is through the hosts.
  bool always_by_device = false;
};

// Cuts rows [0, end) into pieces: the beginnings, and `end`.
std::vector<int32_t> CutIntoPieces(const DocumentMatrix& documents, int32_t end,
                                   const PieceLimits& limits);
std::vector<int32_t> CutIntoPieces(const DenseDocuments& documents, int32_t end,
                                   const PieceLimits& limits);

// Rows [begin, end), to be sent: in `scratch`, or where they are.
absl::Span<const uint32_t> PackRows(const DocumentMatrix& documents,
                                    int32_t begin, int32_t end,
                                    std::vector<uint32_t>* scratch);
absl::Span<const uint32_t> PackRows(const DenseDocuments& documents,
                                    int32_t begin, int32_t end,
                                    std::vector<uint32_t>* scratch);

// The number of words of these.
int64_t PackedWords(const DocumentMatrix& documents, int32_t begin,
                    int32_t end);
int64_t PackedWords(const DenseDocuments& documents, int32_t begin,
                    int32_t end);

// What was packed; `num_columns`: terms or dimensions. Dense rows stay in
// `words`, which must outlive them.
void UnpackRows(absl::Span<const uint32_t> words, int32_t num_columns,
                DocumentMatrix* documents);
void UnpackRows(absl::Span<const uint32_t> words, int32_t num_columns,
                DenseDocuments* documents);

// The same, with all that they need.
void UnpackOwned(std::vector<uint32_t> words, int32_t num_columns,
                 DocumentMatrix* documents);
void UnpackOwned(std::vector<uint32_t> words, int32_t num_columns,
                 DenseDocuments* documents);

// Rows [begin, end); a copy if the documents are sparse.
DocumentMatrix SliceRows(const DocumentMatrix& documents, int32_t begin,
                         int32_t end);
DenseDocuments SliceRows(const DenseDocuments& documents, int32_t begin,
                         int32_t end);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_DOCUMENT_PIECES_H_
