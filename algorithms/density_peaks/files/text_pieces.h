// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextPieces: collects text and passes it on in pieces of about 64 KiB. Fast
// for millions of numbers and names. WritePointLines uses it on many threads.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "base/io/text_blocks.h"
#include "base/text/json_text.h"

namespace warpclust {

class TextPieces {
 public:
  explicit TextPieces(absl::FunctionRef<void(absl::string_view)> write)
      : write_(write) {}
  TextPieces(const TextPieces&) = delete;
  TextPieces& operator=(const TextPieces&) = delete;

  void Add(absl::string_view text) {
    PassOn();
    text_.append(text.data(), text.size());
  }

  // An integer, or a finite double in the shortest decimal that reads back as
  // the same one.
  template <typename T>
  void AddNumber(T value) {
    PassOn();
    char digits[32];
    const std::to_chars_result result =
        std::to_chars(digits, digits + sizeof(digits), value);
    text_.append(digits, result.ptr);
  }

  // The name of `point` as it is.
  void AddName(int32_t point, const PointNames& names) {
    if (names.names.empty()) {
      AddNumber(names.NumberOf(point));
    } else {
      Add(names.names[point]);
    }
  }

  // The same for JSON.
  void AddJsonName(int32_t point, const PointNames& names) {
    if (names.names.empty()) {
      AddNumber(names.NumberOf(point));
    } else {
      PassOn();
      AppendJsonString(names.names[point], &text_);
    }
  }

  // Call it once, at the end.
  void End() { write_(text_); }

 private:
  void PassOn() {
    if (text_.size() < kPieceBytes) return;
    write_(text_);
    text_.clear();
  }

  static constexpr size_t kPieceBytes = 1 << 16;

  const absl::FunctionRef<void(absl::string_view)> write_;
  std::string text_;
};

// Passes on one line per point, in order, formatted on several threads (0: all
// cores). `write` is called on any of them, one at a time.
inline void WritePointLines(
    int32_t num_points, int num_threads,
    absl::FunctionRef<void(int32_t point, TextPieces* text)> add_line,
    absl::FunctionRef<void(absl::string_view)> write) {
  constexpr int64_t kPointsOfBlock = 1 << 14;
  const absl::Status status = WriteTextBlocks(
      (num_points + kPointsOfBlock - 1) / kPointsOfBlock, num_threads,
      [&](int64_t block, int /*slot*/, std::string* text) {
        const auto append = [text](absl::string_view piece) {
          text->append(piece.data(), piece.size());
        };
        TextPieces pieces(append);
        const int64_t end =
            std::min<int64_t>((block + 1) * kPointsOfBlock, num_points);
        for (int64_t i = block * kPointsOfBlock; i < end; ++i) {
          add_line(static_cast<int32_t>(i), &pieces);
        }
        pieces.End();
        return absl::OkStatus();
      },
      write);
  status.IgnoreError();  // Blocks have none.
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_FILES_TEXT_PIECES_H_
