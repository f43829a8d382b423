// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MetBlocks: the searches between the blocks of a meeting (meetings.h), on the
// device of the rank's index. Rows travel through the hosts, piece by piece, as
// bytes or floats if they are such (packed_points.h). The search of the last
// meeting is kept, for another search that begins with it.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "base/communicator/communicator.h"
#include "vptree/points/block_search.h"
#include "vptree/points/byte_grid.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class MetBlocks {
 public:
  // The arguments outlive the object, the rows of `points` where they are.
  // Points are in blocks of the input. `may_send_bytes`: whether no rank has a
  // GPU.
  MetBlocks(const PointMatrix& points, Norm norm, int num_threads,
            bool may_send_bytes, Communicator& ranks)
      : points_(points),
        norm_(norm),
        num_threads_(num_threads),
        may_send_bytes_(may_send_bytes && norm == Norm::kL2),
        ranks_(ranks) {}
  ~MetBlocks();

  // Exchanges the rows of the first meeting on another thread, before there is
  // an index or later. No rank communicates until Finish, which waits for them.
  void Start();
  absl::Status Finish();

  // The search of a meeting, after the exchange of its rows, on the device of
  // `index`, which has this rank's points and outlives it; on the CPU if the
  // GPU has no room to make it. It is kept until that of another meeting, or
  // Drop.
  absl::StatusOr<const BlockSearch*> Search(const NeighborIndex& index,
                                            const BlockMeeting& meeting);
  void Drop();

  // Of all searches of Search.
  int64_t distance_evaluations() const;

 private:
  // The rows of the other block.
  absl::StatusOr<PackedPoints> Exchange(const BlockMeeting& meeting);
  void FindKind();
  void FreeOthers();

  const PointMatrix& points_;
  const Norm norm_;
  const int num_threads_;
  const bool may_send_bytes_;
  Communicator& ranks_;
  // How the points travel, once known.
  bool knows_kind_ = false;
  std::optional<ByteGrid> grid_;
  bool are_floats_ = false;
  // The rows of the first meeting, from Start to Search.
  std::thread exchange_;
  std::optional<absl::StatusOr<PackedPoints>> ahead_;
  // The points of the other block, if search_ reads them.
  PackedPoints others_;
  // The search of meeting step_, or null.
  int step_ = 0;
  std::unique_ptr<BlockSearch> search_;
  int64_t evaluations_ = 0;  // of earlier ones
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_
