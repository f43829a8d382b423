// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The transactions that change or verify a collection. Internal to dclustr.h,
// which says what they do.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_TRANSACTIONS_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_TRANSACTIONS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {

absl::StatusOr<DClustRUpdate> UpdateCollection(
    LmdbEnvironment* environment, const DClustRStoreOptions& store_options,
    const DClustRBatch& batch, const internal::PendingTexts& pending,
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
