// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ZstdStream: decompresses a zstd stream, the frames of which follow each
// other. ByteReader uses it. Memory: the window of a frame, usually 8 MiB, and
// at most 128 MiB, as for zstd(1).

#ifndef WARPCLUST_BASE_IO_ZSTD_STREAM_H_
#define WARPCLUST_BASE_IO_ZSTD_STREAM_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

struct ZSTD_DCtx_s;

namespace warpclust {

class ZstdStream {
 public:
  // Whether `bytes` begin like a zstd stream, also if they are too few to tell.
  static bool MayStart(absl::string_view bytes);
  // How many bytes tell.
  static constexpr int64_t kMarkBytes = 4;

  ZstdStream();
  ~ZstdStream();

  // Decompresses the `*taken` bytes at `from` to the `*produced` bytes at `to`;
  // both are room on call. DataLoss "expected ..., found ...";
  // ResourceExhausted if there is no memory for the window.
  absl::Status Decompress(const char* from, int64_t* taken, char* to,
                          int64_t* produced);
  // Whether the stream must not end here.
  bool inside_frame() const { return inside_frame_; }
  // Whether there may be output that found no room.
  bool output_left() const { return output_left_; }

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* stream) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> stream_;
  bool inside_frame_ = false;
  bool output_left_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_ZSTD_STREAM_H_
