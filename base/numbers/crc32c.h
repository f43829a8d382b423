// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Crc32c: the Castagnoli checksum (RFC 3720, appendix B.4), which detects
// accidental damage to stored data.
//
//   record.append(payload);
//   AppendLittle32(Crc32c(payload), &record);
//
// It detects every burst of up to 32 flipped bits and misses other damage with
// probability 2^-32. It does not protect against deliberate changes.
//
// Intel's ISA-L computes it, with the CPU's own instruction.

#ifndef WARPCLUST_BASE_NUMBERS_CRC32C_H_
#define WARPCLUST_BASE_NUMBERS_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

// The checksum of the bytes whose checksum is `before`, followed by `data`:
// Crc32c("ab") == Crc32c("b", Crc32c("a")).
uint32_t Crc32c(absl::string_view data, uint32_t before = 0);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_CRC32C_H_
