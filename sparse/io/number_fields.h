// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Number fields of sparse text formats, parsed strictly and independently of
// the locale.

#ifndef WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
#define WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

// Whether `field` is one or more digits and nothing else. `*value` is their
// value, or INT64_MAX if it is larger.
bool ParseDigits(absl::string_view field, int64_t* value);

// The functions below return null for a good field, and otherwise what was
// expected, for LineReader::Expected(that, field).

// A 1-based index: digits only, from 1 to 2^31 - 1.
const char* ParseIndexField(absl::string_view field, int32_t* index);

// A weight: a decimal number, not negative, finite as a float. It is rounded to
// the nearest float, which may be 0.
const char* ParseWeightField(absl::string_view field, float* weight);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
