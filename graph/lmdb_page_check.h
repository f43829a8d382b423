// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CheckLmdbPages: whether the trees of an LMDB file can be walked.
//
// LMDB follows what its pages say without a doubt: a damaged page number or
// offset ends the process or lets it write anywhere. This reads every page of
// the trees, and the head of every long value, before LMDB does. What values
// hold is not looked at: they carry checksums (graph/lmdb_environment.h).
//
// Knows the format of LMDB 0.9 as 64-bit machines write it; on others it
// answers OK. Cost: a read of the trees' pages, about 1 us each. Memory: a bit
// a page of the file. Thread-safety: pure but for the file.

#ifndef WARPCLUST_GRAPH_LMDB_PAGE_CHECK_H_
#define WARPCLUST_GRAPH_LMDB_PAGE_CHECK_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust {

// Checks the state that transaction number `transaction` committed to the file
// open as `file`, which must not be overwritten meanwhile: hold a transaction
// that reads it. DataLoss saying what page is wrong, and how.
absl::Status CheckLmdbPages(int file, uint64_t page_bytes,
                            uint64_t transaction);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_LMDB_PAGE_CHECK_H_
