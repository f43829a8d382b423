// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Zstd: `bytes` as one zstd frame with a checksum, as zstd(1) writes it.

#ifndef WARPCLUST_BASE_IO_TESTING_ZSTD_H_
#define WARPCLUST_BASE_IO_TESTING_ZSTD_H_

#include <zstd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

inline std::string Zstd(absl::string_view bytes, int level = 3) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(
      ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress2(context.get(), out.data(), out.size(),
                                     bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) std::abort();
  out.resize(size);
  return out;
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_TESTING_ZSTD_H_
