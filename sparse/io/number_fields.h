// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Number fields of sparse text formats, parsed strictly and without regard to
// the locale.

#ifndef WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
#define WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

// True if `field` is one or more digits and nothing else. `*value` is their
// value, at most INT64_MAX.
bool ParseDigits(absl::string_view field, int64_t* value);

// These return null for a good field, otherwise what was expected, for
// LineReader::Expected(expected, field).

// A 1-based index: digits only, from 1 to 2^31 - 1.
const char* ParseIndexField(absl::string_view field, int32_t* index);

// A weight: a decimal number that is finite as a float and, unless
// `allow_negative`, not negative; rounded to the nearest float, which may be 0.
const char* ParseWeightField(absl::string_view field, float* weight,
                             bool allow_negative = false);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
