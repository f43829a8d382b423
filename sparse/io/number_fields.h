// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Number fields: the indices and weights of sparse text formats, strictly.
//
// The functions return null when the field is good, and otherwise what was
// expected, for LineReader::Expected(that, field).
//
// Cost: a loop over the digits for integers, a correctly rounded conversion for
// all else. Independent of the locale. Thread-safety: pure functions.

#ifndef WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
#define WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace warpclust {

// A 1-based index: digits only, from 1 to 2^31 - 1.
const char* ParseIndexField(absl::string_view field, int32_t* index);

// A count: digits only, from 0 to 2^31 - 1.
const char* ParseCountField(absl::string_view field, int64_t* count);

// A weight: a decimal number, not negative, finite as a float; rounded to the
// nearest float, which may be 0.
const char* ParseWeightField(absl::string_view field, float* weight);

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_NUMBER_FIELDS_H_
