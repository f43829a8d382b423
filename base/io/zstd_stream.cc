// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/zstd_stream.h"

#include <zstd.h>
#include <zstd_errors.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

absl::Status NoMemory() {
  return absl::ResourceExhaustedError(
      "expected memory for the window of a zstd stream, found none");
}

absl::Status Error(size_t code) {
  switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_prefix_unknown:
      return absl::DataLossError(
          "expected another zstd frame or the end of the file, found other "
          "bytes");
    case ZSTD_error_frameParameter_windowTooLarge:
      return absl::DataLossError(
          "expected a zstd stream with a window of at most 128 MiB, found a "
          "larger one: compress it again without --long");
    case ZSTD_error_dictionary_wrong:
      return absl::DataLossError(
          "expected a zstd stream without a dictionary, found one with a "
          "dictionary");
    case ZSTD_error_memory_allocation:
      return NoMemory();
    default:
      return absl::DataLossError(
          absl::StrCat("expected an intact zstd stream, found damage (",
                       ZSTD_getErrorName(code), ")"));
  }
}

}  // namespace

bool ZstdStream::MayStart(absl::string_view bytes) {
  const absl::string_view start = bytes.substr(0, kMarkBytes);
  if (absl::StartsWith("\x28\xB5\x2F\xFD", start)) return true;
  // A frame to skip, which parallel compressors write first.
  return start[0] >= '\x50' && start[0] <= '\x5F' &&
         absl::StartsWith("\x2A\x4D\x18", start.substr(1));
}

ZstdStream::ZstdStream() : stream_(ZSTD_createDStream()) {}
ZstdStream::~ZstdStream() = default;

void ZstdStream::Free::operator()(ZSTD_DCtx_s* stream) const {
  ZSTD_freeDStream(stream);
}

absl::Status ZstdStream::Decompress(const char* from, int64_t* taken, char* to,
                                    int64_t* produced) {
  if (stream_ == nullptr) return NoMemory();
  ZSTD_inBuffer in = {from, static_cast<size_t>(*taken), 0};
  ZSTD_outBuffer out = {to, static_cast<size_t>(*produced), 0};
  const size_t code = ZSTD_decompressStream(stream_.get(), &out, &in);
  *taken = static_cast<int64_t>(in.pos);
  *produced = static_cast<int64_t>(out.pos);
  if (ZSTD_isError(code) != 0) return Error(code);
  inside_frame_ = code != 0;
  output_left_ = inside_frame_ && out.pos == out.size;
  return absl::OkStatus();
}

}  // namespace warpclust
