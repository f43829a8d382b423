// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers as bytes, least significant first: files are the same on machines of
// either byte order. Addresses may have any alignment. Compilers emit one load
// or store for each function.

#ifndef WARPCLUST_BASE_NUMBERS_LITTLE_ENDIAN_H_
#define WARPCLUST_BASE_NUMBERS_LITTLE_ENDIAN_H_

#include <cstdint>
#include <string>

namespace warpclust {

inline uint32_t LoadLittle32(const char* bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes);
  return static_cast<uint32_t>(b[0]) | static_cast<uint32_t>(b[1]) << 8 |
         static_cast<uint32_t>(b[2]) << 16 | static_cast<uint32_t>(b[3]) << 24;
}

inline uint64_t LoadLittle64(const char* bytes) {
  return LoadLittle32(bytes) | uint64_t{LoadLittle32(bytes + 4)} << 32;
}

inline void StoreLittle32(uint32_t value, char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

inline void StoreLittle64(uint64_t value, char* bytes) {
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

inline void AppendLittle32(uint32_t value, std::string* bytes) {
  char code[4];
  StoreLittle32(value, code);
  bytes->append(code, sizeof(code));
}

inline void AppendLittle64(uint64_t value, std::string* bytes) {
  char code[8];
  StoreLittle64(value, code);
  bytes->append(code, sizeof(code));
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_LITTLE_ENDIAN_H_
