// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/stored_document_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stream_vbyte.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"

namespace warpclust {
namespace {

// In a piece of StoredDocumentPieces: as many as leave a few pieces for each
// thread.
constexpr int64_t kFewestBlocks = 4;
constexpr int64_t kPieces = 4;

// What precedes a block in a message.
struct PackedHead {
  uint64_t present;
  uint64_t num_bytes;
};

uint64_t AllOf(int32_t documents) {
  return documents == 64 ? ~uint64_t{0} : (uint64_t{1} << documents) - 1;
}

absl::StatusOr<StoredDocumentBlock> OpenBlock(absl::string_view value) {
  ASSIGN_OR_RETURN(DocumentBlockReader reader,
                   DocumentBlockReader::Open(value));
  const int32_t documents = reader.num_documents();
  if (documents < 1 || documents > kDocumentsPerBlock) {
    return BrokenDocuments("a block has no documents, or too many");
  }
  const int32_t last = reader.vertices().back();
  return StoredDocumentBlock{last, value, std::move(reader), AllOf(documents)};
}

absl::StatusOr<StoredDocumentBlock> OpenBlock(absl::string_view key,
                                              absl::string_view value) {
  ASSIGN_OR_RETURN(StoredDocumentBlock block, OpenBlock(value));
  if (key != DocumentBlockKey(block.key)) {
    return BrokenDocuments(
        "a block is not under the number of its last document");
  }
  return block;
}

// Takes the removed documents out of `block`.
absl::Status ApplyRemoved(absl::string_view value, StoredDocumentBlock* block) {
  uint32_t halves[2];
  if (!ReadStreamVByte(&value, halves) || !value.empty()) {
    return BrokenDocuments("a record of removed documents is cut short");
  }
  const uint64_t removed = uint64_t{halves[1]} << 32 | halves[0];
  if (removed == 0 || (removed & ~block->present) != 0 ||
      removed == block->present) {
    return BrokenDocuments(
        "a record of removed documents does not fit its block");
  }
  block->present &= ~removed;
  return absl::OkStatus();
}

// Decodes the documents of one block to the rows of a matrix from `row` on.
absl::Status DecodeBlock(const StoredDocumentBlock& block, int64_t row,
                         DocumentMatrix* documents) {
  int64_t to = documents->offsets[row];
  if (block.present == AllOf(block.documents.num_documents())) {
    const size_t entries = block.documents.num_entries();
    return block.documents.Decode(
        documents->num_terms,
        absl::MakeSpan(documents->terms).subspan(to, entries),
        absl::MakeSpan(documents->weights).subspan(to, entries));
  }
  std::vector<int32_t> terms(block.documents.num_entries());
  std::vector<float> weights(terms.size());
  RETURN_IF_ERROR(block.documents.Decode(
      documents->num_terms, absl::MakeSpan(terms), absl::MakeSpan(weights)));
  for (uint64_t left = block.present; left != 0; left &= left - 1) {
    const int d = std::countr_zero(left);
    const int32_t begin = block.documents.offsets()[d];
    const int32_t end = block.documents.offsets()[d + 1];
    std::copy(terms.begin() + begin, terms.begin() + end,
              documents->terms.begin() + to);
    std::copy(weights.begin() + begin, weights.begin() + end,
              documents->weights.begin() + to);
    to += end - begin;
  }
  return absl::OkStatus();
}

// Calls `decode` with the number of each block, on `num_threads` threads.
// Returns the first error in the order of the blocks, whichever thread is
// faster.
absl::Status DecodeEach(absl::Span<const StoredDocumentBlock> blocks,
                        int num_threads,
                        absl::FunctionRef<absl::Status(int64_t block)> decode) {
  std::vector<absl::Status> statuses(blocks.size());
  const int64_t num_blocks = static_cast<int64_t>(blocks.size());
  const int threads = static_cast<int>(std::min<int64_t>(
      ResolveThreads(num_threads), std::max<int64_t>(1, num_blocks / 4)));
#pragma omp parallel for schedule(dynamic, 4) \
    num_threads(threads) if (threads > 1)
  for (int64_t b = 0; b < num_blocks; ++b) statuses[b] = decode(b);
  for (const absl::Status& status : statuses) RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace

absl::Status BrokenDocuments(absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat("the store's documents are broken: ", what));
}

int32_t StoredDocumentBlock::num_present() const {
  return std::popcount(present);
}

int32_t StoredDocumentBlock::PositionOf(int32_t vertex) const {
  const std::vector<int32_t>& all = documents.vertices();
  const auto found = std::lower_bound(all.begin(), all.end(), vertex);
  if (found == all.end() || *found != vertex) return -1;
  const int32_t position = static_cast<int32_t>(found - all.begin());
  return (present >> position & 1) != 0 ? position : -1;
}

std::string DocumentBlockKey(int32_t last_vertex) {
  return LmdbKey(static_cast<uint32_t>(last_vertex));
}

std::string RemovedDocumentsKey(int32_t last_vertex) {
  return LmdbKey(static_cast<uint32_t>(last_vertex), 1);
}

absl::StatusOr<absl::optional<StoredDocumentBlock>> FindDocumentBlock(
    const LmdbTransaction& transaction, int32_t vertex) {
  absl::optional<StoredDocumentBlock> found;
  RETURN_IF_ERROR(transaction.ForEach(
      kDocuments, DocumentBlockKey(vertex),
      [&](absl::string_view key,
          absl::string_view value) -> absl::StatusOr<bool> {
        ASSIGN_OR_RETURN(StoredDocumentBlock block, OpenBlock(key, value));
        found = std::move(block);
        return false;
      }));
  if (!found.has_value()) return found;
  ASSIGN_OR_RETURN(
      absl::optional<absl::string_view> removed,
      transaction.Get(kDocuments, RemovedDocumentsKey(found->key)));
  if (removed.has_value()) {
    RETURN_IF_ERROR(ApplyRemoved(*removed, &*found));
  }
  return found;
}

absl::Status ForEachDocumentBlock(
    const LmdbTransaction& transaction, int32_t from,
    absl::FunctionRef<absl::StatusOr<bool>(StoredDocumentBlock block)> visit) {
  // The record of removed documents follows its block, so each block waits for
  // the next record.
  absl::optional<StoredDocumentBlock> waiting;
  bool goes_on = true;
  RETURN_IF_ERROR(transaction.ForEach(
      kDocuments, DocumentBlockKey(from),
      [&](absl::string_view key,
          absl::string_view value) -> absl::StatusOr<bool> {
        if (waiting.has_value() && key == RemovedDocumentsKey(waiting->key)) {
          RETURN_IF_ERROR(ApplyRemoved(value, &*waiting));
          return true;
        }
        ASSIGN_OR_RETURN(StoredDocumentBlock block, OpenBlock(key, value));
        if (waiting.has_value()) {
          if (block.documents.vertices().front() <= waiting->key) {
            return BrokenDocuments("two blocks overlap");
          }
          ASSIGN_OR_RETURN(goes_on, visit(*std::move(waiting)));
          waiting.reset();
          if (!goes_on) return false;
        }
        waiting = std::move(block);
        return true;
      }));
  if (!goes_on || !waiting.has_value()) return absl::OkStatus();
  return visit(*std::move(waiting)).status();
}

absl::Status PutPresentDocuments(LmdbTransaction* transaction,
                                 const StoredDocumentBlock& block,
                                 uint64_t present) {
  const uint64_t removed = AllOf(block.documents.num_documents()) & ~present;
  const uint32_t halves[2] = {static_cast<uint32_t>(removed),
                              static_cast<uint32_t>(removed >> 32)};
  std::string bytes;
  AppendStreamVByte(halves, &bytes);
  return transaction->Put(kDocuments, RemovedDocumentsKey(block.key), bytes);
}

void PackDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                        std::vector<char>* message) {
  for (const StoredDocumentBlock& block : blocks) {
    const PackedHead head = {block.present, block.bytes.size()};
    const char* const bytes = reinterpret_cast<const char*>(&head);
    message->insert(message->end(), bytes, bytes + sizeof(head));
    message->insert(message->end(), block.bytes.begin(), block.bytes.end());
  }
}

absl::StatusOr<std::vector<StoredDocumentBlock>> UnpackDocumentBlocks(
    absl::string_view message) {
  std::vector<StoredDocumentBlock> blocks;
  while (!message.empty()) {
    PackedHead head;
    if (message.size() < sizeof(head)) {
      return BrokenDocuments("a message is cut short");
    }
    std::memcpy(&head, message.data(), sizeof(head));
    message.remove_prefix(sizeof(head));
    if (message.size() < head.num_bytes) {
      return BrokenDocuments("a message is cut short");
    }
    ASSIGN_OR_RETURN(StoredDocumentBlock block,
                     OpenBlock(message.substr(0, head.num_bytes)));
    message.remove_prefix(head.num_bytes);
    if (head.present == 0 || (head.present & ~block.present) != 0) {
      return BrokenDocuments(
          "a message has documents that its block does not have");
    }
    block.present = head.present;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

absl::Status DecodeDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                                  int num_threads,
                                  std::vector<int32_t>* vertices,
                                  DocumentMatrix* documents) {
  std::vector<int64_t> first_row;
  first_row.reserve(blocks.size());
  int64_t entries = documents->offsets.back();
  for (const StoredDocumentBlock& block : blocks) {
    first_row.push_back(documents->num_documents());
    const std::vector<int32_t>& offsets = block.documents.offsets();
    for (uint64_t left = block.present; left != 0; left &= left - 1) {
      const int d = std::countr_zero(left);
      vertices->push_back(block.documents.vertices()[d]);
      entries += offsets[d + 1] - offsets[d];
      documents->offsets.push_back(entries);
    }
  }
  documents->terms.resize(entries);
  documents->weights.resize(entries);
  return DecodeEach(blocks, num_threads, [&](int64_t b) {
    return DecodeBlock(blocks[b], first_row[b], documents);
  });
}

absl::Status DecodeDocumentBlocks(absl::Span<const StoredDocumentBlock> blocks,
                                  int num_threads,
                                  std::vector<int32_t>* vertices,
                                  OwnedDenseRows* documents) {
  const int64_t dimensions = documents->num_dimensions;
  std::vector<int64_t> first_value;
  first_value.reserve(blocks.size());
  int64_t num_values = static_cast<int64_t>(documents->values.size());
  for (const StoredDocumentBlock& block : blocks) {
    // Before memory is taken for them.
    if (!block.documents.is_dense() || dimensions <= 0 ||
        block.documents.offsets()[1] != dimensions) {
      return BrokenDocuments(
          absl::StrCat("a block has no rows of ", dimensions, " values"));
    }
    first_value.push_back(num_values);
    num_values += dimensions * block.num_present();
    for (uint64_t left = block.present; left != 0; left &= left - 1) {
      vertices->push_back(block.documents.vertices()[std::countr_zero(left)]);
    }
  }
  documents->values.resize(num_values);
  return DecodeEach(blocks, num_threads, [&](int64_t b) {
    int64_t to = first_value[b];
    for (uint64_t left = blocks[b].present; left != 0; left &= left - 1) {
      RETURN_IF_ERROR(blocks[b].documents.DecodeRow(
          std::countr_zero(left),
          absl::MakeSpan(documents->values).subspan(to, dimensions)));
      to += dimensions;
    }
    return absl::OkStatus();
  });
}

StoredDocumentPieces::StoredDocumentPieces(
    absl::Span<const StoredDocumentBlock> blocks, int32_t num_terms,
    int32_t most_documents, int num_threads)
    : blocks_(blocks),
      num_terms_(num_terms),
      blocks_per_piece_(
          std::clamp(static_cast<int64_t>(blocks.size()) /
                         (kPieces * ResolveThreads(num_threads)),
                     kFewestBlocks,
                     std::max<int64_t>(kFewestBlocks,
                                       most_documents / kDocumentsPerBlock))) {}

int64_t StoredDocumentPieces::size() const {
  return (static_cast<int64_t>(blocks_.size()) + blocks_per_piece_ - 1) /
         blocks_per_piece_;
}

absl::StatusOr<bool> StoredDocumentPieces::Decode(
    int64_t piece, std::vector<int32_t>* vertices,
    DocumentMatrix* documents) const {
  const absl::Span<const StoredDocumentBlock> blocks =
      blocks_.subspan(piece * blocks_per_piece_, blocks_per_piece_);
  documents->num_terms = num_terms_;
  RETURN_IF_ERROR(
      DecodeDocumentBlocks(blocks, /*num_threads=*/1, vertices, documents));
  bool are_counts = true;
  for (const StoredDocumentBlock& block : blocks) {
    are_counts &= block.documents.are_counts();
  }
  return are_counts;
}

}  // namespace warpclust
