// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/key_tile_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kSide = KeyTile::kSide;
constexpr int kEach = KeyTile::kEach;

// Keys to keep at first. If there are more, the pairs are met again.
constexpr int64_t kFirstCapacity = 1 << 20;

struct PairArguments {
  const double* values;
  int32_t dimensions;
  const int32_t* rows;
  int32_t num_rows;
  const int32_t* columns;
  int32_t num_columns;
  // Rows and columns are the same points, and each pair counts once.
  bool each_once;
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
  LoadIds(a.columns, a.num_columns, static_cast<int>(blockIdx.y) * kSide,
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

class PairKeys {
 public:
  absl::Status Start(const PointMatrix& points,
                     const internal::PairsToCount& pairs, Norm norm) {
    norm_ = norm;
    dimensions_ = points.num_dimensions;
    each_once_ = !pairs.sampled;
    ASSIGN_OR_RETURN(values_, DeviceBuffer<double>::FromHost(points.values));
    ASSIGN_OR_RETURN(rows_, DeviceBuffer<int32_t>::FromHost(pairs.rows));
    return AllocateInto(2, counts_);
  }

  absl::Status Find(absl::Span<const int32_t> columns, KeysBetween* keys) {
    ASSIGN_OR_RETURN(const auto device_columns,
                     DeviceBuffer<int32_t>::FromHost(columns));
    for (int64_t capacity = kFirstCapacity;;) {
      DeviceBuffer<double> kept;
      RETURN_IF_ERROR(AllocateInto(capacity, kept));
      RETURN_IF_ERROR(counts_.FillBytes(0));
      RETURN_IF_ERROR(
          Launch({values_.data(), dimensions_, rows_.data(),
                  static_cast<int32_t>(rows_.size()), device_columns.data(),
                  static_cast<int32_t>(columns.size()), each_once_, keys->low(),
                  keys->high(), counts_.data(), kept.data(),
                  static_cast<unsigned long long>(capacity)}));
      unsigned long long counts[2];
      RETURN_IF_ERROR(counts_.CopyToHost(absl::MakeSpan(counts)));
      const auto num_kept = static_cast<int64_t>(counts[1]);
      if (num_kept > capacity) {
        capacity = num_kept;
        continue;
      }
      std::vector<double> found(static_cast<size_t>(num_kept));
      RETURN_IF_ERROR(kept.CopyToHost(absl::MakeSpan(found)));
      keys->Replace(static_cast<int64_t>(counts[0]), std::move(found));
      return absl::OkStatus();
    }
  }

 private:
  absl::Status Launch(const PairArguments& arguments) const {
    const dim3 grid(BlocksFor(arguments.num_rows, kSide),
                    BlocksFor(arguments.num_columns, kSide));
    const auto kernel = norm_ == Norm::kL2   ? PairKeysKernel<Norm::kL2>
                        : norm_ == Norm::kL1 ? PairKeysKernel<Norm::kL1>
                                             : PairKeysKernel<Norm::kLInf>;
    kernel<<<grid, KeyTile::kThreads>>>(arguments);
    return CudaLaunchStatus("keys of pairs");
  }

  Norm norm_ = Norm::kL2;
  int32_t dimensions_ = 0;
  bool each_once_ = false;
  DeviceBuffer<double> values_;
  DeviceBuffer<int32_t> rows_;
  DeviceBuffer<unsigned long long> counts_;
};

}  // namespace

absl::StatusOr<internal::FindKeys> FindKeysCuda(
    const PointMatrix& points, const internal::PairsToCount& pairs, Norm norm) {
  const auto on_gpu = std::make_shared<PairKeys>();
  RETURN_IF_ERROR(on_gpu->Start(points, pairs, norm));
  return internal::FindKeys(
      [on_gpu](absl::Span<const int32_t> columns, KeysBetween* keys) {
        return on_gpu->Find(columns, keys);
      });
}

}  // namespace warpclust
