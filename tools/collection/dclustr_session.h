// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DClustRSession: a store as the dclustr tool works on it: opened or created
// with the flags given, asked what it is made of, updated from files.
//
// Thread-safety: one thread at a time. Move-only.

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
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/collection/dclustr_documents.h"

namespace warpclust {

// The flags of dclustr as given; main binds them.
struct DClustROptions {
  std::string store;
  // Fixed when the store is created.
  Decimal beta = "0.25";
  std::string weighting = "tf";
  std::string mode = "exact";
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";
  // What changes.
  std::string add;
  std::string modify;
  std::string remove;
  std::string input_format = "auto";
  std::string ids;
  // Further work.
  bool reweight = false;
  bool compact = false;
  bool verify = false;
  std::string print = "cover";

  bool changes_documents() const {
    return !add.empty() || !modify.empty() || !remove.empty();
  }
};

class DClustRSession {
 public:
  // Opens the store, for reading only unless the options change something. One
  // that is not there is created, at the first Update, if there is something to
  // add. UsageError for flags that are not what the store was created with;
  // NotFound if there is neither a store nor something to add.
  static absl::StatusOr<DClustRSession> Open(const DClustROptions& options,
                                             const FlagSet& flags);

  // What a run changes: all of it in one transaction. Documents of `added` that
  // replace others are named in `removed` too.
  struct Change {
    StoreReader::Documents added;
    std::vector<std::string> removed;
    // Lines of those that only go, which come first; and how many of `added`
    // replace others, which come first there.
    std::vector<int64_t> removed_lines;
    int64_t num_modified = 0;
  };

  // Reads the files of the options. Errors name file and line.
  absl::StatusOr<Change> ReadChange(bool ids_for_table);

  // Applies a change, read before. A store that it created is removed again at
  // an error.
  absl::StatusOr<DClustRUpdate> Update(Change change,
                                       const DClustRRunOptions& run);

  // There is one after the first Update.
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
  // Nothing is there yet, or what a first Update that fails has to take away.
  bool is_new_ = false;
  bool terms_are_set_ = false;
  // What to say if the first documents of a store are vectors.
  absl::Status vectors_fit_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_SESSION_H_
