// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextArena: copies of texts in few large pieces of memory, instead of one per
// text, which one thread allocates and another one frees. Views of the copies
// are valid as long as the arena, also after it is moved. Move-only; one that
// was moved from may only be destroyed or assigned.

#ifndef WARPCLUST_TOOLS_INPUT_STREAM_TEXT_ARENA_H_
#define WARPCLUST_TOOLS_INPUT_STREAM_TEXT_ARENA_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace warpclust {

class TextArena {
 public:
  // One piece for the next texts, of `bytes` in all.
  void Reserve(int64_t bytes) {
    if (bytes <= left_) return;
    pieces_.emplace_back(new char[bytes]);  // Not initialized.
    free_ = pieces_.back().get();
    left_ = bytes;
  }

  absl::string_view Add(absl::string_view text) {
    constexpr int64_t kPieceBytes = int64_t{1} << 16;
    const auto size = static_cast<int64_t>(text.size());
    if (size > left_) Reserve(std::max(kPieceBytes, size));
    char* const begin = std::exchange(free_, free_ + size);
    left_ -= size;
    std::copy(text.begin(), text.end(), begin);
    return absl::string_view(begin, text.size());
  }

  // Keeps the texts of `other`.
  void Append(TextArena other) {
    pieces_.insert(pieces_.end(),
                   std::make_move_iterator(other.pieces_.begin()),
                   std::make_move_iterator(other.pieces_.end()));
  }

 private:
  std::vector<std::unique_ptr<char[]>> pieces_;
  // In the last piece that was made here.
  char* free_ = nullptr;
  int64_t left_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_STREAM_TEXT_ARENA_H_
