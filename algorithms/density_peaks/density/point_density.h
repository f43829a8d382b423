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
// A point without others has density 0. The order of points with the same
// density is that of their ids, so equal points are one cluster.
//
// Neighbors and counts may come from a GPU; they are the same. Densities follow
// from them in double precision on the CPU, each by one thread in a fixed
// order, so they are the same bytes with any number of threads. Cost: k steps
// per point beside the neighbors; for kGaussian CountWithinEach for 32 radii up
// to 2.04 d_c.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class PointDensity { kCount, kNeighbors, kGaussian, kAdaptive };

// Whether it has a k instead of a cutoff distance.
inline bool UsesNeighbors(PointDensity density) {
  return density == PointDensity::kNeighbors ||
         density == PointDensity::kAdaptive;
}

struct PointDensities {
  // By point. A density of 0 is -infinity; points with k equal ones have
  // infinity.
  std::vector<double> logs;
  std::vector<double> errors;
  // kNeighbors and kAdaptive: k, and how many of the neighbors of each point
  // count; else 0 and empty.
  int32_t num_neighbors = 0;
  std::vector<int32_t> neighbor_counts;
};

// The largest k of n points if none is asked for: 0.6 sqrt(n), from 4 to 100.
int32_t DefaultNeighbors(int32_t num_points);

// kNeighbors or kAdaptive of the points, by the first k of the neighbors of
// each; `k` is at most neighbors.k. `before`, unless null, are such densities
// for another k: where the adaptive one stopped before a smaller k, it is the
// same, and elsewhere it grows from there.
PointDensities NeighborDensities(const PointMatrix& points,
                                 const NearestNeighbors& neighbors, int32_t k,
                                 PointDensity density, int num_threads,
                                 const PointDensities* before = nullptr);

// kGaussian. `index` is one of points prepared for `metric`; the cutoff
// distance is positive. Errors of the index.
absl::StatusOr<PointDensities> GaussianDensities(const NeighborIndex& index,
                                                 Metric metric,
                                                 double cutoff_distance);

// By point: n minus its rank, where ranks are by density, highest first, ties
// by the smaller id.
std::vector<int32_t> DensitiesByRank(const PointDensities& densities);

namespace internal {

// D, by the first two of k distances of each point; `num_coordinates` if k is
// smaller.
double IntrinsicDimension(const NearestNeighbors& neighbors, int32_t k,
                          int32_t num_coordinates);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_POINT_DENSITY_H_
