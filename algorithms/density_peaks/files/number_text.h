// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers appended to text, fast: millions of them go to a file. Doubles in the
// shortest decimal that reads back as the same one.
//
// Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_NUMBER_TEXT_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_NUMBER_TEXT_H_

#include <charconv>
#include <string>

namespace warpclust {

// `value` is an integer or a finite double.
template <typename T>
void AppendNumber(T value, std::string* text) {
  char digits[32];
  const std::to_chars_result result =
      std::to_chars(digits, digits + sizeof(digits), value);
  text->append(digits, result.ptr);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_NUMBER_TEXT_H_
