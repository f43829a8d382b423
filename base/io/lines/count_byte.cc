// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/lines/count_byte.h"

#include <algorithm>
#include <cstring>

namespace warpclust {

int64_t CountByte(absl::string_view bytes, char byte) {
  using Lanes = signed char __attribute__((vector_size(16)));
  constexpr int64_t kBytes = sizeof(Lanes);
  Lanes wanted;
  std::memset(&wanted, byte, kBytes);
  const char* at = bytes.data();
  auto left = static_cast<int64_t>(bytes.size());
  int64_t count = 0;
  while (left >= kBytes) {
    // A lane counts to 127.
    const int64_t steps = std::min<int64_t>(left / kBytes, 127);
    Lanes counts = {};
    for (int64_t i = 0; i < steps; ++i) {
      Lanes chunk;
      std::memcpy(&chunk, at + i * kBytes, kBytes);
      counts -= chunk == wanted;  // True is -1.
    }
    for (int64_t i = 0; i < kBytes; ++i) count += counts[i];
    at += steps * kBytes;
    left -= steps * kBytes;
  }
  return count + std::count(at, at + left, byte);
}

}  // namespace warpclust
