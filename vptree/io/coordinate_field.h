// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Coordinate fields: the numbers of text formats of points. A number is an
// optional sign, digits with an optional point, and an optional exponent ("1",
// "-2.5", ".5", "3e-2"). It is rounded to the nearest double, independent of
// the locale.

#ifndef WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_
#define WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// Parses the longest number at the start of [begin, end). Returns its end, or
// null without a number or if its magnitude exceeds kLargestCoordinate.
const char* ParseCoordinate(const char* begin, const char* end, double* value);

// Returns what to put after "expected" in the error message about a field that
// ParseCoordinate refuses.
absl::string_view ExpectedCoordinate(absl::string_view field);

// Returns whether the whole field is a number or stands for one, like "nan".
bool IsNumericField(absl::string_view field);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_
