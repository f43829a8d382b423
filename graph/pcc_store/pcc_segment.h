// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccSegment: the rows of some vertices as one value. A directory lists the
// vertices and the lengths of their rows; the rows follow. A row is read
// without the others: the directory has a checksum, and so has each block of 4
// KiB of rows, which is checked when the block is first touched.
//
// Bytes, numbers least significant byte first:
//   0  checksum of the key and of the bytes from here to the rows
//   4  number of vertices      8  number of entries (8 bytes)
//  16  bytes of the directory 20  bytes of the rows
//  24  directory: the vertices, the bytes of their rows (codec/stream_vbyte.h)
//      checksums of the blocks
//      rows (id lists of codec/stored_lists.h)

#ifndef WARPCLUST_GRAPH_PCC_STORE_PCC_SEGMENT_H_
#define WARPCLUST_GRAPH_PCC_STORE_PCC_SEGMENT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {
namespace internal {

class PccSegmentWriter {
 public:
  // Vertices ascend over all calls; `ids` ascend strictly. An empty row is left
  // out.
  void Add(int32_t vertex, absl::Span<const int32_t> ids);
  int64_t num_entries() const { return num_entries_; }
  // The value, to be stored under `key`. ResourceExhausted above 4 GiB.
  absl::StatusOr<std::string> Finish(absl::string_view key) const;

 private:
  std::vector<int32_t> vertices_;
  std::vector<uint32_t> lengths_;
  std::string rows_;
  int64_t num_entries_ = 0;
};

// A reader. Move-only; const methods may run on several threads. Memory: 8
// bytes per vertex.
class PccSegment {
 public:
  // `value` must outlive the segment; vertices are in [0, num_vertices).
  // DataLoss if the directory is damaged. Checksums of a `trusted` value, made
  // by this process, are not checked. Adds what it reads to `*bytes_read`.
  static absl::StatusOr<PccSegment> Open(absl::string_view key,
                                         absl::string_view value,
                                         int32_t num_vertices, bool trusted,
                                         std::atomic<int64_t>* bytes_read);

  absl::Span<const int32_t> vertices() const { return vertices_; }
  int64_t num_entries() const { return num_entries_; }
  // The place of `vertex` among vertices(); -1 if it is not there.
  int64_t Find(int32_t vertex) const;
  // The id list at that place; false if a block of it is damaged.
  bool RowAt(int64_t place, absl::string_view* row,
             std::atomic<int64_t>* bytes_read) const;

 private:
  std::vector<int32_t> vertices_;
  std::vector<uint32_t> ends_;  // Of their rows.
  absl::string_view checksums_;
  absl::string_view rows_;
  int64_t num_entries_ = 0;
  // Blocks whose checksum was found right; several threads may set it.
  // Null if the value is trusted.
  std::unique_ptr<std::atomic<uint8_t>[]> checked_;
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_SEGMENT_H_
