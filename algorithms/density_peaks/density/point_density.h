// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Densities beside the count of points within d_c, as logarithms with standard
// errors. Use them where clusters differ much in density (kNeighbors,
// kAdaptive), or where counts have many ties (kGaussian). They rank points;
// significance.h compares their differences with their errors.
//
//   kNeighbors  k-nearest-neighbor density: ln k - D ln r_k, where r_k is the
//               distance to the k-th nearest other point; error 1 / sqrt(k)
//   kAdaptive   point-adaptive k-NN (PAk; Rodriguez, d'Errico, Facco and Laio
//               2018): k grows while the density is constant. It stops where
//               the densities at the point and at its (k+1)-th neighbor, each
//               by k neighbors, differ by a likelihood ratio above 23.928 (a
//               chance of 10^-6), or at the largest k. The density is that at
//               the point if its logarithm changes by the same amount from
//               neighbor to neighbor, the maximum of
//                 F k + a k (k + 1) / 2 - sum over l of v_l exp(F + a l)
//               with the volumes v_l of the shells between neighbors; error
//               sqrt((4 k + 2) / (k (k - 1)))
//   kGaussian   ln of the sum of exp(-(r / d_c)^2) over the other points, each
//               rounded to a multiple of 1/32; error sqrt(sum of squares) /
//               sum. A term is m/32 or more within d_c sqrt(ln(32 / (m -
//               1/2))), so the sum is that of 32 counts: an integer over 32
//
// Logarithms are rounded to multiples of 2^-24, so that the last bits of a
// mathematical library do not decide.
//
// D is the intrinsic dimension by the two nearest neighbors (Facco et al.
// 2017): the number of points over the sum of ln(r_2 / r_1), in order of the
// points; those with r_1 = 0 are left out. If no distances differ it is the
// number of coordinates.
//
// Densities are computed in double precision on the CPU, each by one thread in
// a fixed order, so they are the same bytes with any number of threads. The
// neighbors may come from a GPU and are the same. Cost: the k nearest neighbors
// and k steps per point; for kGaussian CountWithinEach for 32 radii up to 2.04
// d_c.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "kernels/device/device.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class PointDensity { kCount, kNeighbors, kGaussian, kAdaptive };

struct PointDensities {
  // By point. A density of 0 is -infinity; points with k equal ones have
  // infinity.
  std::vector<double> logs;
  std::vector<double> errors;
  // kNeighbors and kAdaptive: the neighbors, and how many of them count, by
  // point; else empty.
  NearestNeighbors neighbors;
  std::vector<int32_t> neighbor_counts;
};

// The largest k of n points if none is asked for: 0.6 sqrt(n), from 4 to 100.
int32_t DefaultNeighbors(int32_t num_points);

// kNeighbors or kAdaptive. `points` are prepared for their metric, whose norm
// it is; there are at least 2, and `k` is at least 1. Errors as
// FindNearestNeighbors.
absl::StatusOr<PointDensities> NeighborDensities(const PointMatrix& points,
                                                 Norm norm,
                                                 PointDensity density,
                                                 int32_t k, Device device,
                                                 int num_threads);

// kGaussian. `index` is one of points prepared for `metric`; the cutoff
// distance is positive. Errors of the index.
absl::StatusOr<PointDensities> GaussianDensities(const NeighborIndex& index,
                                                 Metric metric,
                                                 double cutoff_distance);

// By point: n minus its rank, where ranks are by density, highest first, ties
// by the smaller id.
std::vector<int32_t> DensitiesByRank(const PointDensities& densities);

namespace internal {

// D, by the first two distances of each point.
double IntrinsicDimension(const NearestNeighbors& neighbors,
                          int32_t num_coordinates);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_
