// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DecimalWeight: the weight of a signed edge exactly as in its file, before the
// scale of the whole file is known. (base/numbers/decimal.h is for thresholds:
// it refuses large values, and values that are rounded here.)

#ifndef WARPCLUST_GRAPH_SIGNED_DECIMAL_WEIGHT_H_
#define WARPCLUST_GRAPH_SIGNED_DECIMAL_WEIGHT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

inline constexpr int kMostDecimalPlaces = 9;

// Value = digits / 10^places.
struct DecimalWeight {
  // At most kMaxSignedWeight in magnitude.
  int64_t digits = 1;
  // As few as possible: 0, or `digits` is not a multiple of ten. At most
  // kMostDecimalPlaces.
  int places = 0;
  // The text is no zero and was rounded to one.
  bool vanished = false;
  // Places beyond the ninth were rounded, but not to zero.
  bool rounded = false;
};

// Parses all of `text`: an optional sign, digits with or without a point, and
// an optional exponent. Places beyond the ninth are rounded, half away from 0.
// Returns null, or the expectation that `text` does not meet (also for NaN,
// infinities and too many digits), for LineReader::Expected.
const char* ParseDecimalWeight(absl::string_view text, DecimalWeight* weight);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_SIGNED_DECIMAL_WEIGHT_H_
