// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Shuffle: a random order, the same on every machine. That of std::shuffle
// depends on the standard library.

#ifndef WARPCLUST_BASE_NUMBERS_SHUFFLE_H_
#define WARPCLUST_BASE_NUMBERS_SHUFFLE_H_

#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "base/numbers/random.h"

namespace warpclust {

// Each order is as likely as any other (Fisher and Yates). One random number
// per value.
template <typename T>
void Shuffle(absl::Span<T> values, Random* random) {
  for (auto i = static_cast<int64_t>(values.size()) - 1; i > 0; --i) {
    std::swap(values[i], values[random->Below(i + 1)]);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_SHUFFLE_H_
