// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Digest: 64 bits that stand for a result, so that thousands of results can be
// compared, even between machines, without being kept.
//
//   Digest digest;
//   digest.Array(cover.offsets);
//   digest.Array(cover.members);
//   digest.value();
//
// FNV-1a of the bytes; at the end the bits are mixed, so that different digests
// look different. Numbers count with their bit patterns, so nothing is rounded;
// arrays follow their lengths. Each step is a bijection: two results of one
// size that differ in a single byte never share a digest. Others do with a
// probability of about 2^-64; the 32 bits of base/numbers/crc32c.h would be too
// few for a long table. It is no defense against forgery.
//
// The same calls give the same digest on every little-endian machine.

#ifndef WARPCLUST_TOOLS_DETERMINISM_DIGEST_H_
#define WARPCLUST_TOOLS_DETERMINISM_DIGEST_H_

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "absl/strings/string_view.h"

namespace warpclust {

class Digest {
 public:
  // The pieces of a text give the same digest as the whole.
  void Text(absl::string_view text) {
    for (const char c : text) {
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  }
  template <typename T>
  void Number(T number) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &number, sizeof(T));
    Text(absl::string_view(bytes, sizeof(T)));
  }
  template <typename T>
  void Array(const std::vector<T>& numbers) {
    static_assert(std::is_arithmetic_v<T>);
    Number(static_cast<uint64_t>(numbers.size()));
    Text(absl::string_view(reinterpret_cast<const char*>(numbers.data()),
                           numbers.size() * sizeof(T)));
  }

  uint64_t value() const {
    // The finalizer of MurmurHash3, a bijection too.
    uint64_t mixed = value_;
    mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccdu;
    mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53u;
    return mixed ^ (mixed >> 33);
  }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_DIGEST_H_
