// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/crc32c.h"

#include <isa-l/crc.h>

#include <cstddef>

namespace warpclust {

uint32_t Crc32c(absl::string_view data, uint32_t before) {
  // ISA-L takes an int for the size, and inverts neither the first nor the last
  // value.
  constexpr size_t kMostBytes = size_t{1} << 30;
  uint32_t crc = ~before;
  while (!data.empty()) {
    const absl::string_view part = data.substr(0, kMostBytes);
    // It only reads the bytes.
    auto* bytes = const_cast<unsigned char*>(
        reinterpret_cast<const unsigned char*>(part.data()));
    crc = crc32_iscsi(bytes, static_cast<int>(part.size()), crc);
    data.remove_prefix(part.size());
  }
  return ~crc;
}

}  // namespace warpclust
