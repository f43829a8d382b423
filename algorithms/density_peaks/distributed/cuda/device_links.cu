// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/cuda/pack_by_owner_cuda.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/device_exchange.h"
#include "vptree/brute_force/cuda/pair_share.h"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// numbers[k] is that of the point with the value came[k].
template <typename T>
__global__ void __launch_bounds__(kThreads)
    PutBackKernel(const T* came, const int32_t* numbers, int64_t count,
                  int64_t first, T* by_point) {
  const int64_t k = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (k < count) by_point[numbers[k] - first] = came[k];
}

// What the default stream was given is done: exchanges do not wait for it.
absl::Status Wait() {
  return CudaStatus(cudaStreamSynchronize(nullptr), "wait for the GPU");
}

class Links final : public DeviceLinks {
 public:
  Links(Communicator& ranks, std::unique_ptr<DeviceExchange> exchange)
      : ranks_(ranks), exchange_(std::move(exchange)) {}

  absl::StatusOr<std::shared_ptr<DevicePoints>> MovePoints(
      const PointMoves& moves, std::shared_ptr<DevicePoints> block,
      int num_threads, PointMatrix* points,
      std::vector<int32_t>* numbers) override {
    Stopwatch stopwatch;
    auto moved = std::make_shared<DevicePoints>();
    PackedBlock packed;
    DeviceBuffer<int32_t> moved_numbers;
    const absl::Status status =
        MakeRoom(moves, std::move(block), *moved, packed, moved_numbers);
    ASSIGN_OR_RETURN(const bool have_room, AllHaveRoom(status));
    if (!have_room) return nullptr;
    stopwatch.Lap("packing points");
    RETURN_IF_ERROR(Scatter(moves.leaving, moves.coming, moved->num_dimensions,
                            packed.rows, moved->values));
    RETURN_IF_ERROR(
        Scatter(moves.leaving, moves.coming, 1, packed.numbers, moved_numbers));
    stopwatch.Lap("exchange of points");
    *points = {moved->num_points, moved->num_dimensions, {}};
    ResizeVector(moved->num_points, num_threads, numbers);
    RETURN_IF_ERROR(moved_numbers.CopyToHost(absl::MakeSpan(*numbers)));
    stopwatch.Lap("numbers of points");
    has_moved_ = true;
    left_ = std::move(packed.numbers);
    first_ = moves.first;
    leaving_.assign(moves.leaving.begin(), moves.leaving.end());
    coming_.assign(moves.coming.begin(), moves.coming.end());
    return moved;
  }

  absl::Status Exchange(const double* out, int64_t count, int to, double* in,
                        int64_t in_count, int from) override {
    return exchange_->SendReceive(out, count, to, in, in_count, from);
  }

  PairShare* pair_share() override { return &pair_share_; }

 private:
  absl::StatusOr<bool> BringBack(absl::Span<const char> values,
                                 absl::Span<char> of_block,
                                 int64_t width) override {
    DeviceBuffer<char> sent, came, by_point;
    absl::Status status =
        has_moved_ ? Upload(values, of_block.size(), sent, came)
                   : absl::ResourceExhaustedError("the points have not moved");
    if (status.ok()) status = AllocateInto(came.size(), by_point);
    ASSIGN_OR_RETURN(const bool have_room, AllHaveRoom(status));
    if (!have_room) return false;
    RETURN_IF_ERROR(Scatter(coming_, leaving_, width, sent, came));
    RETURN_IF_ERROR(width == 1   ? PutBack<uint8_t>(came, by_point)
                    : width == 4 ? PutBack<uint32_t>(came, by_point)
                                 : PutBack<uint64_t>(came, by_point));
    RETURN_IF_ERROR(by_point.CopyToHost(of_block));
    return true;
  }

  // From the order of the owners to that of the block.
  template <typename T>
  absl::Status PutBack(const DeviceBuffer<char>& came,
                       DeviceBuffer<char>& by_point) const {
    PutBackKernel<<<BlocksFor(left_.size(), kThreads), kThreads>>>(
        reinterpret_cast<const T*>(came.data()), left_.data(), left_.size(),
        first_, reinterpret_cast<T*>(by_point.data()));
    return CudaLaunchStatus("values of points that moved");
  }

  absl::Status SendReceive(absl::Span<const char> out, int to,
                           absl::Span<char> in, int from) override {
    DeviceBuffer<char> sent;
    DeviceBuffer<char> got;
    ASSIGN_OR_RETURN(const bool have_room,
                     AllHaveRoom(Upload(out, in.size(), sent, got)));
    if (!have_room) return ranks_.SendReceive(out, to, in, from);
    RETURN_IF_ERROR(
        exchange_->SendReceive(sent, sent.size(), to, &got, got.size(), from));
    return got.CopyToHost(in);
  }

  // `sent` has `out`, and `got` room for what comes.
  static absl::Status Upload(absl::Span<const char> out, size_t in_bytes,
                             DeviceBuffer<char>& sent,
                             DeviceBuffer<char>& got) {
    RETURN_IF_ERROR(AllocateInto(static_cast<int64_t>(in_bytes), got));
    ASSIGN_OR_RETURN(sent, DeviceBuffer<char>::FromHost(out));
    return Wait();
  }

  // Everything that may not fit.
  static absl::Status MakeRoom(const PointMoves& moves,
                               std::shared_ptr<DevicePoints> block,
                               DevicePoints& moved, PackedBlock& packed,
                               DeviceBuffer<int32_t>& moved_numbers) {
    if (block == nullptr) {
      return absl::ResourceExhaustedError("the points are not on the GPU");
    }
    ASSIGN_OR_RETURN(
        packed,
        PackByOwner(*block, moves.owners,
                    static_cast<int>(moves.leaving.size()) - 1, moves.first));
    moved.num_points = static_cast<int32_t>(moves.coming.back());
    moved.num_dimensions = block->num_dimensions;
    moved.norm = block->norm;
    block = nullptr;
    RETURN_IF_ERROR(AllocateInto(
        int64_t{moved.num_points} * moved.num_dimensions, moved.values));
    return AllocateInto(moved.num_points, moved_numbers);
  }

  // OK on all ranks, or memory ran out on one of them. Another error is of this
  // rank alone, which ends the job.
  absl::StatusOr<bool> AllHaveRoom(const absl::Status& status) {
    if (!status.ok() && !absl::IsResourceExhausted(status)) return status;
    return ranks_.OnAll(status.ok());
  }

  // Sends what `packed` has by owner to where it comes. Offsets count `width`
  // values.
  template <typename T>
  absl::Status Scatter(absl::Span<const int64_t> leaving_offsets,
                       absl::Span<const int64_t> coming_offsets, int64_t width,
                       const DeviceBuffer<T>& packed, DeviceBuffer<T>& moved) {
    const int rank = ranks_.rank();
    const auto leaving = [&](int r) { return leaving_offsets[r] * width; };
    const auto coming = [&](int r) { return coming_offsets[r] * width; };
    RETURN_IF_ERROR(internal::CopyWithinDevice(
        packed.data() + leaving(rank), moved.data() + coming(rank),
        (leaving(rank + 1) - leaving(rank)) * int64_t{sizeof(T)}));
    RETURN_IF_ERROR(Wait());
    for (int step = 1; step < ranks_.size(); ++step) {
      const int to = ranks_.After(step);
      const int from = ranks_.Before(step);
      RETURN_IF_ERROR(exchange_->SendReceive(
          packed.data() + leaving(to), leaving(to + 1) - leaving(to), to,
          moved.data() + coming(from), coming(from + 1) - coming(from), from));
    }
    return absl::OkStatus();
  }

  class Share final : public PairShare {
   public:
    explicit Share(Links& links) : links_(links) {}
    int rank() const override { return links_.ranks_.rank(); }
    int size() const override { return links_.ranks_.size(); }
    absl::Status Agree(const absl::Status& status) override {
      return links_.ranks_.Agree(status);
    }
    absl::Status Exchange(int step, const void* mine, void* theirs,
                          int64_t bytes) override {
      RETURN_IF_ERROR(Wait());
      return links_.exchange_->SendReceive(
          static_cast<const char*>(mine), bytes, links_.ranks_.After(step),
          static_cast<char*>(theirs), bytes, links_.ranks_.Before(step));
    }

   private:
    Links& links_;
  };

  Communicator& ranks_;
  const std::unique_ptr<DeviceExchange> exchange_;
  Share pair_share_{*this};
  // Of the last MovePoints: the numbers of the block's points, by owner, and
  // its PointMoves.
  bool has_moved_ = false;
  DeviceBuffer<int32_t> left_;
  int64_t first_ = 0;
  std::vector<int64_t> leaving_;
  std::vector<int64_t> coming_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceLinks>> OpenDeviceLinks(
    Communicator& ranks, DeviceWay way) {
  if (way == DeviceWay::kHost) return std::unique_ptr<DeviceLinks>();
  DeviceExchangeOptions options;
  options.way = way == DeviceWay::kAuto ? DeviceWay::kPeers : way;
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceExchange> exchange,
                   DeviceExchange::Create(ranks, options));
  if (!exchange->is_direct()) return std::unique_ptr<DeviceLinks>();
  return std::make_unique<Links>(ranks, std::move(exchange));
}

}  // namespace warpclust
