// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CompactCollection: packs a collection's store. Internal to dclustr.h.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_COMPACT_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_COMPACT_H_

#include <string>

#include "absl/status/status.h"
#include "graph/pcc_store/lmdb/lmdb_environment.h"

namespace warpclust {

// Rewrites rows and vectors without what was removed, then puts a copy of the
// file without its free pages in its place. `*environment`, open for writing on
// `directory`, is closed and opened again. A process killed at any moment
// leaves the old file or the new one; half a copy goes with the next call.
absl::Status CompactCollection(const std::string& directory,
                               LmdbEnvironment* environment);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COLLECTION_COMPACT_H_
