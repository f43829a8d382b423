// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether an LMDB file can be opened (CheckLmdbHeads), and its trees be walked
// (CheckLmdbPages).
//
// LMDB follows what its pages say without a doubt: a page size of 0, a damaged
// page number or offset ends the process or lets it write anywhere. This reads
// the two pages that describe the file before LMDB opens it, and then every
// page of the trees, and the head of every long value, before LMDB does. What
// values hold is not looked at: they carry checksums
// (graph/pcc_store/lmdb/lmdb_environment.h).
//
// Knows the format of LMDB 0.9 as 64-bit machines write it; on others it
// answers OK. Cost: a read of the trees' pages, about 1 us each. Memory: a bit
// a page of the file, 8 bytes a free one. Thread-safety: pure but for the file.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_PAGE_CHECK_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_PAGE_CHECK_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust {

// The first two pages, in an open file that may be empty. `most_bytes`: what
// the pages in use take at most. DataLoss saying what is wrong; what LMDB finds
// itself when it opens the file (another version, no LMDB file at all) is OK
// here.
absl::Status CheckLmdbHeads(int file, uint64_t most_bytes);

// Checks the state that transaction number `transaction` committed to the file
// open as `file`, which must not be overwritten meanwhile: hold a transaction
// that reads it. DataLoss saying what page is wrong, and how.
absl::Status CheckLmdbPages(int file, uint64_t page_bytes,
                            uint64_t transaction);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_PAGE_CHECK_H_
