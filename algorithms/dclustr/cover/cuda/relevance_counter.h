// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RelevanceCounter: relevance counts of a changed graph on a GPU, from the rows
// of the vertices whose edges changed, as relevance_update.h says: such a
// vertex is counted, and the counts of its other neighbors are corrected. A
// block of threads takes a row. Counts are integers, so the order of additions
// does not show.
//
// Rows come in chunks. While the device counts one, the host fills the next.
//
// Device memory: 36 bytes per vertex of the store, and two chunks. Pinned host
// memory: two chunks.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CUDA_RELEVANCE_COUNTER_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CUDA_RELEVANCE_COUNTER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/pinned_buffer.h"
#include "kernels/stream.h"

namespace warpclust {

// A vertex, in one aligned load.
struct alignas(16) CountedStar {
  static constexpr int32_t kAbsent = -1;

  uint64_t weight_sum = 0;
  int32_t degree = kAbsent;
  int32_t is_changed = 0;
};

class RelevanceCounter {
 public:
  // By the store's numbers: the vertices now, and before the change (of changed
  // vertices), and the counts before, 0 for changed vertices. A chunk has at
  // most `chunk_rows` rows with `chunk_entries` entries.
  static absl::StatusOr<RelevanceCounter> Create(
      absl::Span<const CountedStar> now, absl::Span<const CountedStar> before,
      absl::Span<const uint32_t> counts, int64_t chunk_rows,
      int64_t chunk_entries);

  // Waits until the next chunk can be filled. Row i, of vertices()[i], is to
  // have the entries from offsets()[i] to offsets()[i + 1] of neighbors(), in
  // the store's numbers.
  absl::Status BeginChunk();
  absl::Span<int32_t> vertices() { return chunks_[next_].vertices.span(); }
  absl::Span<int64_t> offsets() { return chunks_[next_].offsets.span(); }
  absl::Span<int32_t> neighbors() { return chunks_[next_].neighbors.span(); }
  // Counts the chunk; does not wait.
  absl::Status CountChunk(int64_t rows);

  // Until all chunks are counted.
  absl::Status Wait() const;

  // Waits. Sets the counts, and `*stray` to the smallest vertex with an absent
  // neighbor, -1 if there is none.
  absl::Status Finish(std::vector<uint32_t>* counts, int32_t* stray);

 private:
  struct Chunk {
    PinnedBuffer<int32_t> vertices;
    PinnedBuffer<int64_t> offsets;
    PinnedBuffer<int32_t> neighbors;
    DeviceBuffer<int32_t> device_vertices;
    DeviceBuffer<int64_t> device_offsets;
    DeviceBuffer<int32_t> device_neighbors;
  };

  RelevanceCounter() = default;

  DeviceBuffer<CountedStar> now_;
  DeviceBuffer<CountedStar> before_;
  DeviceBuffer<uint32_t> counts_;
  DeviceBuffer<int32_t> stray_;
  std::array<Chunk, 2> chunks_;
  int next_ = 0;
  // After the chunks that they use.
  std::vector<Stream> streams_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CUDA_RELEVANCE_COUNTER_H_
