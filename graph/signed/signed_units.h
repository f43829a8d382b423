// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What weights in units may be, for building and validating signed graphs.

#ifndef WARPCLUST_GRAPH_SIGNED_SIGNED_UNITS_H_
#define WARPCLUST_GRAPH_SIGNED_SIGNED_UNITS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "graph/signed/signed_graph.h"

namespace warpclust::internal {

inline bool IsPowerOfTen(int64_t value) {
  while (value >= 10 && value % 10 == 0) value /= 10;
  return value == 1;
}

// Not by negation, which overflows for the least integer.
inline bool IsLegalWeight(int64_t weight) {
  return weight >= -kMaxSignedWeight && weight <= kMaxSignedWeight;
}

inline absl::Status TooHeavy() {
  return absl::InvalidArgumentError(
      absl::StrCat("expected weights that sum to at most ", kMaxSignedWeight,
                   " units in magnitude, found more"));
}

}  // namespace warpclust::internal

#endif  // WARPCLUST_GRAPH_SIGNED_SIGNED_UNITS_H_
