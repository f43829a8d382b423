// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaBruteForce: all pairs of points on the GPU, each once. For many
// dimensions, where no tree can skip much; for few, leaf_tree_cuda.h.
//
// Euclidean keys of up to 4096 dimensions are filtered on tensor cores in exact
// integer arithmetic: points are rounded to a grid (quantized_rows_cuda.h)
// once, and the triangle inequality says how far that moves a distance. What is
// left undecided with a first digit of 8 bits gets a second one; what is still
// undecided is decided by its exact key. Points that lie on a grid of 8 bits,
// such as images, leave nothing undecided. Where a sample leaves too much
// undecided, and for other norms, every key is computed in double.
//
// Tiles of 128 points that lie together (point_tiles_cuda.h) are skipped, or
// counted unseen, where their centers and radii allow it: clustered points cost
// far less than n^2 / 2 pairs.
//
// Cost: quantizing reads the points three times. Memory: up to 2 bytes a
// coordinate (rounded up to 64 dimensions) and d / 16 + 60 bytes a point; no
// list of pairs. Determinism: the results are those of the double loop over all
// pairs, bit for bit. Thread-safety: one call at a time. Work is done on the
// default stream; what is returned in DeviceBuffers may still be in the making.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/device_buffer.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// For tests and measurements; results do not depend on it.
struct CudaBruteForceOptions {
  enum class Filter { kAuto, kTensorCores, kNone };
  // kTensorCores is ignored where it is not possible.
  Filter filter = Filter::kAuto;
  // Open pairs that a thread block collects before it decides them, 1 … 8192.
  int32_t queue_capacity = 2048;
};

class CudaBruteForce {
 public:
  // What the last search met.
  struct Statistics {
    bool tensor_cores = false;
    int64_t pairs = 0;       // not skipped by bounds; tiles count as full
    int64_t exact_keys = 0;  // of those, decided by their exact key; plain: 0
  };

  // An object for later assignment; no other member may be called.
  CudaBruteForce() = default;

  // `points`, prepared for their metric, must outlive the object.
  // ResourceExhausted if memory runs out.
  static absl::StatusOr<CudaBruteForce> Create(
      const DevicePoints& points, const CudaBruteForceOptions& options = {});

  // The searches of vptree/points/neighbor_index.h. Outputs are allocated, with
  // one element a point. InvalidArgument for a key that is negative or NaN, or
  // ranks of the wrong length.
  absl::Status CountWithin(double radius_key, DeviceBuffer<int32_t>& counts);
  // ids -1 and keys infinity for the point of the least rank.
  absl::Status NearestOfHigherRank(const DeviceBuffer<int32_t>& ranks,
                                   DeviceBuffer<int32_t>& nearest_ids,
                                   DeviceBuffer<double>& nearest_keys);

  // Seconds that CountWithin would take: a spread sample of the tiles, scaled.
  absl::StatusOr<double> EstimateSeconds(double radius_key);

  // Waits for the search.
  absl::StatusOr<Statistics> LastStatistics() const;

 private:
  const DevicePoints* points_ = nullptr;
  CudaBruteForceOptions options_;
  PointTiles tiles_;
  QuantizedRows rows_;
  double step_ = 1;
  // Two counters: TileArguments::statistics.
  DeviceBuffer<unsigned long long> statistics_;
  bool tensor_cores_ = false;  // of the last search

  bool TensorCoresPossible() const { return rows_.norms.size() > 0; }
  TileArguments Arguments() const;
  // Arguments of CountWithin; `counts`: by place, zeroed.
  absl::StatusOr<TileArguments> CountArguments(double radius_key,
                                               DeviceBuffer<int32_t>& counts);
  // Chooses by a sample, which may write to the arguments' arrays.
  absl::Status ChooseKernel(bool nearest, TileArguments arguments);
  absl::Status Run(bool nearest, TileArguments arguments) const;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_
