// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes texts, numbers and arrays for a script in an HTML page, so that the
// browser reads back exactly the same.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_TEXT_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_TEXT_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// A JSON string with its quotes, safe inside a <script> element: no "<".
std::string JsonString(absl::string_view text);

// A finite double as a JSON number that reads back to the same value.
std::string JsonNumber(double value);

// Base64 with padding, in pieces.
void WriteBase64(absl::string_view bytes,
                 absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_TEXT_H_
