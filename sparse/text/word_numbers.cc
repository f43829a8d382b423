// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/word_numbers.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/numeric/int128.h"

namespace warpclust {
namespace {

static_assert(std::endian::native == std::endian::little,
              "KeyOf puts the length into the last byte");

constexpr size_t kFirstSlots = 1024;

}  // namespace

WordNumbers::WordNumbers() : slots_(kFirstSlots) {}

// In registers: bytes that were just stored one by one are slow to load
// together.
WordNumbers::Key WordNumbers::KeyOf(absl::string_view word) {
  const size_t size = word.size();
  const uint64_t length = uint64_t{size} << 56;
  if (size >= 8) {
    Key key;
    std::memcpy(&key[0], word.data(), 8);
    std::memcpy(&key[1], word.data() + size - 8, 8);
    // Without the bytes that both halves have; none are left of 8.
    key[1] = size == 8 ? 0 : key[1] >> (8 * (16 - size));
    key[1] |= length;
    return key;
  }
  if (size >= 4) {
    uint32_t first;
    uint32_t last;
    std::memcpy(&first, word.data(), 4);
    std::memcpy(&last, word.data() + size - 4, 4);
    return {first | uint64_t{last} << (8 * (size - 4)), length};
  }
  uint64_t bytes = 0;
  for (size_t i = 0; i < size; ++i) {
    bytes |= uint64_t{static_cast<unsigned char>(word[i])} << (8 * i);
  }
  return {bytes, length};
}

// The slot of a word, or the empty one where it belongs.
WordNumbers::Slot& WordNumbers::Find(const Key& key) {
  // The halves of a product of 128 bits depend on all bits of both factors.
  const absl::uint128 product = absl::uint128(key[0] ^ 0x9E3779B97F4A7C15) *
                                (key[1] ^ 0xD6E8FEB86659FD93);
  uint64_t at = absl::Uint128High64(product) ^ absl::Uint128Low64(product);
  for (;; ++at) {
    Slot& slot = slots_[at & (slots_.size() - 1)];
    Key word;
    std::memcpy(word.data(), slot.word, sizeof(word));
    if (slot.empty() || word == key) return slot;
  }
}

int32_t WordNumbers::Add(absl::string_view word) {
  if (word.size() > kShort) return AddLong(word);
  const Key key = KeyOf(word);
  Slot& slot = Find(key);
  if (!slot.empty()) return slot.number;
  std::memcpy(slot.word, key.data(), sizeof(slot.word));
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
    if (slot.empty()) continue;
    Key key;
    std::memcpy(key.data(), slot.word, sizeof(key));
    Find(key) = slot;
  }
}

}  // namespace warpclust
