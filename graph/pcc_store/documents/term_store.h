// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TermStore: the terms of a store's documents, their document frequencies, now
// and when they were frozen, and named properties. Part of DocumentStore
// (graph/pcc_store/documents/document_store.h).
//
// Table kTerms: chunks of 1,024 terms, so that an update writes only the chunks
// that changed. Reading or setting all of one kind is linear.

#ifndef WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_TERM_STORE_H_
#define WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_TERM_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

class TermStore {
 public:
  // The longest name of a property, in bytes.
  static constexpr int kMaxPropertyName = 64;

  // The transaction must outlive it.
  explicit TermStore(LmdbTransaction* transaction)
      : transaction_(transaction) {}

  // Names of terms, in the order of their numbers.
  absl::StatusOr<Vocabulary> Terms() const;
  // Adds the terms behind those stored. InvalidArgument if `terms` has fewer
  // than are stored, or others in the last stored chunk.
  absl::Status SetTerms(const Vocabulary& terms);

  enum class Kind : uint32_t { kNow = 1, kFrozen = 2 };
  // The frequency of each term, as many as were set. Not negative.
  absl::StatusOr<std::vector<int32_t>> Frequencies(Kind kind) const;
  absl::Status SetFrequencies(Kind kind, absl::Span<const int32_t> frequencies);

  // A text of any length and any bytes; empty if it was never set.
  // InvalidArgument for a name that is empty or longer than kMaxPropertyName.
  absl::StatusOr<std::string> Property(absl::string_view name) const;
  absl::Status SetProperty(absl::string_view name, absl::string_view value);

 private:
  LmdbTransaction* transaction_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_DOCUMENTS_TERM_STORE_H_
