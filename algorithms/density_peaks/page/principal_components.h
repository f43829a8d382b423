// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PrincipalComponents: the plane in which points of many dimensions are drawn,
// spanned by the two directions of largest variance.
//
// The covariance is that of about 10^9 / d^2 rows (at least 1,000) at equal
// steps through the points, or of all rows if there are fewer. Its two leading
// eigenvectors come from orthogonal iteration, the larger one first. Directions
// of close eigenvalues are not well defined; the result is good enough to look
// at.
//
// Cost: at most about 10^9 multiplications, O(n d) for projecting, on one
// thread and in a fixed order.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PRINCIPAL_COMPONENTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PRINCIPAL_COMPONENTS_H_

#include <vector>

#include "vptree/points/point_matrix.h"

namespace warpclust {

struct PrincipalComponents {
  std::vector<double> mean;
  // Orthonormal, each with a positive entry of largest magnitude; all zero if
  // the points do not vary in that direction.
  std::vector<double> first;
  std::vector<double> second;
  // The shares of the total variance along them, in [0, 1].
  double first_share = 0;
  double second_share = 0;
};

// `points` must be valid and not empty; at least two dimensions.
PrincipalComponents FindPrincipalComponents(const PointMatrix& points);

// The coordinate of a row along a direction.
double Project(const double* row, const std::vector<double>& mean,
               const std::vector<double>& direction);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PRINCIPAL_COMPONENTS_H_
