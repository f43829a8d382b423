// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stored document blocks: how DocumentStore finds its blocks in table
// kDocuments, and decodes many of them into one matrix. Part of DocumentStore
// (graph/pcc_store/documents/document_store.h).

#ifndef WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_STORED_DOCUMENT_BLOCKS_H_
#define WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_STORED_DOCUMENT_BLOCKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "graph/pcc_store/codec/document_block_codec.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The most documents of a block: one per bit of `present`.
inline constexpr int32_t kDocumentsPerBlock = 64;

// A view of a block in the store, valid until the next write.
struct StoredDocumentBlock {
  int32_t key = 0;  // The last vertex.
  absl::string_view bytes;
  DocumentBlockReader documents;
  uint64_t present = 0;  // Bit i: document i is not removed.

  int32_t num_present() const;
  bool IsFull() const { return num_present() == kDocumentsPerBlock; }
  // The position of `vertex` in the block; -1 if it is not present.
  int32_t PositionOf(int32_t vertex) const;
};

// DataLoss "the store's documents are broken: what".
absl::Status BrokenDocuments(absl::string_view what);

// The keys of a block and of the record of its removed documents.
std::string DocumentBlockKey(int32_t last_vertex);
std::string RemovedDocumentsKey(int32_t last_vertex);

// The first block that ends at `vertex` or later; nullopt if there is none. No
// other block can hold `vertex`.
absl::StatusOr<absl::optional<StoredDocumentBlock>> FindDocumentBlock(
    const LmdbTransaction& transaction, int32_t vertex);

// Visits the blocks that end at `from` or later, until `visit` returns false.
// DataLoss for a record that neither is a block nor belongs to one, and for
// blocks that overlap.
absl::Status ForEachDocumentBlock(
    const LmdbTransaction& transaction, int32_t from,
    absl::FunctionRef<absl::StatusOr<bool>(StoredDocumentBlock block)> visit);

// Stores which documents of a block are present. At least one must be.
absl::Status PutPresentDocuments(LmdbTransaction* transaction,
                                 const StoredDocumentBlock& block,
                                 uint64_t present);

// Appends blocks to a message to another process.
void PackDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                        std::vector<char>* message);
// Views of what was packed, valid as long as `message`. DataLoss if a block is
// damaged.
absl::StatusOr<std::vector<StoredDocumentBlock>> UnpackDocumentBlocks(
    absl::string_view message);

// Appends the documents present in `blocks` to `vertices` and `documents`, on
// `num_threads` threads (0: all cores). DataLoss if they do not decode to rows
// of documents->num_terms columns.
absl::Status DecodeDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                                  int num_threads,
                                  std::vector<int32_t>* vertices,
                                  DocumentMatrix* documents);
// The same for dense rows, of documents->num_dimensions values.
absl::Status DecodeDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                                  int num_threads,
                                  std::vector<int32_t>* vertices,
                                  OwnedDenseRows* documents);

// The documents of many blocks, in pieces that several threads may decode at
// once. A view, valid until the next write.
class StoredDocumentPieces {
 public:
  StoredDocumentPieces(absl::Span<const StoredDocumentBlock> blocks,
                       int32_t num_terms, int32_t most_documents,
                       int num_threads);

  // The number of pieces. A piece has up to `most_documents`, or 256 if that is
  // more; less if there are few for `num_threads` threads (0: all cores), but
  // 256 if there are as many.
  int64_t size() const;
  // The columns of the documents.
  int32_t num_terms() const { return num_terms_; }

  // Appends the documents of a piece, on one thread. Returns whether their
  // weights are integers from 1 to 2^24.
  absl::StatusOr<bool> Decode(int64_t piece, std::vector<int32_t>* vertices,
                              DocumentMatrix* documents) const;

 private:
  absl::Span<const StoredDocumentBlock> blocks_;
  int32_t num_terms_;
  int64_t blocks_per_piece_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_STORED_DOCUMENT_BLOCKS_H_
