// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/stream_vbyte.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/machine/cpu_features.h"
#include "base/numbers/little_endian.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

// By the two bits of a number.
constexpr int kBytes[4] = {0, 1, 2, 4};

uint32_t CodeOf(uint32_t number) {
  return uint32_t{number > 0} + uint32_t{number > 0xff} +
         uint32_t{number > 0xffff};
}

#if defined(__x86_64__)

// By control byte: how many bytes a group of four numbers takes; which of its
// bytes goes to which of the 16 bytes of the numbers, and back. 0x80 makes a
// zero.
struct Groups {
  alignas(64) std::array<std::array<uint8_t, 16>, 256> unpack;
  alignas(64) std::array<std::array<uint8_t, 16>, 256> pack;
  std::array<uint8_t, 256> sizes;
};

constexpr Groups MakeGroups() {
  Groups groups = {};
  for (int control = 0; control < 256; ++control) {
    for (int b = 0; b < 16; ++b) {
      groups.unpack[control][b] = groups.pack[control][b] = 0x80;
    }
    uint8_t size = 0;
    for (int i = 0; i < 4; ++i) {
      for (int b = 0; b < kBytes[control >> (2 * i) & 3]; ++b) {
        groups.unpack[control][4 * i + b] = size;
        groups.pack[control][size++] = static_cast<uint8_t>(4 * i + b);
      }
    }
    groups.sizes[control] = size;
  }
  return groups;
}

constexpr Groups kGroups = MakeGroups();

// Encodes groups of four numbers. Writes up to 16 bytes behind the data.
// Returns the bytes of the data.
__attribute__((target("avx2"))) size_t WriteGroupsAvx2(const uint32_t* numbers,
                                                       size_t num_groups,
                                                       char* control,
                                                       char* data) {
  char* at = data;
  for (size_t g = 0; g < num_groups; ++g) {
    const __m128i group =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + 4 * g));
    // -1 where a number is at least `bound`.
    const auto at_least = [&](int bound) __attribute__((target("avx2"))) {
      return _mm_cmpeq_epi32(_mm_max_epu32(group, _mm_set1_epi32(bound)),
                             group);
    };
    __m128i codes = _mm_add_epi32(_mm_add_epi32(at_least(1), at_least(0x100)),
                                  at_least(0x10000));
    codes = _mm_sllv_epi32(_mm_sub_epi32(_mm_setzero_si128(), codes),
                           _mm_setr_epi32(0, 2, 4, 6));
    codes = _mm_or_si128(codes, _mm_srli_si128(codes, 8));
    codes = _mm_or_si128(codes, _mm_srli_si128(codes, 4));
    const uint8_t code = static_cast<uint8_t>(_mm_cvtsi128_si32(codes));
    control[g] = static_cast<char>(code);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(at),
        _mm_shuffle_epi8(group, _mm_load_si128(reinterpret_cast<const __m128i*>(
                                    kGroups.pack[code].data()))));
    at += kGroups.sizes[code];
  }
  return at - data;
}

// The four numbers whose bytes begin at `from`.
__attribute__((target("avx2"))) inline __m128i Unpack(const uint8_t* from,
                                                      uint8_t codes) {
  return _mm_shuffle_epi8(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
      _mm_load_si128(
          reinterpret_cast<const __m128i*>(kGroups.unpack[codes].data())));
}

// Decodes groups of four numbers until one is cut short. Returns how many, and
// moves `at` behind them. If kAscending, the numbers are gaps and are added up,
// and `*bits` gets all bits that occur in a gap or a sum.
template <bool kAscending>
__attribute__((target("avx2"))) size_t ReadGroupsAvx2(
    const uint8_t* control, size_t num_groups, const uint8_t* end,
    const uint8_t** at, uint32_t* numbers, uint32_t* bits) {
  const uint8_t* from = *at;
  __m256i last = _mm256_set1_epi32(-1);
  __m256i all = _mm256_setzero_si256();
  size_t g = 0;
  for (; g + 2 <= num_groups && end - from >= 32; g += 2) {
    const uint8_t low = control[g];
    const uint8_t high = control[g + 1];
    const uint8_t* const middle = from + kGroups.sizes[low];
    __m256i pair = _mm256_set_m128i(Unpack(middle, high), Unpack(from, low));
    from = middle + kGroups.sizes[high];
    if (kAscending) {
      all = _mm256_or_si256(all, pair);
      pair = _mm256_add_epi32(pair, _mm256_set1_epi32(1));
      // Sums of each number with those before it: in the halves, then across.
      pair = _mm256_add_epi32(pair, _mm256_slli_si256(pair, 4));
      pair = _mm256_add_epi32(pair, _mm256_slli_si256(pair, 8));
      pair = _mm256_add_epi32(
          pair, _mm256_shuffle_epi32(
                    _mm256_permute2x128_si256(pair, pair, 0x08), 0xff));
      pair = _mm256_add_epi32(pair, last);
      last = _mm256_permutevar8x32_epi32(pair, _mm256_set1_epi32(7));
      all = _mm256_or_si256(all, pair);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers + 4 * g), pair);
  }
  __m128i last4 = _mm256_castsi256_si128(last);
  __m128i all4 = _mm_or_si128(_mm256_castsi256_si128(all),
                              _mm256_extracti128_si256(all, 1));
  for (; g < num_groups; ++g) {
    const uint8_t codes = control[g];
    __m128i group;
    if (end - from >= 16) {
      group = Unpack(from, codes);
    } else {
      if (end - from < kGroups.sizes[codes]) break;
      uint8_t padded[16] = {};
      std::memcpy(padded, from, end - from);
      group = Unpack(padded, codes);
    }
    if (kAscending) {
      all4 = _mm_or_si128(all4, group);
      group = _mm_add_epi32(group, _mm_set1_epi32(1));
      group = _mm_add_epi32(group, _mm_slli_si128(group, 4));
      group = _mm_add_epi32(group, _mm_slli_si128(group, 8));
      group = _mm_add_epi32(group, last4);
      last4 = _mm_shuffle_epi32(group, 0xff);
      all4 = _mm_or_si128(all4, group);
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(numbers + 4 * g), group);
    from += kGroups.sizes[codes];
  }
  if (kAscending) {
    all4 = _mm_or_si128(all4, _mm_srli_si128(all4, 8));
    all4 = _mm_or_si128(all4, _mm_srli_si128(all4, 4));
    *bits = static_cast<uint32_t>(_mm_cvtsi128_si32(all4));
  }
  *at = from;
  return g;
}

#endif  // defined(__x86_64__)

// ReadStreamVByte, and the numbers added up as gaps if kAscending. `*bits` as
// above.
template <bool kAscending>
bool ReadNumbers(absl::string_view* bytes, size_t size, uint32_t* numbers,
                 uint32_t* bits) {
  const size_t num_controls = (size + 3) / 4;
  if (bytes->size() < num_controls) return false;
  const uint8_t* const control =
      reinterpret_cast<const uint8_t*>(bytes->data());
  const uint8_t* at = control + num_controls;
  const uint8_t* const end = control + bytes->size();
  size_t i = 0;
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    i = 4 *
        ReadGroupsAvx2<kAscending>(control, size / 4, end, &at, numbers, bits);
  }
#endif
  uint32_t last = i == 0 ? ~uint32_t{0} : numbers[i - 1];
  for (; i < size; ++i) {
    const int num_bytes = kBytes[control[i / 4] >> (2 * (i % 4)) & 3];
    if (end - at < num_bytes) return false;
    uint32_t number = 0;
    for (int b = 0; b < num_bytes; ++b) number |= uint32_t{*at++} << (8 * b);
    numbers[i] = number;
    if (kAscending) {
      last += number + 1;
      *bits |= number | last;
      numbers[i] = last;
    }
  }
  bytes->remove_prefix(reinterpret_cast<const char*>(at) - bytes->data());
  return true;
}

// Numbers are encoded in parts of this many, so that bytes grow by what is
// needed.
constexpr size_t kPart = 64;

// Appends the data of up to kPart numbers and writes their control bytes to
// `control`.
void AppendPart(absl::Span<const uint32_t> part, size_t control,
                std::string* bytes) {
  char data[4 * kPart + 16];
  char* at = data;
  size_t i = 0;
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2) {
    at += WriteGroupsAvx2(part.data(), part.size() / 4, &(*bytes)[control], at);
    i = part.size() / 4 * 4;
  }
#endif
  for (; i < part.size(); ++i) {
    const uint32_t code = CodeOf(part[i]);
    char& codes = (*bytes)[control + i / 4];
    codes =
        static_cast<char>(static_cast<uint8_t>(codes) | code << (2 * (i % 4)));
    // All four bytes are written, and those that the number takes are kept.
    StoreLittle32(part[i], at);
    at += kBytes[code];
  }
  bytes->append(data, at - data);
}

}  // namespace

void AppendStreamVByte(absl::Span<const uint32_t> numbers, std::string* bytes) {
  const size_t control = bytes->size();
  bytes->append(MinStreamVByteSize(numbers.size()), '\0');
  for (size_t i = 0; i < numbers.size(); i += kPart) {
    AppendPart(numbers.subspan(i, kPart), control + i / 4, bytes);
  }
}

void AppendAscending(absl::Span<const int32_t> ids, std::string* bytes) {
  const size_t control = bytes->size();
  bytes->append(MinStreamVByteSize(ids.size()), '\0');
  uint32_t gaps[kPart];
  int32_t last = -1;
  for (size_t i = 0; i < ids.size(); i += kPart) {
    const absl::Span<const int32_t> part = ids.subspan(i, kPart);
    gaps[0] = static_cast<uint32_t>(part[0] - last - 1);
    for (size_t k = 1; k < part.size(); ++k) {
      gaps[k] = static_cast<uint32_t>(part[k] - part[k - 1] - 1);
    }
    last = part.back();
    AppendPart(absl::MakeConstSpan(gaps, part.size()), control + i / 4, bytes);
  }
}

bool ReadStreamVByte(absl::string_view* bytes, absl::Span<uint32_t> numbers) {
  uint32_t bits = 0;
  return ReadNumbers<false>(bytes, numbers.size(), numbers.data(), &bits);
}

bool ReadAscending(absl::string_view* bytes, int32_t limit,
                   absl::Span<int32_t> ids) {
  absl::string_view rest = *bytes;
  uint32_t bits = 0;
  // The two integers of a size may share memory.
  if (!ReadNumbers<true>(&rest, ids.size(),
                         reinterpret_cast<uint32_t*>(ids.data()), &bits)) {
    return false;
  }
  // Without the highest bit no sum has wrapped: each is the sum of two numbers
  // below 2^31 and 1, and was found to be below 2^31.
  if (bits >> 31 != 0 || (!ids.empty() && ids.back() >= limit)) return false;
  *bytes = rest;
  return true;
}

}  // namespace warpclust
