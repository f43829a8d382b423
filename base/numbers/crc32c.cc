// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace warpclust {
namespace {

// 0x1EDC6F41 with its bits reversed: the first bit of a byte is its lowest.
constexpr uint32_t kPolynomial = 0x82F63B78;

using ByteTable = std::array<uint32_t, 256>;

// tables[k][b]: what byte b does to the checksum k bytes later.
constexpr std::array<ByteTable, 8> MakeTables() {
  std::array<ByteTable, 8> tables = {};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    tables[0][b] = crc;
  }
  for (int k = 1; k < 8; ++k) {
    for (uint32_t b = 0; b < 256; ++b) {
      const uint32_t crc = tables[k - 1][b];
      tables[k][b] = (crc >> 8) ^ tables[0][crc & 0xff];
    }
  }
  return tables;
}

constexpr std::array<ByteTable, 8> kTables = MakeTables();

uint32_t ExtendByTables(uint32_t crc, const unsigned char* data, size_t size) {
  for (; size >= 8; data += 8, size -= 8) {
    // Bytes, not words: right on a machine of either byte order.
    crc ^= static_cast<uint32_t>(data[0]) |
           static_cast<uint32_t>(data[1]) << 8 |
           static_cast<uint32_t>(data[2]) << 16 |
           static_cast<uint32_t>(data[3]) << 24;
    crc = kTables[7][crc & 0xff] ^ kTables[6][(crc >> 8) & 0xff] ^
          kTables[5][(crc >> 16) & 0xff] ^ kTables[4][crc >> 24] ^
          kTables[3][data[4]] ^ kTables[2][data[5]] ^ kTables[1][data[6]] ^
          kTables[0][data[7]];
  }
  for (; size > 0; ++data, --size) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ *data) & 0xff];
  }
  return crc;
}

#if defined(__x86_64__)

// The instruction takes three cycles and starts every cycle: three parts of
// the data are summed side by side. A part's checksum moves past the zeros in
// the place of the next part by a linear map, which four tables give.
constexpr size_t kPart = 256;

struct ShiftTables {
  std::array<ByteTable, 4> bytes;
};

constexpr ShiftTables MakeShiftTables() {
  // Where each single bit goes when kPart zero bytes follow.
  std::array<uint32_t, 32> bits = {};
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t crc = uint32_t{1} << bit;
    for (size_t i = 0; i < kPart; ++i) {
      crc = (crc >> 8) ^ kTables[0][crc & 0xff];
    }
    bits[bit] = crc;
  }
  ShiftTables shift = {};
  for (int place = 0; place < 4; ++place) {
    for (int b = 0; b < 256; ++b) {
      for (int bit = 0; bit < 8; ++bit) {
        if ((b >> bit & 1) != 0) shift.bytes[place][b] ^= bits[8 * place + bit];
      }
    }
  }
  return shift;
}

constexpr ShiftTables kShift = MakeShiftTables();

inline uint32_t ShiftByPart(uint32_t crc) {
  return kShift.bytes[0][crc & 0xff] ^ kShift.bytes[1][(crc >> 8) & 0xff] ^
         kShift.bytes[2][(crc >> 16) & 0xff] ^ kShift.bytes[3][crc >> 24];
}

inline uint64_t Load64(const unsigned char* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof(word));
  return word;
}

__attribute__((target("sse4.2"))) uint32_t ExtendByInstruction(
    uint32_t crc, const unsigned char* data, size_t size) {
  for (; size >= 3 * kPart; data += 3 * kPart, size -= 3 * kPart) {
    uint64_t a = crc;
    uint64_t b = 0;
    uint64_t c = 0;
    for (size_t i = 0; i < kPart; i += 8) {
      a = _mm_crc32_u64(a, Load64(data + i));
      b = _mm_crc32_u64(b, Load64(data + kPart + i));
      c = _mm_crc32_u64(c, Load64(data + 2 * kPart + i));
    }
    crc = ShiftByPart(ShiftByPart(static_cast<uint32_t>(a)) ^
                      static_cast<uint32_t>(b)) ^
          static_cast<uint32_t>(c);
  }
  uint64_t rest = crc;
  for (; size >= 8; data += 8, size -= 8) {
    rest = _mm_crc32_u64(rest, Load64(data));
  }
  crc = static_cast<uint32_t>(rest);
  for (; size > 0; ++data, --size) crc = _mm_crc32_u8(crc, *data);
  return crc;
}

#endif

}  // namespace

uint32_t Crc32c(absl::string_view data, uint32_t before) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2");
  if (has_instruction) {
    return ~ExtendByInstruction(
        ~before, reinterpret_cast<const unsigned char*>(data.data()),
        data.size());
  }
#endif
  return internal::Crc32cByTables(data, before);
}

namespace internal {

uint32_t Crc32cByTables(absl::string_view data, uint32_t before) {
  return ~ExtendByTables(~before,
                         reinterpret_cast<const unsigned char*>(data.data()),
                         data.size());
}

}  // namespace internal

}  // namespace warpclust
