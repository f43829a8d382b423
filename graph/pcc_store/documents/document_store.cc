// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/documents/document_store.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/codec/stream_vbyte.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// In kTerms, behind the kinds of records of term_store.cc.
constexpr uint32_t kCountersPrefix = 4;

absl::Status NotPresent(int32_t vertex) {
  return absl::NotFoundError(
      absl::StrCat("vertex ", vertex, " is not a document of the collection"));
}

int32_t NumColumns(const DocumentMatrix& documents) {
  return documents.num_terms;
}
int32_t NumColumns(const OwnedDenseRows& rows) { return rows.num_dimensions; }

absl::Status CheckAscending(absl::Span<const int32_t> vertices) {
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] < 0 || (i > 0 && vertices[i] <= vertices[i - 1])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "expected ascending vertices of at least 0, found ", vertices[i],
          i > 0 ? absl::StrCat(" after ", vertices[i - 1]) : ""));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DocumentStore> DocumentStore::Open(
    LmdbTransaction* transaction) {
  DocumentStore store(transaction);
  ASSIGN_OR_RETURN(absl::optional<absl::string_view> value,
                   transaction->Get(kTerms, LmdbKey(kCountersPrefix)));
  if (!value.has_value()) return store;
  absl::string_view bytes = *value;
  uint32_t numbers[5];
  if (!ReadStreamVByte(&bytes, numbers)) {
    return BrokenDocuments("the counters are cut short");
  }
  Counters& counters = store.counters_;
  if (!bytes.empty()) {
    uint32_t is_dense[1];
    if (!ReadStreamVByte(&bytes, is_dense) || !bytes.empty() ||
        is_dense[0] != 1) {
      return BrokenDocuments("the counters are followed by something else");
    }
    counters.is_dense = true;
  }
  for (uint32_t number : numbers) {
    if (number > INT32_MAX) return BrokenDocuments("a counter is too large");
  }
  counters.num_documents = static_cast<int32_t>(numbers[0]);
  counters.num_terms = static_cast<int32_t>(numbers[1]);
  counters.next_vertex = static_cast<int32_t>(numbers[2]);
  counters.last_block = static_cast<int32_t>(numbers[3]) - 1;
  counters.frozen_documents = static_cast<int32_t>(numbers[4]);
  return store;
}

absl::Status DocumentStore::Flush() {
  const uint32_t numbers[5] = {
      static_cast<uint32_t>(counters_.num_documents),
      static_cast<uint32_t>(counters_.num_terms),
      static_cast<uint32_t>(counters_.next_vertex),
      static_cast<uint32_t>(counters_.last_block + 1),
      static_cast<uint32_t>(counters_.frozen_documents)};
  std::string bytes;
  AppendStreamVByte(numbers, &bytes);
  if (counters_.is_dense) AppendStreamVByte({1}, &bytes);
  return transaction_->Put(kTerms, LmdbKey(kCountersPrefix), bytes);
}

template <>
DocumentMatrix DocumentStore::NoRows() const {
  DocumentMatrix documents;
  documents.num_terms = counters_.num_terms;
  return documents;
}

template <>
OwnedDenseRows DocumentStore::NoRows() const {
  return {counters_.num_terms, {}};
}

template <typename Documents>
absl::Status DocumentStore::PutBlocks(absl::Span<const int32_t> vertices,
                                      const Documents& documents,
                                      int32_t first_row) {
  for (size_t begin = 0; begin < vertices.size(); begin += kDocumentsPerBlock) {
    const absl::Span<const int32_t> part =
        vertices.subspan(begin, kDocumentsPerBlock);
    RETURN_IF_ERROR(transaction_->Put(
        kDocuments, DocumentBlockKey(part.back()),
        EncodeDocumentBlock(part, documents,
                            first_row + static_cast<int32_t>(begin))));
    counters_.last_block = part.back();
  }
  return absl::OkStatus();
}

absl::Status DocumentStore::DeleteBlock(int32_t key) {
  if (counters_.last_block == key) counters_.last_block = -1;
  RETURN_IF_ERROR(transaction_->Delete(kDocuments, DocumentBlockKey(key)));
  return transaction_->Delete(kDocuments, RemovedDocumentsKey(key));
}

absl::Status DocumentStore::Append(int32_t first_vertex,
                                   const DocumentMatrix& counts,
                                   absl::Span<const std::string> ids) {
  RETURN_IF_ERROR(ValidateDocuments(counts));
  RETURN_IF_ERROR(kind().Accepts(counts));
  DocumentMatrix last;
  last.num_terms = std::max(counters_.num_terms, counts.num_terms);
  return AppendRowsOf(first_vertex, counts, ids, std::move(last));
}

absl::Status DocumentStore::Append(int32_t first_vertex,
                                   const DenseDocuments& rows,
                                   absl::Span<const std::string> ids) {
  RETURN_IF_ERROR(ValidateDenseDocuments(rows));
  RETURN_IF_ERROR(kind().Accepts(rows));
  OwnedDenseRows last = NoRows<OwnedDenseRows>();
  if (rows.num_documents() > 0) last.num_dimensions = rows.num_dimensions;
  RETURN_IF_ERROR(AppendRowsOf(first_vertex, rows, ids, std::move(last)));
  counters_.is_dense = counters_.is_dense || rows.num_documents() > 0;
  return absl::OkStatus();
}

template <typename Rows, typename Documents>
absl::Status DocumentStore::AppendRowsOf(int32_t first_vertex,
                                         const Documents& rows,
                                         absl::Span<const std::string> ids,
                                         Rows last_rows) {
  const int32_t added = rows.num_documents();
  if (static_cast<int64_t>(ids.size()) != added) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", added, " ids, one per document, found ", ids.size()));
  }
  if (first_vertex < counters_.next_vertex ||
      first_vertex > INT32_MAX - 1 - added) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a first vertex in [", counters_.next_vertex,
                     ", ", INT32_MAX - 1 - added, "], found ", first_vertex));
  }
  absl::optional<StoredDocumentBlock> last;
  if (counters_.last_block >= 0) {
    ASSIGN_OR_RETURN(last,
                     FindDocumentBlock(*transaction_, counters_.last_block));
    if (!last.has_value()) return BrokenDocuments("the last block is missing");
  }
  // Decoded before the first write, which invalidates its bytes.
  std::vector<int32_t> last_vertices;
  const bool fill_up = last.has_value() && !last->IsFull();
  if (fill_up) {
    RETURN_IF_ERROR(
        DecodeDocumentBlocks({&*last, 1}, 1, &last_vertices, &last_rows));
  }
  RETURN_IF_ERROR(names_.Add(first_vertex, ids));

  counters_.num_documents += added;
  counters_.num_terms = NumColumns(last_rows);
  counters_.next_vertex = first_vertex + added;
  int32_t row = 0;
  if (fill_up && added > 0) {
    RETURN_IF_ERROR(DeleteBlock(last->key));
    const int32_t fitting =
        std::min(added, kDocumentsPerBlock - last_rows.num_documents());
    AppendRows(rows, 0, fitting, &last_rows);
    for (; row < fitting; ++row) last_vertices.push_back(first_vertex + row);
    RETURN_IF_ERROR(PutBlocks(last_vertices, last_rows, 0));
  }
  std::vector<int32_t> vertices;
  vertices.reserve(added - row);
  for (int32_t r = row; r < added; ++r) vertices.push_back(first_vertex + r);
  return PutBlocks(vertices, rows, row);
}

absl::Status DocumentStore::Remove(absl::Span<const int32_t> vertices) {
  RETURN_IF_ERROR(CheckAscending(vertices));
  RETURN_IF_ERROR(names_.Remove(vertices));
  size_t i = 0;
  while (i < vertices.size()) {
    ASSIGN_OR_RETURN(absl::optional<StoredDocumentBlock> block,
                     FindDocumentBlock(*transaction_, vertices[i]));
    if (!block.has_value()) return BrokenDocuments("an id names no document");
    uint64_t left = block->present;
    for (; i < vertices.size() && vertices[i] <= block->key; ++i) {
      const int32_t position = block->PositionOf(vertices[i]);
      if (position < 0) return BrokenDocuments("an id names no document");
      left &= ~(uint64_t{1} << position);
    }
    RETURN_IF_ERROR(left == 0
                        ? DeleteBlock(block->key)
                        : PutPresentDocuments(transaction_, *block, left));
  }
  counters_.num_documents -= static_cast<int32_t>(vertices.size());
  return absl::OkStatus();
}

absl::StatusOr<DocumentMatrix> DocumentStore::Vectors(
    absl::Span<const int32_t> vertices, int num_threads) {
  return VectorsOf<DocumentMatrix>(vertices, num_threads);
}

absl::StatusOr<OwnedDenseRows> DocumentStore::DenseVectors(
    absl::Span<const int32_t> vertices, int num_threads) {
  return VectorsOf<OwnedDenseRows>(vertices, num_threads);
}

template <typename Rows>
absl::StatusOr<Rows> DocumentStore::VectorsOf(
    absl::Span<const int32_t> vertices, int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  RETURN_IF_ERROR(CheckAscending(vertices));
  std::vector<StoredDocumentBlock> blocks;
  size_t i = 0;
  while (i < vertices.size()) {
    ASSIGN_OR_RETURN(absl::optional<StoredDocumentBlock> found,
                     FindDocumentBlock(*transaction_, vertices[i]));
    if (!found.has_value()) return NotPresent(vertices[i]);
    StoredDocumentBlock block = *std::move(found);
    uint64_t wanted = 0;
    for (; i < vertices.size() && vertices[i] <= block.key; ++i) {
      const int32_t position = block.PositionOf(vertices[i]);
      if (position < 0) return NotPresent(vertices[i]);
      wanted |= uint64_t{1} << position;
    }
    block.present = wanted;
    bytes_read_ += static_cast<int64_t>(block.bytes.size());
    blocks.push_back(std::move(block));
  }
  Rows documents = NoRows<Rows>();
  std::vector<int32_t> decoded;
  RETURN_IF_ERROR(
      DecodeDocumentBlocks(blocks, num_threads, &decoded, &documents));
  return documents;
}

absl::Status DocumentStore::FreezeFrequencies() {
  ASSIGN_OR_RETURN(const std::vector<int32_t> now, Frequencies());
  counters_.frozen_documents = counters_.num_documents;
  return terms_.SetFrequencies(TermStore::Kind::kFrozen, now);
}

absl::StatusOr<DocumentStore::Frozen> DocumentStore::FrozenFrequencies() const {
  Frozen frozen;
  frozen.num_documents = counters_.frozen_documents;
  ASSIGN_OR_RETURN(frozen.frequencies,
                   terms_.Frequencies(TermStore::Kind::kFrozen));
  return frozen;
}

// For document_store_rewrite.cc.
template absl::Status DocumentStore::PutBlocks(
    absl::Span<const int32_t> vertices, const DocumentMatrix& documents,
    int32_t first_row);
template absl::Status DocumentStore::PutBlocks(
    absl::Span<const int32_t> vertices, const OwnedDenseRows& documents,
    int32_t first_row);

}  // namespace warpclust
