// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore: reading all documents, at once or in parts, and Verify.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"

namespace warpclust {
namespace {

// Rows that Verify decodes at a time.
constexpr int32_t kPieceRows = 256 * kDocumentsPerBlock;

// Blocks that ForEachPieces hands out at a time.
constexpr int64_t kBlocksAtOnce = 4096;

void Clear(DocumentMatrix* documents) {
  // The entries stay, to be overwritten: clearing them would fill them with
  // zeros again.
  documents->offsets.assign(1, 0);
}
void Clear(OwnedDenseRows* rows) { rows->values.clear(); }

}  // namespace

absl::StatusOr<DocumentMatrix> DocumentStore::AllVectors(
    int num_threads, std::vector<int32_t>* vertices) {
  return AllVectorsOf<DocumentMatrix>(num_threads, vertices);
}

absl::StatusOr<OwnedDenseRows> DocumentStore::AllDenseVectors(
    int num_threads, std::vector<int32_t>* vertices) {
  return AllVectorsOf<OwnedDenseRows>(num_threads, vertices);
}

template <typename Rows>
absl::StatusOr<Rows> DocumentStore::AllVectorsOf(
    int num_threads, std::vector<int32_t>* vertices) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  std::vector<StoredDocumentBlock> blocks;
  RETURN_IF_ERROR(ForEachDocumentBlock(
      *transaction_, 0, [&](StoredDocumentBlock block) -> absl::StatusOr<bool> {
        bytes_read_ += static_cast<int64_t>(block.bytes.size());
        blocks.push_back(std::move(block));
        return true;
      }));
  vertices->clear();
  Rows documents = NoRows<Rows>();
  RETURN_IF_ERROR(
      DecodeDocumentBlocks(blocks, num_threads, vertices, &documents));
  return documents;
}

absl::Status DocumentStore::ForEachBlock(
    int32_t max_rows, int num_threads,
    absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                   const DocumentMatrix& counts)>
        visit) {
  return ForEachBlockOf<DocumentMatrix>(max_rows, num_threads, visit);
}

absl::Status DocumentStore::ForEachDenseBlock(
    int64_t max_values, int num_threads,
    absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                   const DenseDocuments& rows)>
        visit) {
  return ForEachBlockOf<OwnedDenseRows>(
      static_cast<int32_t>(std::clamp<int64_t>(
          max_values / std::max(1, counters_.num_terms), 1, INT32_MAX)),
      num_threads,
      [&](absl::Span<const int32_t> vertices, const OwnedDenseRows& rows) {
        return visit(vertices, rows);
      });
}

template <typename Rows>
absl::Status DocumentStore::ForEachBlockOf(
    int32_t max_rows, int num_threads,
    absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                   const Rows& documents)>
        visit) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  if (max_rows < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected max_rows of at least 1, found ", max_rows));
  }
  std::vector<StoredDocumentBlock> gathered;
  int64_t num_rows = 0;
  std::vector<int32_t> vertices;
  Rows documents = NoRows<Rows>();
  const auto decode_and_visit = [&]() -> absl::Status {
    vertices.clear();
    Clear(&documents);
    RETURN_IF_ERROR(
        DecodeDocumentBlocks(gathered, num_threads, &vertices, &documents));
    gathered.clear();
    num_rows = 0;
    return visit(vertices, documents);
  };
  RETURN_IF_ERROR(ForEachDocumentBlock(
      *transaction_, 0,
      [&](StoredDocumentBlock stored) -> absl::StatusOr<bool> {
        bytes_read_ += static_cast<int64_t>(stored.bytes.size());
        if (num_rows > 0 && num_rows + stored.num_present() > max_rows) {
          RETURN_IF_ERROR(decode_and_visit());
        }
        num_rows += stored.num_present();
        gathered.push_back(std::move(stored));
        return true;
      }));
  return num_rows == 0 ? absl::OkStatus() : decode_and_visit();
}

absl::Status DocumentStore::ForEachStoredBlocks(
    int64_t max_blocks, int64_t max_bytes,
    absl::FunctionRef<absl::Status(absl::Span<const StoredDocumentBlock>)>
        visit) {
  std::vector<StoredDocumentBlock> blocks;
  int64_t num_bytes = 0;
  const auto visit_blocks = [&] {
    const absl::Status status = visit(blocks);
    blocks.clear();
    num_bytes = 0;
    return status;
  };
  RETURN_IF_ERROR(ForEachDocumentBlock(
      *transaction_, 0, [&](StoredDocumentBlock block) -> absl::StatusOr<bool> {
        num_bytes += static_cast<int64_t>(block.bytes.size());
        bytes_read_ += static_cast<int64_t>(block.bytes.size());
        blocks.push_back(std::move(block));
        if (static_cast<int64_t>(blocks.size()) >= max_blocks ||
            num_bytes >= max_bytes) {
          RETURN_IF_ERROR(visit_blocks());
        }
        return true;
      }));
  return blocks.empty() ? absl::OkStatus() : visit_blocks();
}

absl::Status DocumentStore::ForEachPieces(
    int32_t most_documents, int num_threads,
    absl::FunctionRef<absl::Status(const StoredDocumentPieces& pieces)> visit) {
  return ForEachStoredBlocks(
      kBlocksAtOnce, std::numeric_limits<int64_t>::max(),
      [&](absl::Span<const StoredDocumentBlock> blocks) {
        return visit(StoredDocumentPieces(blocks, counters_.num_terms,
                                          most_documents, num_threads));
      });
}

absl::Status DocumentStore::Verify() {
  ASSIGN_OR_RETURN(std::vector<int32_t> frequencies, Frequencies());
  // Neither counts the terms behind the last one that occurs. Without
  // frequencies nothing is counted: the terms of vectors may be any numbers.
  std::vector<int32_t> recount;
  std::vector<int32_t> present;
  const auto is_present = [&](absl::Span<const int32_t> vertices) {
    present.insert(present.end(), vertices.begin(), vertices.end());
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(
      is_dense()
          ? ForEachDenseBlock(
                int64_t{1} << 22, 0,
                [&](absl::Span<const int32_t> vertices, const DenseDocuments&) {
                  return is_present(vertices);
                })
          : ForEachBlock(kPieceRows, 0,
                         [&](absl::Span<const int32_t> vertices,
                             const DocumentMatrix& counts) {
                           if (frequencies.empty()) return is_present(vertices);
                           for (int32_t term : counts.terms) {
                             if (term >= static_cast<int64_t>(recount.size())) {
                               recount.resize(static_cast<size_t>(term) + 1);
                             }
                             ++recount[term];
                           }
                           return is_present(vertices);
                         }));
  if (static_cast<int64_t>(present.size()) != counters_.num_documents) {
    return BrokenDocuments(absl::StrCat("expected ", counters_.num_documents,
                                        ", found ", present.size()));
  }
  if (!present.empty() && present.back() >= counters_.next_vertex) {
    return BrokenDocuments("a document has a vertex that was not given yet");
  }
  ASSIGN_OR_RETURN(absl::optional<StoredDocumentBlock> behind,
                   FindDocumentBlock(*transaction_, counters_.last_block + 1));
  if (counters_.last_block >= 0 && behind.has_value()) {
    return BrokenDocuments("the last block is not the last");
  }
  RETURN_IF_ERROR(names_.Verify(present));
  RETURN_IF_ERROR(Terms().status());
  if (!frequencies.empty()) {
    const size_t terms_of_both = std::max(recount.size(), frequencies.size());
    recount.resize(terms_of_both, 0);
    frequencies.resize(terms_of_both, 0);
    const auto differs =
        std::mismatch(recount.begin(), recount.end(), frequencies.begin());
    if (differs.first != recount.end()) {
      return BrokenDocuments(
          absl::StrCat("term ", differs.first - recount.begin(), " is in ",
                       *differs.first, " documents, not in ", *differs.second));
    }
  }
  return FrozenFrequencies().status();
}

}  // namespace warpclust
