// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Coordinate fields: the numbers of text formats of points.
//
// A number is an optional sign, digits with an optional point, and an optional
// exponent ("1", "-2.5", ".5", "3e-2"); rounded to the nearest double.
// Independent of the locale.
//
// Cost: a loop over the digits and one division for what has at most 18 digits
// and no exponent, about as much again for the rest. Thread-safety: pure.

#ifndef WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_
#define WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// Parses the longest number that [begin, end) starts with. Returns where it
// ends, or null if there is none or its magnitude is beyond kLargestCoordinate.
const char* ParseCoordinate(const char* begin, const char* end, double* value);

// What was expected in place of a field that is not a number, or not one that
// ParseCoordinate takes: for "expected that, found field".
absl::string_view ExpectedCoordinate(absl::string_view field);

// Whether the whole field is a number or stands for one, like "nan".
bool IsNumericField(absl::string_view field);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_IO_COORDINATE_FIELD_H_
