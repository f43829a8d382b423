// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaBruteForce: all pairs of points on the GPU, or those between two blocks
// of points, each once. Use it for many dimensions, where a tree skips little;
// for few dimensions use leaf_tree_cuda.h.
//
// Tensor cores filter Euclidean keys of up to 4096 dimensions in exact integer
// arithmetic. Points are rounded to a grid once (quantized_rows_cuda.h), and
// the triangle inequality bounds how far that moves a distance. Pairs that a
// first digit of 8 bits leaves undecided get a second digit; pairs still
// undecided are decided one by one, the last by their exact key. Points that
// lie on a grid of 8 bits, such as images, leave no pair undecided. If a sample
// leaves too many pairs undecided, and for other norms, every key is computed
// in double.
//
// Tiles of 128 points that lie together (point_tiles_cuda.h) are skipped or
// counted unseen where their centers and radii allow it. Clustered points
// therefore cost far less than n^2 / 2 pairs. The search for other labels also
// skips tiles whose labels and ranks improve nothing.
//
// Cost: quantizing reads the points three times. Memory: up to 2 bytes per
// coordinate (rounded up to 64 dimensions) and d / 16 + 76 bytes per point, 12
// more if GPUs share the pairs; no list of pairs. One call at a time.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/pair_share.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"
#include "vptree/brute_force/cuda/tile_landmarks_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// Results do not depend on it. The filter and the queue are for tests and
// measurements.
struct CudaBruteForceOptions {
  enum class Filter { kAuto, kTensorCores, kNone };
  // kTensorCores is ignored where it is not possible.
  Filter filter = Filter::kAuto;
  // Open pairs that a thread block collects before it decides them, 1 … 8192.
  int32_t queue_capacity = 2048;
  // Null, or this GPU's share of all pairs of Create; it outlives the object.
  // Searches are then collective calls, with the same arguments on all GPUs,
  // and an error before a search begins is one on all.
  PairShare* share = nullptr;
};

// Brute force among points that come to the GPU in pieces: what it asks of all
// of them is found meanwhile, and memory is there when the last one comes. One
// call at a time.
class ComingPoints {
 public:
  // `points` have everything but their coordinates. ResourceExhausted if the
  // memory of the GPU does not suffice for brute force.
  absl::Status Start(const DevicePoints& points);
  // `num_points` of them from `first` on have come.
  absl::Status Add(const DevicePoints& points, int32_t first,
                   int32_t num_points);
  // Whether PointMatrix::Validate finds nothing wrong. After the last Add;
  // waits for the GPU.
  absl::StatusOr<bool> AreLegal() { return ranges_.AreLegal(); }

 private:
  friend class CudaBruteForce;
  absl::Status MakeRoom(const DevicePoints& points, int32_t first_part,
                        bool may_quantize);

  CoordinateRanges ranges_;
  QuantizedRows rows_;
};

class CudaBruteForce {
 public:
  // What the last search did.
  struct Statistics {
    bool tensor_cores = false;
    int64_t pairs = 0;      // not skipped by bounds; tiles count as full
    int64_t undecided = 0;  // of those, left by the filter; plain: 0
  };

  // An object to assign to; no other member may be called.
  CudaBruteForce() = default;

  // `points` are prepared for their metric and must outlive the object.
  // ResourceExhausted if device memory runs out. `coming`, unless null, has all
  // of them, and is used up.
  static absl::StatusOr<CudaBruteForce> Create(
      const DevicePoints& points, const CudaBruteForceOptions& options = {},
      ComingPoints* coming = nullptr);
  // For pairs of one of the first `first_part` points, 0 … num_points, and one
  // of the others: the searches are those of BlockPairs (block_pairs.h).
  static absl::StatusOr<CudaBruteForce> CreateBetween(
      const DevicePoints& points, int32_t first_part,
      const CudaBruteForceOptions& options = {});

  // The searches of vptree/points/neighbor_index.h. They allocate outputs with
  // one element per point. InvalidArgument for a key that is negative or NaN,
  // or arrays of the wrong length.
  absl::Status CountWithin(double radius_key, DeviceBuffer<int32_t>& counts);
  // The point of rank 0 gets id -1 and an infinite key. Between blocks, outputs
  // are also inputs, with one element per point: what each has found elsewhere,
  // or id -1.
  absl::Status NearestOfHigherRank(const DeviceBuffer<int32_t>& ranks,
                                   DeviceBuffer<int32_t>& nearest_ids,
                                   DeviceBuffer<double>& nearest_keys);

  // Lowers `best`, which has one element per point.
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       const DeviceBuffer<int32_t>& ranks,
                                       const DeviceBuffer<int32_t>& labels,
                                       DeviceBuffer<int32_t>& best);

  // Estimates the seconds that CountWithin takes from a sample of the tiles,
  // or would take if this GPU had no others to share with.
  absl::StatusOr<double> EstimateSeconds(double radius_key);

  // Waits for the search.
  absl::StatusOr<Statistics> LastStatistics() const;

 private:
  const DevicePoints* points_ = nullptr;
  bool between_ = false;
  int32_t first_part_ = 0;  // num_points unless `between_`
  CudaBruteForceOptions options_;
  PointTiles tiles_;
  TileLandmarks landmarks_;
  QuantizedRows rows_;
  double step_ = 1;
  // Two counters: TileArguments::statistics.
  DeviceBuffer<unsigned long long> statistics_;
  bool tensor_cores_ = false;  // of the last search

  bool TensorCoresPossible() const { return rows_.norms.size() > 0; }
  static absl::StatusOr<CudaBruteForce> Make(
      const DevicePoints& points, bool between, int32_t first_part,
      const CudaBruteForceOptions& options, ComingPoints* coming);
  TileArguments Arguments() const;
  // Arguments of CountWithin; `counts`: by place, zeroed.
  absl::StatusOr<TileArguments> CountArguments(double radius_key,
                                               DeviceBuffer<int32_t>& counts);
  CountLimits Limits(double radius_key) const;
  // Chooses the kernel by a sample, which may write to the arguments' arrays.
  absl::Status ChooseKernel(TileSearch search, TileArguments arguments);
  absl::Status Run(TileSearch search, TileArguments arguments) const;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_BRUTE_FORCE_CUDA_H_
