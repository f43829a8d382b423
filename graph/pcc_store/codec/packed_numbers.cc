// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/packed_numbers.h"

#include <array>
#include <cstddef>

#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// By the two bits of a number: how many bytes it takes, and which of the four
// bytes read at its place are its own.
constexpr int kBytes[4] = {0, 1, 2, 4};
constexpr uint32_t kMask[4] = {0, 0xff, 0xffff, 0xffffffff};

// By control byte: where the second, third and fourth number and the next group
// begin.
using Starts = std::array<uint8_t, 4>;

constexpr std::array<Starts, 256> MakeStarts() {
  std::array<Starts, 256> starts = {};
  for (int control = 0; control < 256; ++control) {
    int at = 0;
    for (int i = 0; i < 4; ++i) {
      at += kBytes[control >> (2 * i) & 3];
      starts[control][i] = static_cast<uint8_t>(at);
    }
  }
  return starts;
}

constexpr std::array<Starts, 256> kStarts = MakeStarts();

// A group takes 16 bytes at most, but its last number may be read 16 bytes
// behind the start and 4 wide.
constexpr ptrdiff_t kGroupBytes = 20;

#if defined(__x86_64__)

// By control byte: which of the 16 bytes read at a group goes to which byte of
// its four numbers; 0x80 makes a zero.
using Shuffle = std::array<uint8_t, 16>;

constexpr std::array<Shuffle, 256> MakeShuffles() {
  std::array<Shuffle, 256> shuffles = {};
  for (int control = 0; control < 256; ++control) {
    int at = 0;
    for (int i = 0; i < 4; ++i) {
      const int bytes = kBytes[control >> (2 * i) & 3];
      for (int b = 0; b < 4; ++b) {
        shuffles[control][4 * i + b] =
            static_cast<uint8_t>(b < bytes ? at + b : 0x80);
      }
      at += bytes;
    }
  }
  return shuffles;
}

alignas(64) constexpr std::array<Shuffle, 256> kShuffles = MakeShuffles();

// Decodes groups as long as 16 bytes can be read at each; returns how many, and
// moves `at` behind them.
__attribute__((target("avx2"))) size_t ReadGroupsAvx2(const uint8_t* control,
                                                      size_t num_groups,
                                                      const uint8_t** at,
                                                      const uint8_t* end,
                                                      uint32_t* numbers) {
  const uint8_t* from = *at;
  size_t g = 0;
  for (; g < num_groups && end - from >= 16; ++g) {
    const uint8_t codes = control[g];
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i shuffle = _mm_load_si128(
        reinterpret_cast<const __m128i*>(kShuffles[codes].data()));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers + 4 * g),
                     _mm_shuffle_epi8(bytes, shuffle));
    from += kStarts[codes][3];
  }
  *at = from;
  return g;
}

#endif  // defined(__x86_64__)

uint32_t Load(const uint8_t* at) {
  return uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 |
         uint32_t{at[3]} << 24;
}

int CodeOf(uint32_t number) {
  return number == 0 ? 0 : number <= 0xff ? 1 : number <= 0xffff ? 2 : 3;
}

}  // namespace

void AppendPackedNumbers(absl::Span<const uint32_t> numbers,
                         std::string* bytes) {
  const size_t num_controls = (numbers.size() + 3) / 4;
  const size_t control_begin = bytes->size();
  // All four bytes of a number are written, and those that it takes are kept.
  bytes->resize(control_begin + num_controls + 4 * numbers.size());
  char* control = &(*bytes)[control_begin];
  char* at = control + num_controls;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const uint32_t number = numbers[i];
    const int code = CodeOf(number);
    control[i / 4] = static_cast<char>(static_cast<uint8_t>(control[i / 4]) |
                                       code << (2 * (i % 4)));
    for (int b = 0; b < 4; ++b) {
      at[b] = static_cast<char>(number >> (8 * b) & 0xff);
    }
    at += kBytes[code];
  }
  bytes->resize(at - bytes->data());
}

bool ReadPackedNumbers(absl::string_view* bytes, absl::Span<uint32_t> numbers) {
  const size_t num_controls = (numbers.size() + 3) / 4;
  if (bytes->size() < num_controls) return false;
  const uint8_t* control = reinterpret_cast<const uint8_t*>(bytes->data());
  const uint8_t* at = control + num_controls;
  const uint8_t* const end = control + bytes->size();
  size_t i = 0;
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    const size_t groups =
        ReadGroupsAvx2(control, numbers.size() / 4, &at, end, numbers.data());
    control += groups;
    i = 4 * groups;
  }
#endif
  for (; i + 4 <= numbers.size() && end - at >= kGroupBytes; i += 4) {
    const uint8_t codes = *control++;
    const Starts starts = kStarts[codes];
    uint32_t* const out = numbers.data() + i;
    out[0] = Load(at) & kMask[codes & 3];
    out[1] = Load(at + starts[0]) & kMask[codes >> 2 & 3];
    out[2] = Load(at + starts[1]) & kMask[codes >> 4 & 3];
    out[3] = Load(at + starts[2]) & kMask[codes >> 6];
    at += starts[3];
  }
  // The last few, byte by byte.
  for (; i < numbers.size(); ++i) {
    const int code = *control >> (2 * (i % 4)) & 3;
    if (end - at < kBytes[code]) return false;
    uint32_t number = 0;
    for (int b = 0; b < kBytes[code]; ++b) number |= uint32_t{*at++} << (8 * b);
    numbers[i] = number;
    if (i % 4 == 3) ++control;
  }
  bytes->remove_prefix(reinterpret_cast<const char*>(at) - bytes->data());
  return true;
}

void AppendPackedTexts(absl::Span<const absl::string_view> texts,
                       std::string* bytes) {
  const uint32_t count = static_cast<uint32_t>(texts.size());
  AppendPackedNumbers({&count, 1}, bytes);
  std::vector<uint32_t> lengths;
  lengths.reserve(texts.size());
  for (absl::string_view text : texts) {
    lengths.push_back(static_cast<uint32_t>(text.size()));
  }
  AppendPackedNumbers(lengths, bytes);
  for (absl::string_view text : texts) bytes->append(text.data(), text.size());
}

bool ReadPackedTexts(absl::string_view* bytes,
                     std::vector<absl::string_view>* texts) {
  uint32_t count = 0;
  if (!ReadPackedNumbers(bytes, {&count, 1})) return false;
  // A control byte for four lengths: a count beyond this is not one.
  if (count / 4 > bytes->size()) return false;
  std::vector<uint32_t> lengths(count);
  if (!ReadPackedNumbers(bytes, absl::MakeSpan(lengths))) return false;
  texts->reserve(texts->size() + count);
  for (uint32_t length : lengths) {
    if (length > bytes->size()) return false;
    texts->push_back(bytes->substr(0, length));
    bytes->remove_prefix(length);
  }
  return true;
}

}  // namespace warpclust
