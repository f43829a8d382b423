// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceLinks: points and results go from GPU to GPU, between ranks that all
// have one and whose GPUs reach each other (kernels/nccl/device_exchange.h).
// Names no CUDA code. Calls are those of one thread of each rank, and no other
// thread uses the communicator meanwhile.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_DEVICE_LINKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_DEVICE_LINKS_H_

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "kernels/nccl/device_way.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h
class PairShare;      // vptree/brute_force/cuda/pair_share.h

// The ways of the points of a block, which has the numbers from `first` on.
struct PointMoves {
  // By point.
  absl::Span<const uint16_t> owners;
  int64_t first = 0;
  // num_ranks + 1 numbers each. leaving[r + 1] - leaving[r] points go to rank
  // r; those that come from it get the places from coming[r] to coming[r + 1].
  absl::Span<const int64_t> leaving;
  absl::Span<const int64_t> coming;
};

class DeviceLinks {
 public:
  virtual ~DeviceLinks() = default;

  // A collective call. Gives the points of `block`, on this GPU, to their
  // owners, whose GPUs then have them in order of their numbers. These go to
  // `numbers`; the host's coordinates are freed (CopyRowsCuda of
  // rank_rows_cuda.h gets the new ones). 4 bytes per point of the block stay on
  // the GPU. Null, and nothing changes, if on a rank `block` is null or the
  // memory of the GPU runs out.
  virtual absl::StatusOr<std::shared_ptr<DevicePoints>> MovePoints(
      const PointMoves& moves, std::shared_ptr<DevicePoints> block,
      int num_threads, PointMatrix* points, std::vector<int32_t>* numbers) = 0;

  // As Communicator::SendReceive, for coordinates on the GPUs. All work on them
  // is done before; the call runs beside kernels that leave them alone.
  virtual absl::Status Exchange(const double* out, int64_t count, int to,
                                double* in, int64_t in_count, int from) = 0;

  // For searches that share all pairs of points on the GPUs of all ranks
  // (shared_points.h), as long as the links.
  virtual PairShare* pair_share() = 0;

  // A collective call for values of the hosts: those of the points that
  // MovePoints gave this rank, in their order, go back, and this rank gets
  // those of the points of its block. T has 1, 4 or 8 bytes. False, and nothing
  // is written, if points have not moved, or the memory of a GPU runs out.
  template <typename T>
  absl::StatusOr<bool> BringBackValues(absl::Span<const T> values,
                                       absl::Span<T> of_block) {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
    return BringBack(
        {reinterpret_cast<const char*>(values.data()),
         values.size() * sizeof(T)},
        {reinterpret_cast<char*>(of_block.data()), of_block.size() * sizeof(T)},
        sizeof(T));
  }

  // As Communicator::SendReceive for values of the hosts, as a collective call.
  template <typename T>
  absl::Status SendReceiveValues(absl::Span<const T> out, int to,
                                 absl::Span<T> in, int from) {
    static_assert(std::is_trivially_copyable_v<T>);
    return SendReceive(
        {reinterpret_cast<const char*>(out.data()), out.size() * sizeof(T)}, to,
        {reinterpret_cast<char*>(in.data()), in.size() * sizeof(T)}, from);
  }

 private:
  // Values of `width` bytes.
  virtual absl::StatusOr<bool> BringBack(absl::Span<const char> values,
                                         absl::Span<char> of_block,
                                         int64_t width) = 0;
  virtual absl::Status SendReceive(absl::Span<const char> out, int to,
                                   absl::Span<char> in, int from) = 0;
};

// By `links`, as a collective call, if these are not null; else by `ranks`.
template <typename T>
absl::Status SendReceiveValues(absl::Span<const T> out, int to,
                               absl::Span<T> in, int from, DeviceLinks* links,
                               Communicator& ranks) {
  return links != nullptr ? links->SendReceiveValues(out, to, in, from)
                          : ranks.SendReceiveValues(out, to, in, from);
}

// A collective call, with the GPU of each rank as the current one of its
// thread; `ranks` outlives the links. kAuto is kPeers: on several hosts NCCL
// takes longer to start than most exchanges take. Null, on all ranks, if no way
// is direct.
absl::StatusOr<std::unique_ptr<DeviceLinks>> OpenDeviceLinks(
    Communicator& ranks, DeviceWay way);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_DEVICE_LINKS_H_
