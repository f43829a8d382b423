// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PccSegment: rows of some vertices as one value: a directory of the vertices
// and the lengths of their rows, then the rows (id_row_codec.h). One row can
// be read without reading the others: the directory has a checksum, and each
// block of 4 KiB of rows has one, looked at when the block is first touched.
//
// Bytes, numbers least significant first:
//   0  checksum of the key and of all from here to the rows
//   4  number of vertices      8  number of entries (8 bytes)
//  16  bytes of the directory 20  bytes of the rows
//  24  directory: for each vertex its distance to the one before, less one, and
//      the bytes of its row; varints
//      checksums of the blocks; rows

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
  // Vertices ascending; ids strictly ascending. An empty row is left out.
  void Add(int32_t vertex, absl::Span<const int32_t> ids);
  int64_t num_entries() const { return num_entries_; }
  // The value, to be kept under `key`. ResourceExhausted beyond 4 GiB.
  absl::StatusOr<std::string> Finish(absl::string_view key) const;

 private:
  std::string directory_;
  std::string rows_;
  int32_t num_vertices_ = 0;
  int32_t last_vertex_ = -1;
  int64_t num_entries_ = 0;
};

// A reader. Move-only. Thread-safety: const methods are safe from several
// threads. Memory: 8 bytes a vertex.
class PccSegment {
 public:
  // `value` must outlive it; vertices are in [0, num_vertices). DataLoss if the
  // directory is damaged. `trusted`: the value was made by this process, so
  // checksums are not looked at. Adds what it reads to `*bytes_read`.
  static absl::StatusOr<PccSegment> Open(absl::string_view key,
                                         absl::string_view value,
                                         int32_t num_vertices, bool trusted,
                                         std::atomic<int64_t>* bytes_read);

  absl::Span<const int32_t> vertices() const { return vertices_; }
  int64_t num_entries() const { return num_entries_; }
  // The place of `vertex` among them; -1 if it is not there.
  int64_t Find(int32_t vertex) const;
  // Code of the row at that place; false if a block of it is damaged.
  bool RowAt(int64_t place, absl::string_view* row,
             std::atomic<int64_t>* bytes_read) const;

 private:
  std::vector<int32_t> vertices_;
  std::vector<uint32_t> ends_;  // Of their rows.
  absl::string_view checksums_;
  absl::string_view rows_;
  int64_t num_entries_ = 0;
  // Blocks whose checksum was right. Setting one twice does no harm.
  std::unique_ptr<std::atomic<uint8_t>[]> checked_;  // Null: trusted.
};

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_PCC_SEGMENT_H_
