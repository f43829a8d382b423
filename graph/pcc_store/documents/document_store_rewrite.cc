// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore::Rewrite: what removals have left of blocks, packed into full
// ones.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"

namespace warpclust {
namespace {

// Decoded at a time.
constexpr int32_t kPieceBlocks = 256;

// The last `rows` rows of `documents`, cut off.
void KeepLastRows(int32_t rows, std::vector<int32_t>* vertices,
                  DocumentMatrix* documents) {
  const int32_t cut = documents->num_documents() - rows;
  const int64_t entries = documents->offsets[cut];
  vertices->erase(vertices->begin(), vertices->begin() + cut);
  documents->terms.erase(documents->terms.begin(),
                         documents->terms.begin() + entries);
  documents->weights.erase(documents->weights.begin(),
                           documents->weights.begin() + entries);
  documents->offsets.erase(documents->offsets.begin(),
                           documents->offsets.begin() + cut);
  for (int64_t& offset : documents->offsets) offset -= entries;
}

}  // namespace

absl::Status DocumentStore::Rewrite() {
  // What has been read and not written again: less than a block between pieces.
  std::vector<int32_t> vertices;
  DocumentMatrix documents;
  documents.num_terms = counters_.num_terms;
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
          // Full, and nothing to fill up before it: it stays.
          if (rows % kDocumentsPerBlock == 0 && block.IsFull()) {
            last_block = block.key;
            return true;
          }
          rows += block.num_present();
          keys.push_back(block.key);
          blocks.push_back(std::move(block));
          more = keys.size() == kPieceBlocks;
          return !more;
        }));
    RETURN_IF_ERROR(DecodeDocumentBlocks(blocks, 0, &vertices, &documents));
    for (int32_t key : keys) {
      RETURN_IF_ERROR(DeleteBlock(key));
    }
    const int32_t left =
        more ? documents.num_documents() % kDocumentsPerBlock : 0;
    const int32_t written = documents.num_documents() - left;
    if (written > 0) last_block = std::max(last_block, vertices[written - 1]);
    RETURN_IF_ERROR(PutBlocks(absl::MakeConstSpan(vertices).subspan(0, written),
                              documents, 0));
    KeepLastRows(left, &vertices, &documents);
  }
  counters_.last_block = last_block;
  return absl::OkStatus();
}

}  // namespace warpclust
