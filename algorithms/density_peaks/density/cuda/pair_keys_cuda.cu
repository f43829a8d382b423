// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/stream.h"
#include "vptree/brute_force/cuda/key_tile_cuda.cuh"
#include "vptree/points/device_points.h"

namespace warpclust {
namespace {

constexpr int kSide = KeyTile::kSide;
constexpr int kEach = KeyTile::kEach;

// Keys to keep at first. If there are more, the pairs are met again.
constexpr int64_t kFirstCapacity = 1 << 20;
// Blocks of kSide by kSide pairs of a sample.
constexpr int64_t kSampledBlocks = 16;
// Rows and columns of them.
constexpr int64_t kSampled = kSampledBlocks * kSide;

struct PairArguments {
  const double* values;
  int32_t dimensions;
  const int32_t* rows;
  int32_t num_rows;
  const int32_t* columns;
  int32_t num_columns;
  // Rows and columns are the same points, and each pair counts once.
  bool each_once;
  // Block k of the columns is met by block k of the rows only.
  bool by_block;
  double low;
  double high;
  // Keys below `low`, and those up to `high`.
  unsigned long long* counts;
  double* kept;
  unsigned long long capacity;
};

__device__ void LoadIds(const int32_t* from, int32_t size, int first,
                        int32_t* ids) {
  const int i = first + static_cast<int>(threadIdx.x);
  if (threadIdx.x < kSide) ids[threadIdx.x] = i < size ? from[i] : -1;
}

template <Norm kNorm>
__global__ void __launch_bounds__(KeyTile::kThreads)
    PairKeysKernel(const __grid_constant__ PairArguments a) {
  __shared__ KeyTile tile;
  LoadIds(a.rows, a.num_rows, static_cast<int>(blockIdx.x) * kSide,
          tile.row_ids);
  LoadIds(a.columns, a.num_columns,
          static_cast<int>(a.by_block ? blockIdx.x : blockIdx.y) * kSide,
          tile.column_ids);
  double keys[kEach][kEach];
  tile.Compute<kNorm>(a.values, a.dimensions, keys);
  unsigned below = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int32_t row_id = tile.row_ids[KeyTile::Row(i)];
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int32_t column_id = tile.column_ids[KeyTile::Column(j)];
      if (row_id < 0 || column_id < 0 || row_id == column_id ||
          (a.each_once && row_id > column_id)) {
        continue;
      }
      const double key = keys[i][j];
      if (key < a.low) {
        ++below;
      } else if (key <= a.high) {
        const unsigned long long at = atomicAdd(a.counts + 1, 1ull);
        if (at < a.capacity) a.kept[at] = key;
      }
    }
  }
  below = __reduce_add_sync(kFullWarp, below);
  if (threadIdx.x % 32 == 0 && below > 0) {
    atomicAdd(a.counts, static_cast<unsigned long long>(below));
  }
}

// Some of the ids in blocks of kSide. With `spread`, each block has some of all
// parts; else blocks are neighbors. Rows and columns differ in this, so that
// the blocks of a sample have pairs of all distances.
std::vector<int32_t> IdsOfBlocks(absl::Span<const int32_t> ids, bool spread) {
  const auto size = static_cast<int64_t>(ids.size());
  std::vector<int32_t> taken;
  for (int64_t block = 0; block < kSampledBlocks; ++block) {
    for (int64_t i = 0; i < kSide; ++i) {
      const int64_t place =
          spread ? i * kSampledBlocks + block : block * kSide + i;
      taken.push_back(ids[place * size / kSampled]);
    }
  }
  return taken;
}

auto KernelOf(Norm norm) {
  return norm == Norm::kL2   ? PairKeysKernel<Norm::kL2>
         : norm == Norm::kL1 ? PairKeysKernel<Norm::kL1>
                             : PairKeysKernel<Norm::kLInf>;
}

// On a stream of its own: the default stream may have much to do.
class KeysOnGpu final : public internal::PairKeys {
 public:
  KeysOnGpu(std::shared_ptr<const DevicePoints> points,
            const internal::PairsToCount& pairs)
      : points_(std::move(points)), pairs_(pairs) {}

  absl::Status Start() {
    ASSIGN_OR_RETURN(stream_, Stream::CreateBeside());
    // Loads the kernel now, which would wait for those that run later.
    cudaFuncAttributes attributes;
    RETURN_IF_ERROR(CudaStatus(
        cudaFuncGetAttributes(&attributes, KernelOf(points_->norm)), kWhat));
    const auto most = static_cast<int64_t>(
        std::max(pairs_.rows.size(), pairs_.columns.size()));
    RETURN_IF_ERROR(AllocateInto(std::max(most, kSampled), rows_));
    RETURN_IF_ERROR(AllocateInto(std::max(most, kSampled), columns_));
    RETURN_IF_ERROR(AllocateInto(2, counts_));
    return MakeRoom(kFirstCapacity);
  }

  static absl::Status Named(const absl::Status& status) {
    return NameWhatDidNotFit(status, "the sample of distances on the GPU");
  }

  absl::Status Find(absl::Span<const int32_t> columns,
                    KeysBetween* keys) override {
    return Named(FindAmong(pairs_.rows, columns, /*by_block=*/false, keys));
  }

  absl::StatusOr<std::vector<double>> Sample() override {
    KeysBetween all(0, std::numeric_limits<double>::infinity());
    RETURN_IF_ERROR(
        Named(FindAmong(IdsOfBlocks(pairs_.rows, /*spread=*/false),
                        IdsOfBlocks(pairs_.columns, /*spread=*/true),
                        /*by_block=*/true, &all)));
    return std::vector<double>(all.kept().begin(), all.kept().end());
  }

 private:
  static constexpr absl::string_view kWhat = "keys of pairs";

  // Waits for the default stream, on which memory comes.
  absl::Status MakeRoom(int64_t capacity) {
    RETURN_IF_ERROR(AllocateInto(capacity, kept_));
    return CudaStatus(cudaStreamSynchronize(nullptr), kWhat);
  }

  absl::Status FindAmong(absl::Span<const int32_t> rows,
                         absl::Span<const int32_t> columns, bool by_block,
                         KeysBetween* keys) {
    RETURN_IF_ERROR(Copy(rows_.data(), rows.data(), rows.size()));
    RETURN_IF_ERROR(Copy(columns_.data(), columns.data(), columns.size()));
    while (true) {
      const int64_t capacity = kept_.size();
      RETURN_IF_ERROR(CudaStatus(
          cudaMemsetAsync(counts_.data(), 0,
                          static_cast<size_t>(counts_.bytes()), stream()),
          kWhat));
      RETURN_IF_ERROR(
          Launch({points_->values.data(), points_->num_dimensions, rows_.data(),
                  static_cast<int32_t>(rows.size()), columns_.data(),
                  static_cast<int32_t>(columns.size()), !pairs_.sampled,
                  by_block, keys->low(), keys->high(), counts_.data(),
                  kept_.data(), static_cast<unsigned long long>(capacity)}));
      unsigned long long counts[2];
      RETURN_IF_ERROR(Copy(counts, counts_.data(), 2));
      const auto num_kept = static_cast<int64_t>(counts[1]);
      if (num_kept > capacity) {
        RETURN_IF_ERROR(MakeRoom(num_kept));
        continue;
      }
      std::vector<double> found(static_cast<size_t>(num_kept));
      RETURN_IF_ERROR(Copy(found.data(), kept_.data(), found.size()));
      keys->Replace(static_cast<int64_t>(counts[0]), std::move(found));
      return absl::OkStatus();
    }
  }

  absl::Status Launch(const PairArguments& arguments) const {
    const dim3 grid(
        BlocksFor(arguments.num_rows, kSide),
        arguments.by_block ? 1 : BlocksFor(arguments.num_columns, kSide));
    KernelOf(points_->norm)<<<grid, KeyTile::kThreads, 0, stream()>>>(
        arguments);
    return CudaLaunchStatus(kWhat);
  }

  // To or from the GPU, and waits.
  template <typename T>
  absl::Status Copy(T* to, const T* from, size_t count) const {
    RETURN_IF_ERROR(CudaStatus(cudaMemcpyAsync(to, from, count * sizeof(T),
                                               cudaMemcpyDefault, stream()),
                               kWhat));
    return stream_->Synchronize();
  }

  cudaStream_t stream() const { return stream_->get(); }

  const std::shared_ptr<const DevicePoints> points_;
  const internal::PairsToCount pairs_;
  std::optional<Stream> stream_;
  DeviceBuffer<int32_t> rows_;
  DeviceBuffer<int32_t> columns_;
  DeviceBuffer<unsigned long long> counts_;
  DeviceBuffer<double> kept_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    std::shared_ptr<const DevicePoints> points,
    const internal::PairsToCount& pairs) {
  const auto keys = std::make_shared<KeysOnGpu>(std::move(points), pairs);
  RETURN_IF_ERROR(KeysOnGpu::Named(keys->Start()));
  return keys;
}

absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    const PointMatrix& points, const internal::PairsToCount& pairs, Norm norm) {
  ASSIGN_OR_RETURN(DevicePoints copied, DevicePoints::FromHost(points, norm));
  return PairKeysCuda(std::make_shared<DevicePoints>(std::move(copied)), pairs);
}

}  // namespace warpclust
