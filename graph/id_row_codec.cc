// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/id_row_codec.h"

#include <cstddef>
#include <cstring>

namespace warpclust {
namespace {

constexpr int kMaxVarintBytes = 10;
constexpr int kMaxIdBytes = 5;
constexpr uint64_t kContinued = 0x8080808080808080u;

inline char* WriteVarint(uint64_t value, char* out) {
  for (; value >= 0x80; value >>= 7) {
    *out++ = static_cast<char>(value | 0x80);
  }
  *out++ = static_cast<char>(value);
  return out;
}

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
      out = WriteVarint(static_cast<uint64_t>(id - before - 1), out);
      before = id;
    }
    bytes->append(code, out - code);
  }
}

int64_t DecodeIdRow(absl::string_view bytes, int32_t limit, int32_t* ids) {
  const char* in = bytes.data();
  const char* const end = in + bytes.size();
  int32_t* out = ids;
  // One more than the id before. At most 2^35 a code: no overflow below 2^28
  // codes, which would be beyond any limit long before.
  uint64_t next = 0;
  while (in < end) {
    while (end - in >= 8) {
      uint64_t word;
      std::memcpy(&word, in, sizeof(word));
      if ((word & kContinued) != 0) break;
      // Each byte alone, not shifted out of the word: right on machines of
      // either byte order, and as fast.
      const auto* byte = reinterpret_cast<const unsigned char*>(in);
      for (int i = 0; i < 8; ++i) {
        next += byte[i];
        out[i] = static_cast<int32_t>(next);
        ++next;
      }
      in += 8;
      out += 8;
    }
    if (in == end) break;
    // One id by itself: a distance of more than a byte, or the last few.
    uint64_t distance = 0;
    for (int shift = 0;; shift += 7) {
      if (in == end || shift == 7 * kMaxIdBytes) return -1;
      const uint64_t byte = static_cast<unsigned char>(*in++);
      distance |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    next += distance;
    if (next >= static_cast<uint64_t>(limit)) return -1;
    *out++ = static_cast<int32_t>(next);
    ++next;
  }
  // Ids ascend: the last one answers for those of the fast path.
  if (next > static_cast<uint64_t>(limit)) return -1;
  return out - ids;
}

}  // namespace warpclust
