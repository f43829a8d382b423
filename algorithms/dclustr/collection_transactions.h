// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The transactions that change or verify a collection. Internal to dclustr.h,
// which says what they do.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_TRANSACTIONS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_TRANSACTIONS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"
#include "sparse/text/vocabulary.h"

namespace warpclust {

// Set by the caller, to be stored with the next update.
struct PendingTexts {
  absl::optional<Vocabulary> terms;
  std::vector<std::pair<std::string, std::string>> properties;
};

absl::StatusOr<DClustRUpdate> UpdateCollection(
    LmdbEnvironment* environment, const DClustRStoreOptions& store_options,
    const DClustRBatch& batch, const PendingTexts& pending,
    const DClustRRunOptions& options);

absl::StatusOr<DClustRUpdate> ReweightCollection(
    LmdbEnvironment* environment, const DClustRStoreOptions& store_options,
    const DClustRRunOptions& options);

// Compares everything that a collection's store holds with everything that it
// follows from.
absl::Status VerifyCollection(LmdbTransaction* transaction,
                              const DClustRStoreOptions& store_options,
                              const DClustRRunOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_TRANSACTIONS_H_
