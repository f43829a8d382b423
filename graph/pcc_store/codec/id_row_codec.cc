// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/codec/id_row_codec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "base/machine/cpu_features.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpclust {
namespace {

constexpr int kMaxVarintBytes = 10;
constexpr int kMaxIdBytes = 5;
constexpr uint64_t kTwoBytes = 1 << 14;  // Below it, they are enough.

inline char* WriteVarint(uint64_t value, char* out) {
  for (; value >= 0x80; value >>= 7) {
    *out++ = static_cast<char>(value | 0x80);
  }
  *out++ = static_cast<char>(value);
  return out;
}

// A row on its way from bytes to ids.
struct Decoder {
  const char* in;
  const char* end;
  uint32_t limit;
  uint64_t next;  // One more than the last id.
  int32_t* out;
};

// The next id by itself; false if there is none to be had.
inline bool DecodeOne(Decoder* row) {
  uint64_t distance = 0;
  for (int shift = 0;; shift += 7) {
    if (row->in == row->end || shift == 7 * kMaxIdBytes) return false;
    const uint64_t byte = static_cast<unsigned char>(*row->in++);
    distance |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  row->next += distance;
  if (row->next >= row->limit) return false;
  *row->out++ = static_cast<int32_t>(row->next++);
  return true;
}

bool DecodeBaseline(Decoder* row) {
  constexpr uint64_t kContinued = 0x8080808080808080u;
  while (row->in < row->end) {
    while (row->end - row->in >= 8) {
      uint64_t word;
      std::memcpy(&word, row->in, sizeof(word));
      if ((word & kContinued) != 0) break;
      // Each byte by itself, not shifted out of the word: right on machines of
      // either byte order, and as fast.
      const auto* byte = reinterpret_cast<const unsigned char*>(row->in);
      for (int i = 0; i < 8; ++i) {
        row->next += byte[i];
        row->out[i] = static_cast<int32_t>(row->next++);
      }
      // Ids ascend: the last one answers for all.
      if (row->next > row->limit) return false;
      row->in += 8;
      row->out += 8;
    }
    if (row->in < row->end && !DecodeOne(row)) return false;
  }
  return true;
}

#if defined(__x86_64__)

// How the codes at the front of eight bytes lie there, by which of the bytes
// are continued, as far as they take one byte or two (after D. Lemire,
// N. Kurz, C. Rupp, "Stream VByte" and its forerunner "Masked VByte").
struct CodeLayout {
  alignas(16) uint8_t shuffle[16];  // Code i to bytes 2i and 2i + 1.
  uint32_t count;
  uint32_t bytes;
};

constexpr std::array<CodeLayout, 256> MakeLayouts() {
  std::array<CodeLayout, 256> layouts = {};
  for (uint32_t continued = 0; continued < 256; ++continued) {
    CodeLayout& layout = layouts[continued];
    for (uint8_t& to : layout.shuffle) to = 0x80;  // Zero.
    uint32_t at = 0;
    while (at < 8) {
      const bool two = (continued >> at & 1) != 0;
      if (two && (at == 7 || (continued >> (at + 1) & 1) != 0)) break;
      layout.shuffle[2 * layout.count] = static_cast<uint8_t>(at);
      if (two) {
        layout.shuffle[2 * layout.count + 1] = static_cast<uint8_t>(at + 1);
      }
      at += two ? 2 : 1;
      ++layout.count;
    }
    layout.bytes = at;
  }
  return layouts;
}

constexpr std::array<CodeLayout, 256> kLayouts = MakeLayouts();

// Eight codes at a time. Lanes beyond the codes at hand are written too (there
// is room: an id takes a byte at least) and written over by those to come.
// Leaves the last bytes. Returns rather than calling DecodeBaseline for them:
// the compiler would make that a jump without clearing the upper halves of the
// registers, and all SSE code after it would run at half its speed.
__attribute__((target("avx2"))) bool DecodeAvx2(Decoder* row) {
  // Between two looks at the limit: 2^16 bytes are below 2^15 codes of two
  // bytes, so ids stay below 2^31 + 2^29.
  constexpr int64_t kStretch = int64_t{1} << 16;
  constexpr int64_t kLoad = 16;
  const __m256i ones = _mm256_set1_epi32(1);
  const __m256i last_lane = _mm256_set1_epi32(7);
  while (row->end - row->in >= kLoad) {
    const char* in = row->in;
    const char* const stop =
        row->end - in > kStretch ? in + kStretch : row->end - (kLoad - 1);
    int32_t* out = row->out;
    // The last id, in all lanes; -1 at first.
    __m256i last = _mm256_set1_epi32(static_cast<int32_t>(row->next - 1));
    bool large = false;
    while (in < stop) {
      const __m128i bytes =
          _mm_loadl_epi64(reinterpret_cast<const __m128i*>(in));
      const uint32_t continued =
          static_cast<uint32_t>(_mm_movemask_epi8(bytes));
      __m256i steps;
      uint32_t count = 8;
      if (continued == 0) {
        steps = _mm256_cvtepu8_epi32(bytes);
        in += 8;
      } else {
        const CodeLayout& layout = kLayouts[continued];
        count = layout.count;
        if (count == 0) {
          large = true;
          break;
        }
        const __m128i codes = _mm_shuffle_epi8(
            bytes,
            _mm_load_si128(reinterpret_cast<const __m128i*>(layout.shuffle)));
        const __m128i low = _mm_and_si128(codes, _mm_set1_epi16(0x7f));
        const __m128i high = _mm_and_si128(codes, _mm_set1_epi16(0x7f00));
        steps =
            _mm256_cvtepu16_epi32(_mm_or_si128(low, _mm_srli_epi16(high, 1)));
        in += layout.bytes;
      }
      steps = _mm256_add_epi32(steps, ones);
      // Sums of each lane with those before it: in the halves, then across.
      steps = _mm256_add_epi32(steps, _mm256_slli_si256(steps, 4));
      steps = _mm256_add_epi32(steps, _mm256_slli_si256(steps, 8));
      const __m256i low_half = _mm256_permute2x128_si256(steps, steps, 0x08);
      steps = _mm256_add_epi32(steps, _mm256_shuffle_epi32(low_half, 0xff));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                          _mm256_add_epi32(last, steps));
      out += count;
      // Each lane without a code has added 1.
      last = _mm256_add_epi32(
          last,
          _mm256_sub_epi32(_mm256_permutevar8x32_epi32(steps, last_lane),
                           _mm256_set1_epi32(static_cast<int32_t>(8 - count))));
    }
    row->in = in;
    row->out = out;
    // In 32 bits: -1 and 1 are 0.
    row->next = static_cast<uint32_t>(_mm256_cvtsi256_si32(last)) + 1u;
    if (row->next > row->limit) return false;
    if (large && !DecodeOne(row)) return false;
  }
  return true;
}

#endif

}  // namespace

void AppendVarint(uint64_t value, std::string* bytes) {
  char code[kMaxVarintBytes];
  bytes->append(code, WriteVarint(value, code) - code);
}

bool ReadVarint(absl::string_view* bytes, uint64_t* value) {
  uint64_t read = 0;
  for (size_t i = 0; i < bytes->size() && i < kMaxVarintBytes; ++i) {
    const uint64_t byte = static_cast<unsigned char>((*bytes)[i]);
    if (i == kMaxVarintBytes - 1 && byte > 1) return false;
    read |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes->remove_prefix(i + 1);
      *value = read;
      return true;
    }
  }
  return false;
}

void AppendIdRow(absl::Span<const int32_t> ids, std::string* bytes) {
  // Code for a part of the row at a time, so that the bytes grow by what is
  // needed, not by the most it could be.
  constexpr size_t kPart = 256;
  char code[kPart * kMaxIdBytes];
  int64_t before = -1;
  for (size_t begin = 0; begin < ids.size(); begin += kPart) {
    char* out = code;
    for (const int32_t id : ids.subspan(begin, kPart)) {
      const uint64_t distance = static_cast<uint64_t>(id - before - 1);
      before = id;
      if (distance < kTwoBytes) {
        // Two bytes are written, one or both kept: which it is changes from
        // neighbor to neighbor, so a branch would be mispredicted.
        const uint64_t more = distance >= 0x80;
        out[0] = static_cast<char>(distance | more << 7);
        out[1] = static_cast<char>(distance >> 7);
        out += 1 + more;
      } else {
        out = WriteVarint(distance, out);
      }
    }
    bytes->append(code, out - code);
  }
}

int64_t DecodeIdRow(absl::string_view bytes, int32_t limit, int32_t* ids) {
  Decoder row{bytes.data(), bytes.data() + bytes.size(),
              static_cast<uint32_t>(std::max(limit, 0)), 0, ids};
#if defined(__x86_64__)
  if (CpuSimdLevel() >= SimdLevel::kAvx2 && !DecodeAvx2(&row)) return -1;
#endif
  return DecodeBaseline(&row) ? row.out - ids : -1;
}

}  // namespace warpclust
