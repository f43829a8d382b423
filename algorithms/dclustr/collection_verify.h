// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifyCollection: everything that a collection's store holds, against
// everything that it follows from. Internal to dclustr.h.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_VERIFY_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_VERIFY_H_

#include "absl/status/status.h"
#include "algorithms/dclustr/dclustr.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {

absl::Status VerifyCollection(LmdbTransaction* transaction,
                              const DClustRStoreOptions& store_options,
                              const DClustRRunOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_VERIFY_H_
