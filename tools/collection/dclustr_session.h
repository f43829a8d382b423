// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRSession: the store of a run of dclustr: opened or created according to
// the flags, and updated from files. Move-only.
//
//   ASSIGN_OR_RETURN(DClustRSession session,
//                    DClustRSession::Open(options, flags));
//   ASSIGN_OR_RETURN(DClustRSession::Change change, session.ReadChange(true));
//   ASSIGN_OR_RETURN(DClustRUpdate update,
//                    session.Update(std::move(change), run_options));

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_SESSION_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_SESSION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/machine/work_share.h"
#include "base/numbers/decimal.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_flags.h"
#include "tools/input/input_format.h"

namespace warpclust {

class DClustRSession {
 public:
  // Opens the store; for reading only, unless the options change something. A
  // missing store is created by the first Update if there is something to add.
  // UsageError for flags that differ from those that the store was created
  // with; NotFound if there is neither a store nor something to add;
  // InvalidArgument if the directory has files of somebody else and no store.
  static absl::StatusOr<DClustRSession> Open(const DClustROptions& options,
                                             const FlagSet& flags);

  // What a run changes, in one transaction. Modified documents are both in
  // `added` and in `removed`.
  struct Change {
    StoreReader::Documents added;
    std::vector<std::string> removed;
    // Lines of the ids to remove, which come first in `removed`.
    std::vector<int64_t> removed_lines;
    // Modified documents, which come first in `added`.
    int64_t num_modified = 0;
  };

  // Reads the files of the options. Errors name file and line. `work`, unless
  // null, follows the reading; embeddings are read with `num_threads`.
  absl::StatusOr<Change> ReadChange(bool ids_for_table,
                                    const FormatNote& note = {},
                                    WorkShare* work = nullptr,
                                    int num_threads = 0);

  // Of the store.
  const Decimal& beta() const { return store_options_.beta; }

  // Whether there is no store yet, so that the first Update creates it.
  bool creates_store() const { return !collection_.has_value(); }

  // Applies a change. If it fails, a store that it created is removed again.
  absl::StatusOr<DClustRUpdate> Update(Change change,
                                       const DClustRRunOptions& run);

  // Exists after Open of a store that was there, or the first Update.
  DClustRCollection& collection() { return *collection_; }

 private:
  DClustRSession(const DClustROptions& options, DClustRStoreOptions created,
                 absl::optional<DClustRCollection> collection,
                 StoreReader reader)
      : options_(options),
        store_options_(created),
        collection_(std::move(collection)),
        reader_(std::move(reader)) {}

  DClustROptions options_;
  DClustRStoreOptions store_options_;
  absl::optional<DClustRCollection> collection_;
  StoreReader reader_;
  // There was no store: a first Update that fails removes it again.
  bool is_new_ = false;
  bool terms_are_set_ = false;
  // The error if the first documents of the store are vectors or embeddings,
  // and that if they are embeddings.
  absl::Status vectors_fit_;
  absl::Status embeddings_fit_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_SESSION_H_
