// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindPrincipalAxes: 64 orthonormal directions that hold most of the points'
// variance, roughly, by subspace iteration. Filters need good directions and a
// proved bound on how orthonormal they are, not the exact eigenvectors.
//
// Cost: 11 products of sample, dimensions and 64 on all threads, and 6
// orthonormalizations of 64 vectors on one. The last bits depend on the SIMD
// level, not on the number of threads.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PRINCIPAL_AXES_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PRINCIPAL_AXES_H_

#include <vector>

#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

struct PrincipalAxes {
  // Coordinate k of axis a is axes[k * 64 + a]. Axes are in decreasing order of
  // the variance along them. Axes that the points do not need are zero and
  // last.
  std::vector<double> axes;
  // An upper bound of the spectral norm of G - I, where G holds the dot
  // products of the nonzero axes.
  double deviation = 0;
  // The share of the sample's variance along the axes, in [0, 1].
  double captured = 0;
};

// `sample`: num_rows x num_dimensions, row-major, centered, of norms around 1.
// num_dimensions must be at least 64, num_rows at least 1.
PrincipalAxes FindPrincipalAxes(const std::vector<double>& sample, int num_rows,
                                int num_dimensions,
                                const PairTileKernels& kernels,
                                int num_threads);

// The share of such a sample's squared norms along the axes of another one, in
// [0, 1]; 1 if all are 0.
double ShareAlongAxes(const std::vector<double>& sample, int num_rows,
                      int num_dimensions, const std::vector<double>& axes,
                      const PairTileKernels& kernels, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PRINCIPAL_AXES_H_
