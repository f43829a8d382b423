// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/word_numbers.h"

#include <cstring>
#include <utility>

#include "absl/numeric/int128.h"

namespace warpclust {
namespace {

constexpr size_t kFirstSlots = 1024;

}  // namespace

WordNumbers::WordNumbers() : slots_(kFirstSlots) {}

// The slot of a word, or the empty one where it belongs.
WordNumbers::Slot& WordNumbers::Find(const char* padded_word) {
  uint64_t halves[2];
  std::memcpy(halves, padded_word, sizeof(halves));
  // The halves of a product of 128 bits depend on all bits of both factors.
  const absl::uint128 product = absl::uint128(halves[0] ^ 0x9E3779B97F4A7C15) *
                                (halves[1] ^ 0xD6E8FEB86659FD93);
  uint64_t at = absl::Uint128High64(product) ^ absl::Uint128Low64(product);
  for (;; ++at) {
    Slot& slot = slots_[at & (slots_.size() - 1)];
    if (slot.word[kShort] == 0 ||
        std::memcmp(slot.word, padded_word, sizeof(slot.word)) == 0) {
      return slot;
    }
  }
}

int32_t WordNumbers::Add(absl::string_view word) {
  if (word.size() > kShort) return AddLong(word);
  char padded[kShort + 1] = {};
  std::memcpy(padded, word.data(), word.size());
  // Words of different lengths differ, also if one ends in NUL.
  padded[kShort] = static_cast<char>(word.size());
  Slot& slot = Find(padded);
  if (slot.word[kShort] != 0) return slot.number;
  std::memcpy(slot.word, padded, sizeof(padded));
  slot.number = size_;
  if (++num_short_ > slots_.size() / 2) Grow();
  return size_++;
}

int32_t WordNumbers::AddLong(absl::string_view word) {
  const int32_t known = long_words_.size();
  const int32_t number = long_words_.Add(word);
  if (number == known) number_of_long_word_.push_back(size_++);
  return number_of_long_word_[number];
}

void WordNumbers::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.word[kShort] != 0) Find(slot.word) = slot;
  }
}

}  // namespace warpclust
