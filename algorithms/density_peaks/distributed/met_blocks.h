// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MetBlocks: the searches between the blocks of a meeting (meetings.h), on the
// device of the rank's index. Rows go from GPU to GPU where there are links
// (cuda/device_links.h). Else they travel through the hosts, as floats if they
// are floats, piece by piece. The search of the last meeting is kept, for
// another search that begins with it.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "base/communicator/communicator.h"
#include "vptree/brute_force/block_pairs.h"
#include "vptree/points/block_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/packed_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class MetBlocks {
 public:
  // The arguments outlive the object, the rows of `points` where they are;
  // `links` may be null. Points are in blocks of the input.
  MetBlocks(const PointMatrix& points, Norm norm, int num_threads,
            DeviceLinks* links, Communicator& ranks)
      : points_(points),
        norm_(norm),
        num_threads_(num_threads),
        links_(links),
        ranks_(ranks) {}
  ~MetBlocks();

  // Exchanges the rows of the first meeting on another thread, if they are not
  // there. No rank communicates until Finish, which waits for them. Without
  // links they come to the host, before there is an index (null) or later. With
  // links they come to the GPU of `index`, and nothing happens without one;
  // this thread may use the GPU as soon as Start returns.
  void Start(const NeighborIndex* index);
  absl::Status Finish();

  // The search of a meeting, after the exchange of its rows, on the device of
  // `index`, which has this rank's points; on the CPU if the GPU has no room to
  // make it. It is kept until that of another meeting, or Drop.
  absl::StatusOr<const BlockSearch*> Search(const NeighborIndex& index,
                                            const BlockMeeting& meeting);
  void Drop();

  // Of all searches of Search.
  int64_t distance_evaluations() const;

 private:
  // Sets search_ if the rows come to the GPU of `index`, else returns them.
  // Null: they come to the host.
  absl::StatusOr<PackedPoints> Exchange(const BlockMeeting& meeting,
                                        const NeighborIndex* index);
  // The part of it between GPUs. Sets search_ if it succeeds here, and returns
  // whether it did on rank meeting.to.
  absl::StatusOr<bool> ExchangeOnGpus(const BlockMeeting& meeting,
                                      int32_t num_others,
                                      const NeighborIndex& index);
  // A search on the CPU with rows in others_.
  std::unique_ptr<BlockPairs> Join(const BlockMeeting& meeting) const;

  const PointMatrix& points_;
  const Norm norm_;
  const int num_threads_;
  DeviceLinks* const links_;
  Communicator& ranks_;
  // Whether the points are floats, once known.
  std::optional<bool> are_floats_;
  // The rows of the first meeting, from Start to Search.
  std::thread exchange_;
  // Of that thread: set, or gone, when it gives its GPU no more work until rows
  // have come.
  std::optional<std::promise<void>> begun_;
  std::optional<absl::StatusOr<PackedPoints>> ahead_;
  // The rows of the other block that search_ reads, if it is on the CPU.
  std::vector<double> others_;
  // The search of meeting step_, or null.
  int step_ = 0;
  std::unique_ptr<BlockSearch> search_;
  int64_t evaluations_ = 0;  // of earlier ones
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_MET_BLOCKS_H_
