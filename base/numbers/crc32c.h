// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Crc32c: the 32-bit checksum of Castagnoli (RFC 3720, appendix B.4), for data
// that has lain on a disk. It finds every burst of up to 32 flipped bits and
// misses other damage once in 4 billion; it is no defense against forgery.
//
// Cost: about 0.05 ns a byte where the CPU has the instruction (SSE4.2), about
// 0.6 ns by tables elsewhere. Thread-safe. Determinism: the same value on
// every machine.

#ifndef WARPCLUST_BASE_NUMBERS_CRC32C_H_
#define WARPCLUST_BASE_NUMBERS_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

// The checksum of `data`; of what gave `before` followed by `data`, if that is
// given: Crc32c("ab") == Crc32c("b", Crc32c("a")).
uint32_t Crc32c(absl::string_view data, uint32_t before = 0);

namespace internal {

// The same by tables, as on a CPU without the instruction.
uint32_t Crc32cByTables(absl::string_view data, uint32_t before = 0);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_CRC32C_H_
