// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MakeDeviceIndex: the searches of a NeighborIndex on the GPU, from and to host
// memory. The points and the index stay there.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_INDEX_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_INDEX_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

template <typename T>
class EarlyUpload;      // kernels/memory/early_upload.h
struct DevicePoints;    // vptree/points/device_points.h
class CudaBruteForce;   // vptree/brute_force/cuda/brute_force_cuda.h
class ComingPoints;     // the same
class PairShare;        // vptree/brute_force/cuda/pair_share.h
struct DeviceSearches;  // device_searches.h

// What of an index is on the GPU before it is made; null: nothing.
struct BegunIndex {
  std::shared_ptr<DevicePoints> points;
  std::shared_ptr<CudaBruteForce> brute_force;  // of these points
};

// Points on the current GPU of the calling thread, for MakeDeviceIndex and
// DecisionGraphCuda later. `upload`, unless null, has begun to copy the
// coordinates. Unavailable and ResourceExhausted as below.
absl::StatusOr<std::shared_ptr<DevicePoints>> CopyPointsToDevice(
    const PointMatrix& points, Metric metric,
    EarlyUpload<double>* upload = nullptr);
// Whether their coordinates are known to be as PointMatrix::Validate wants
// them. Otherwise ask that.
bool HasLegalCoordinates(const DevicePoints& points);
// Brute force among them, likewise, for this GPU's share of all pairs unless
// `share` is null. `coming`, unless null, is of all of them, and is used up.
// Null if it cannot be made now.
std::shared_ptr<CudaBruteForce> BeginBruteForce(const DevicePoints& points,
                                                PairShare* share = nullptr,
                                                ComingPoints* coming = nullptr);
// Whether kAuto would certainly choose it, judged by `some` of the points on
// the host. Errors of the GPU.
absl::StatusOr<bool> IsSurelyBruteForce(const BegunIndex& begun,
                                        const PointMatrix& some, Metric metric,
                                        double cutoff_distance,
                                        int num_threads);

// For points that come in pieces, before the first: what BeginBruteForce needs
// is found while they come, and whether coordinates are legal. Null if that
// cannot be. One thread at a time.
std::shared_ptr<ComingPoints> ExpectPoints(const DevicePoints& points);
// The points of these numbers have come. False if that cannot be told; then
// `coming` is no use.
bool AddPiece(const DevicePoints& points, int64_t first, int64_t count,
              ComingPoints& coming);
// HasLegalCoordinates, after the last piece. Waits for the GPU.
bool HasLegalCoordinates(ComingPoints& coming);

// An index on the GPU.
class DeviceIndex : public NeighborIndex {
 public:
  // What it has there, ranks by density once NearestOfHigherDensity has
  // returned true. As long as the index exists.
  virtual DeviceSearches& searches() = 0;
};

// The same bytes as MakeIndex, on the current GPU of the calling thread, which
// alone may search; kAuto as in DecisionGraphCuda. Brute force compares queries
// and all points with each other, which takes a copy of the points; if there is
// no room for one, or for few queries of few dimensions, it builds a box tree
// once.
// `points` may go away. `begun` is of these points, and the index shares them;
// if they are there, coordinates of `points` are read only by kAuto in more
// than kSurelyBoxTree dimensions, and brute force is begun only for kAuto or
// kBruteForce. EstimateSeconds measures. Unavailable in a build without CUDA or
// without a GPU; ResourceExhausted, also of searches, if device memory does not
// suffice.
absl::StatusOr<std::unique_ptr<DeviceIndex>> MakeDeviceIndex(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads, BegunIndex begun = {});

// MakeDeviceIndex or MakeIndex.
inline absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeIndexOn(
    Device device, const PointMatrix& points, Metric metric,
    DensityPeaksIndex index, double cutoff_distance, int num_threads) {
  if (device == Device::kCuda) {
    return MakeDeviceIndex(points, metric, index, cutoff_distance, num_threads);
  }
  return MakeIndex(points, metric, index, cutoff_distance, num_threads);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_INDEX_H_
