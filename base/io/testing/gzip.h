// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Gzip: `bytes` as one gzip member.

#ifndef WARPCLUST_BASE_IO_TESTING_GZIP_H_
#define WARPCLUST_BASE_IO_TESTING_GZIP_H_

#include <zlib.h>

#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

inline std::string Gzip(absl::string_view bytes, int level = 6) {
  z_stream stream = {};
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    std::abort();
  }
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TESTING_GZIP_H_
