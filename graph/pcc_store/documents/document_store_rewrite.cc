// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore::Rewrite: packs what removals have left of blocks into full
// blocks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Blocks decoded at a time.
constexpr int32_t kPieceBlocks = 256;
constexpr int32_t kPieceDenseBlocks = 32;

}  // namespace

absl::Status DocumentStore::Rewrite() {
  return is_dense() ? RewriteRows<OwnedDenseRows>()
                    : RewriteRows<DocumentMatrix>();
}

template <typename Rows>
absl::Status DocumentStore::RewriteRows() {
  // Documents that are read and not written again: less than a block between
  // pieces.
  std::vector<int32_t> vertices;
  Rows documents = NoRows<Rows>();
  const size_t piece_blocks = is_dense() ? kPieceDenseBlocks : kPieceBlocks;
  int32_t from = 0;
  int32_t last_block = -1;
  bool more = true;
  while (more) {
    more = false;
    std::vector<int32_t> keys;
    std::vector<StoredDocumentBlock> blocks;
    int64_t rows = documents.num_documents();
    RETURN_IF_ERROR(ForEachDocumentBlock(
        *transaction_, from,
        [&](StoredDocumentBlock block) -> absl::StatusOr<bool> {
          from = block.key + 1;
          // A full block stays if there is nothing to fill up before it.
          if (rows % kDocumentsPerBlock == 0 && block.IsFull()) {
            last_block = block.key;
            return true;
          }
          rows += block.num_present();
          keys.push_back(block.key);
          blocks.push_back(std::move(block));
          more = keys.size() == piece_blocks;
          return !more;
        }));
    RETURN_IF_ERROR(DecodeDocumentBlocks(blocks, 0, &vertices, &documents));
    for (const int32_t key : keys) RETURN_IF_ERROR(DeleteBlock(key));
    const int32_t left =
        more ? documents.num_documents() % kDocumentsPerBlock : 0;
    const int32_t written = documents.num_documents() - left;
    if (written > 0) last_block = std::max(last_block, vertices[written - 1]);
    RETURN_IF_ERROR(PutBlocks(absl::MakeConstSpan(vertices).subspan(0, written),
                              documents, 0));
    vertices.erase(vertices.begin(), vertices.begin() + written);
    Rows kept = NoRows<Rows>();
    AppendRows(documents, written, written + left, &kept);
    documents = std::move(kept);
  }
  counters_.last_block = last_block;
  return absl::OkStatus();
}

}  // namespace warpclust
