// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DocumentNames: the ids of a store's documents, found by vertex and by id.
// Part of DocumentStore (graph/pcc_store/documents/document_store.h).
//
// Table kNames: vertex -> id. Table kIds: 64-bit hash of an id -> the vertices
// of the documents with that hash, whose ids are then compared. So an id may
// have any length and any bytes.

#ifndef WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_NAMES_H_
#define WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {

class DocumentNames {
 public:
  // Payload of an error that is about one of the given ids: its place among
  // them, in decimal.
  static constexpr char kIdPlacePayload[] = "warpclust.id_place";

  // The transaction must outlive it.
  explicit DocumentNames(LmdbTransaction* transaction)
      : transaction_(transaction) {}

  // The vertex of the document called `id`; nullopt if there is none.
  absl::StatusOr<absl::optional<int32_t>> Find(absl::string_view id) const;

  // Names the vertices first_vertex, first_vertex + 1, … InvalidArgument, with
  // kIdPlacePayload, for the first id that is present or comes twice; nothing
  // changes then.
  absl::Status Add(int32_t first_vertex, absl::Span<const std::string> ids);

  // Forgets the ids of vertices. NotFound if one has none; nothing changes
  // then.
  absl::Status Remove(absl::Span<const int32_t> vertices);

  // The ids of `vertices`, which ascend. NotFound if one has none.
  absl::StatusOr<std::vector<std::string>> Ids(
      absl::Span<const int32_t> vertices) const;

  // DataLoss unless exactly `vertices`, which ascend, have ids, and each is
  // found by its id.
  absl::Status Verify(absl::Span<const int32_t> vertices) const;

 private:
  LmdbTransaction* transaction_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_DOCUMENT_NAMES_H_
