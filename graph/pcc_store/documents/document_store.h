// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore: the documents of a collection that changes, on disk: vectors,
// ids and terms, in the transaction that also changes their graph
// (graph/pcc_store/pcc_store.h).
//
//   auto documents = DocumentStore::Open(&*transaction);
//   documents->Append(/*first_vertex=*/0, counts, ids);
//   documents->Remove({3, 7});
//   documents->Flush();
//
// A document has a vertex, a number that is given once, and an id of any
// length, unique among the documents present. Its vector is kept as it came:
// counts or real weights, in the collection's own numbering of terms; or, if
// the first documents were dense, a row of floats.
//
//   kDocuments  last vertex of a block -> up to 64 documents
//               (graph/pcc_store/codec/document_block_codec.h); last vertex, 1
//               -> which of them are removed, 64 bits
//   kNames      vertex -> id; kIds: hash of an id -> vertices
//   kTerms      names and frequencies of terms, properties, counters
//
// A removal writes 8 bytes beside a block, not its vectors. Readers skip
// removed documents, and a block without any other is deleted. An addition
// first fills up the last block, so that small additions make no small blocks.
//
// Complexity: Append and Remove are linear in what they add or remove, with one
// lookup per id; reading is linear in the blocks read. Memory: O(1) beside
// arguments and results.
//
// Errors: those of the transaction, which must outlive the store, and DataLoss
// for records that this class does not write.

#ifndef WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_STORE_H_
#define WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_STORE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "graph/pcc_store/documents/document_kind.h"
#include "graph/pcc_store/documents/document_names.h"
#include "graph/pcc_store/documents/stored_document_blocks.h"
#include "graph/pcc_store/documents/term_store.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class DocumentStore {
 public:
  // Payload of an error that is about one of the given ids: its place among
  // them, in decimal.
  static constexpr const char* kIdPlacePayload = DocumentNames::kIdPlacePayload;

  // The store that the transaction sees; an empty one if there is none.
  static absl::StatusOr<DocumentStore> Open(LmdbTransaction* transaction);

  // The vertex of the document called `id`; nullopt if it is not present.
  absl::StatusOr<absl::optional<int32_t>> Find(absl::string_view id) const {
    return names_.Find(id);
  }

  // Adds the rows of `counts` as vertices first_vertex, first_vertex + 1, …
  // under `ids`, one per row. InvalidArgument, with kIdPlacePayload, for an id
  // that is present or comes twice; InvalidArgument if the matrix is not valid,
  // the number of ids differs, or first_vertex is not above all vertices given
  // before. Nothing changes then.
  absl::Status Append(int32_t first_vertex, const DocumentMatrix& counts,
                      absl::Span<const std::string> ids);
  absl::Status Append(int32_t first_vertex, const DenseDocuments& rows,
                      absl::Span<const std::string> ids);
  // What Append accepts.
  DocumentKind kind() const {
    return {counters_.is_dense || counters_.next_vertex > 0, counters_.is_dense,
            counters_.num_terms};
  }

  // Forgets documents; their ids are free again. InvalidArgument if `vertices`
  // do not ascend, NotFound if one is not present; nothing changes then.
  absl::Status Remove(absl::Span<const int32_t> vertices);

  // The vectors of `vertices`, which ascend. Reads each of their blocks once.
  // NotFound if a vertex is not present.
  absl::StatusOr<DocumentMatrix> Vectors(absl::Span<const int32_t> vertices,
                                         int num_threads = 1);
  absl::StatusOr<OwnedDenseRows> DenseVectors(
      absl::Span<const int32_t> vertices, int num_threads = 1);
  // Those of all documents present, and their vertices.
  absl::StatusOr<DocumentMatrix> AllVectors(int num_threads,
                                            std::vector<int32_t>* vertices);
  absl::StatusOr<OwnedDenseRows> AllDenseVectors(
      int num_threads, std::vector<int32_t>* vertices);

  // Visits all documents present, ascending, in calls of up to `max_rows` rows
  // (or one stored block of up to 64, if that is more). Decodes on
  // `num_threads` threads (0: all cores). Stops at the first error, its own or
  // that of `visit`, which must not write to the transaction.
  absl::Status ForEachBlock(
      int32_t max_rows, int num_threads,
      absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                     const DocumentMatrix& counts)>
          visit);
  // The same for dense rows, in calls of up to `max_values` values.
  absl::Status ForEachDenseBlock(
      int64_t max_values, int num_threads,
      absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                     const DenseDocuments& rows)>
          visit);

  // The same in pieces that `visit` decodes itself, of up to `most_documents`,
  // on `num_threads` threads: up to 2^18 documents per call.
  absl::Status ForEachPieces(
      int32_t most_documents, int num_threads,
      absl::FunctionRef<absl::Status(const StoredDocumentPieces& pieces)>
          visit);

  // Visits the stored blocks of all documents present, in order. A call has up
  // to `max_blocks` of them, and no more after the one that reaches
  // `max_bytes`.
  absl::Status ForEachStoredBlocks(
      int64_t max_blocks, int64_t max_bytes,
      absl::FunctionRef<
          absl::Status(absl::Span<const StoredDocumentBlock> blocks)>
          visit);

  // The ids of `vertices`, which ascend. NotFound if one is not present.
  absl::StatusOr<std::vector<std::string>> Ids(
      absl::Span<const int32_t> vertices) const {
    return names_.Ids(vertices);
  }

  int32_t num_documents() const { return counters_.num_documents; }
  // The columns of the matrices returned: the most of those added. The
  // dimensions of dense rows.
  int32_t num_terms() const { return counters_.num_terms; }
  bool is_dense() const { return counters_.is_dense; }
  // Bytes of the blocks that Vectors and the ForEach functions have read.
  int64_t bytes_read() const { return bytes_read_; }

  // The names of the terms, in the order of their numbers; none if the
  // collection came as vectors. SetTerms adds new ones behind those stored.
  // InvalidArgument if it sees that the stored ones are others.
  absl::StatusOr<Vocabulary> Terms() const { return terms_.Terms(); }
  absl::Status SetTerms(const Vocabulary& terms) {
    return terms_.SetTerms(terms);
  }

  // In how many documents each term occurs, as the caller counts it. Verify
  // compares with the documents, unless no frequencies were set.
  absl::StatusOr<std::vector<int32_t>> Frequencies() const {
    return terms_.Frequencies(TermStore::Kind::kNow);
  }
  absl::Status SetFrequencies(absl::Span<const int32_t> frequencies) {
    return terms_.SetFrequencies(TermStore::Kind::kNow, frequencies);
  }
  // The frequencies and the number of documents when FreezeFrequencies was last
  // called.
  struct Frozen {
    std::vector<int32_t> frequencies;
    int32_t num_documents = 0;
  };
  absl::Status FreezeFrequencies();
  absl::StatusOr<Frozen> FrozenFrequencies() const;

  // Texts that belong to the collection; "" if never set. A name has 1 to
  // kMaxPropertyName bytes.
  static constexpr size_t kMaxPropertyName = TermStore::kMaxPropertyName;
  absl::StatusOr<std::string> Property(absl::string_view name) const {
    return terms_.Property(name);
  }
  absl::Status SetProperty(absl::string_view name, absl::string_view value) {
    return terms_.SetProperty(name, value);
  }

  // Writes the counters. Call it before the transaction commits.
  absl::Status Flush();

  // Reads everything. DataLoss unless every block decodes, each document has an
  // id and is found by it, and numbers and frequencies equal a recount.
  absl::Status Verify();

  // Packs the documents present into full blocks, a piece at a time.
  absl::Status Rewrite();

 private:
  // Stored under one key, in StreamVByte.
  struct Counters {
    int32_t num_documents = 0;
    int32_t num_terms = 0;
    int32_t next_vertex = 0;
    int32_t last_block = -1;  // Key of the last block; -1: none to fill up.
    int32_t frozen_documents = 0;
    // Stored if true.
    bool is_dense = false;
  };

  explicit DocumentStore(LmdbTransaction* transaction)
      : transaction_(transaction), names_(transaction), terms_(transaction) {}

  // The templates are for DocumentMatrix, and for OwnedDenseRows or their view.

  // An empty matrix with the columns of the store.
  template <typename Rows>
  Rows NoRows() const;
  // Append to a store that accepts `rows`. `last` is empty and has the columns
  // of the store.
  template <typename Rows, typename Documents>
  absl::Status AppendRowsOf(int32_t first_vertex, const Documents& rows,
                            absl::Span<const std::string> ids, Rows last);
  template <typename Rows>
  absl::StatusOr<Rows> VectorsOf(absl::Span<const int32_t> vertices,
                                 int num_threads);
  template <typename Rows>
  absl::StatusOr<Rows> AllVectorsOf(int num_threads,
                                    std::vector<int32_t>* vertices);
  template <typename Rows>
  absl::Status ForEachBlockOf(
      int32_t max_rows, int num_threads,
      absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                     const Rows& documents)>
          visit);
  template <typename Rows>
  absl::Status RewriteRows();

  // Writes the rows from `first_row` on as blocks, all full except the last.
  template <typename Documents>
  absl::Status PutBlocks(absl::Span<const int32_t> vertices,
                         const Documents& documents, int32_t first_row);
  absl::Status DeleteBlock(int32_t key);

  LmdbTransaction* transaction_;
  DocumentNames names_;
  TermStore terms_;
  Counters counters_;
  int64_t bytes_read_ = 0;
};

template <>
DocumentMatrix DocumentStore::NoRows() const;
template <>
OwnedDenseRows DocumentStore::NoRows() const;

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_STORE_H_
