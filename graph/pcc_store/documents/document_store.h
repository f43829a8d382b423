// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentStore: the documents of a collection that changes, on disk: vectors,
// ids and terms, in the transaction that their graph changes in
// (graph/pcc_store/pcc_store.h).
//
// A document has a vertex number, given once, and an id of any length, one of a
// kind among the documents present. Its vector is kept as it came: counts, or
// real weights, in the collection's own numbering of terms.
//
//   kDocuments  last vertex of a block -> up to 64 documents
//               (graph/pcc_store/codec/document_block_codec.h); last vertex, 1
//               -> which of them are removed, 64 bits
//   kNames      vertex -> id; kIds: hash of an id -> vertices
//   kTerms      names and frequencies of terms, properties, counters
//
// A removal rewrites 8 bytes of a block, not its vectors; readers skip what is
// removed, a block of which nothing is left goes. An addition fills up the last
// block first, so that small additions make no small blocks.
//
// Cost: Append and Remove O(what is added or removed) and a look-up an id;
// reading about 1 ns an entry and thread. Memory: O(1) beside arguments and
// results. Thread-safety: one thread at a time, like its transaction, which
// must outlive it. Determinism: the same calls, the same bytes, with any number
// of threads. Errors: the transaction's; DataLoss for records that are not what
// this class writes.

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
#include "graph/pcc_store/documents/document_names.h"
#include "graph/pcc_store/documents/stored_document_blocks.h"
#include "graph/pcc_store/documents/term_store.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class DocumentStore {
 public:
  // Payload of an error that is about one of the ids given: its place, in
  // decimal.
  static constexpr const char* kIdPlacePayload = DocumentNames::kIdPlacePayload;

  // What the transaction sees; an empty store if nothing is there.
  static absl::StatusOr<DocumentStore> Open(LmdbTransaction* transaction);

  // The vertex of the document called `id`, if it is present.
  absl::StatusOr<absl::optional<int32_t>> Find(absl::string_view id) const {
    return names_.Find(id);
  }

  // Adds the rows of `counts` as vertices first_vertex, first_vertex + 1, …
  // under `ids`. InvalidArgument naming an id that is present already or comes
  // twice, with kIdPlacePayload, or if the matrix is not valid, there are not
  // as many ids, or first_vertex is not above all numbers given before; nothing
  // changes then.
  absl::Status Append(int32_t first_vertex, const DocumentMatrix& counts,
                      absl::Span<const std::string> ids);

  // Forgets documents: their ids are free again. InvalidArgument if `vertices`
  // do not ascend, NotFound if one is not present; nothing changes then.
  absl::Status Remove(absl::Span<const int32_t> vertices);

  // The vectors of `vertices`, ascending, as they came. Reads the blocks they
  // are in, each once. NotFound if one is not present.
  absl::StatusOr<DocumentMatrix> Vectors(absl::Span<const int32_t> vertices,
                                         int num_threads = 1);

  // All documents present, ascending, `block` rows a call (fewer in the last).
  // Decodes on `num_threads` threads (0: all cores). Stops at the first error,
  // of its own or of `visit`, which must not write to the transaction.
  absl::Status ForEachBlock(
      int32_t block, int num_threads,
      absl::FunctionRef<absl::Status(absl::Span<const int32_t> vertices,
                                     const DocumentMatrix& counts)>
          visit);

  // All documents present, ascending, as pieces that are not yet decoded: a few
  // ten thousand documents a call. Stops as ForEachBlock does.
  absl::Status ForEachPieces(
      absl::FunctionRef<absl::Status(const StoredDocumentPieces& pieces)>
          visit);

  // The ids of `vertices`, ascending. NotFound if one is not present.
  absl::StatusOr<std::vector<std::string>> Ids(
      absl::Span<const int32_t> vertices) const {
    return names_.Ids(vertices);
  }

  int32_t num_documents() const { return counters_.num_documents; }
  // Columns of the matrices returned: the most of those added.
  int32_t num_terms() const { return counters_.num_terms; }
  // Bytes of the blocks that Vectors and the ForEach functions have read.
  int64_t bytes_read() const { return bytes_read_; }

  // Names of the terms of texts, in the order of their numbers; none if the
  // collection came as vectors. SetTerms adds those that are new.
  // InvalidArgument if those stored are not among them, in their places.
  absl::StatusOr<Vocabulary> Terms() const { return terms_.Terms(); }
  absl::Status SetTerms(const Vocabulary& terms) {
    return terms_.SetTerms(terms);
  }

  // In how many documents each term occurs: what the caller counted. Verify
  // holds them against the documents, unless there are none.
  absl::StatusOr<std::vector<int32_t>> Frequencies() const {
    return terms_.Frequencies(TermStore::Kind::kNow);
  }
  absl::Status SetFrequencies(absl::Span<const int32_t> frequencies) {
    return terms_.SetFrequencies(TermStore::Kind::kNow, frequencies);
  }
  // Keeps the present frequencies and the number of documents for later.
  absl::Status FreezeFrequencies();
  absl::StatusOr<std::vector<int32_t>> FrozenFrequencies(
      int32_t* num_documents_then) const;

  // Texts that belong to the collection; "" if never set. A name has 1 to so
  // many bytes.
  static constexpr size_t kMaxPropertyName = TermStore::kMaxPropertyName;
  absl::StatusOr<std::string> Property(absl::string_view name) const {
    return terms_.Property(name);
  }
  absl::Status SetProperty(absl::string_view name, absl::string_view value) {
    return terms_.SetProperty(name, value);
  }

  // Writes what is held back; call it before the transaction commits.
  absl::Status Flush();

  // Reads everything: DataLoss unless every block decodes, each document has an
  // id and is found by it, and numbers and frequencies equal a recount. Counts
  // what was flushed or not.
  absl::Status Verify();

  // Packs the documents present into full blocks. O(the store), in pieces.
  absl::Status Rewrite();

 private:
  // Stored under one key, as packed numbers.
  struct Counters {
    int32_t num_documents = 0;
    int32_t num_terms = 0;
    int32_t next_vertex = 0;
    int32_t last_block = -1;  // key of the last block; -1: none to fill up
    int32_t frozen_documents = 0;
  };

  explicit DocumentStore(LmdbTransaction* transaction)
      : transaction_(transaction), names_(transaction), terms_(transaction) {}

  // Writes the rows from `first_row` on as full blocks, less in the last one.
  absl::Status PutBlocks(absl::Span<const int32_t> vertices,
                         const DocumentMatrix& documents, int32_t first_row);
  absl::Status DeleteBlock(int32_t key);

  LmdbTransaction* transaction_;
  DocumentNames names_;
  TermStore terms_;
  Counters counters_;
  int64_t bytes_read_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_STORE_H_
