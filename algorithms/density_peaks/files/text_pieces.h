// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextPieces: collects text and passes it on in pieces of about 64 KiB. Fast
// for millions of numbers.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_

#include <charconv>
#include <cstddef>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class TextPieces {
 public:
  explicit TextPieces(absl::FunctionRef<void(absl::string_view)> write)
      : write_(write) {}
  TextPieces(const TextPieces&) = delete;
  TextPieces& operator=(const TextPieces&) = delete;

  void Add(absl::string_view text) { text_.append(text.data(), text.size()); }

  // An integer, or a finite double in the shortest decimal that reads back as
  // the same one.
  template <typename T>
  void AddNumber(T value) {
    if (text_.size() >= kPieceBytes) {
      write_(text_);
      text_.clear();
    }
    char digits[32];
    const std::to_chars_result result =
        std::to_chars(digits, digits + sizeof(digits), value);
    text_.append(digits, result.ptr);
  }

  // Call it once, at the end.
  void End() { write_(text_); }

 private:
  static constexpr size_t kPieceBytes = 1 << 16;

  const absl::FunctionRef<void(absl::string_view)> write_;
  std::string text_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_
