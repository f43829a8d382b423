// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VantageBounds: every inner node of a LeafTree with a vantage point, and for
// each of its two children the interval of distances from there to the points
// of the child (Liu et al. 2023, sections 3.2 and 3.3; the paper keeps only the
// median distance between the two). A vantage point tree needs nothing of a
// metric but the triangle inequality.
//
// Build splits at the median of the distances, by (distance, id). The root's
// vantage point is the point farthest from point 0; the left child's is the
// point at the split, the right child's the farthest point (Algorithm 1).
//
// The triangle inequality holds for distances, not for what is computed; so
// every bound is widened by VantageSlack. Let u = 2^-53, D a true distance and
// C the computed one: the root of a key of d rounded terms, added in any order
// and fused or not, so |C - D| <= (d + 4) u D, plus less than 1e-150 sqrt(d)
// where squares underflow. A point x of a child with C(x, v) in [lo, hi] has
//   D(q, x) >= D(q, v) - D(x, v) >= C(q, v) - hi - (d + 5) u (C(q, v) + hi),
// and the root of its computed key is less than that by at most (d + 4) u of
// D(q, x) <= (C(q, v) + hi) (1 + (d + 5) u). So half of VantageSlack bounds all
// of this, and the other half the few roundings of the bound itself and of its
// square. The same holds for lo - C(q, v), and for C(q, v) + hi from above.
//
// Thread-safety: plain values. Determinism: the order depends on the points
// only.

#ifndef WARPCLUST_VPTREE_VP_TREE_VANTAGE_BOUNDS_H_
#define WARPCLUST_VPTREE_VP_TREE_VANTAGE_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "base/machine/cuda_host_device.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct VantageBounds {
  static constexpr char kTreeName[] = "vp tree";

  // Distances of a child without points: nothing is within any of them.
  static constexpr double kEmptyLow = 1e300;
  static constexpr double kEmptyHigh = -1e300;

  // Of inner node i: the coordinates vantage_points[i d + k].
  std::vector<double> vantage_points;
  // Lowest and highest distance of the left child, then of the right child:
  // intervals[4 i … 4 i + 3].
  std::vector<double> intervals;
  // Points nearer than this to the vantage point belong to the left child.
  std::vector<double> radii;

  const double* VantagePoint(int32_t node, int32_t num_dimensions) const {
    return vantage_points.data() + int64_t{node} * num_dimensions;
  }
  const double* Intervals(int32_t node) const {
    return intervals.data() + int64_t{4} * node;
  }
};

// A bound made of the distances a and b is widened by factor * (a + b) + 1e-140
// with factor = VantageSlackFactor(d).
WARPCLUST_HOST_DEVICE inline double VantageSlackFactor(int32_t num_dimensions) {
  return (num_dimensions + 8.0) * 8.8817841970012523e-16;  // 2^-50
}
inline constexpr double kVantageSlackFloor = 1e-140;

// The distance that bounds are made of, in unspecified order of addition.
double VantageDistance(Norm norm, const double* x, const double* y,
                       int32_t num_dimensions);

// Makes room for a tree of this height; new nodes are without points.
void ResizeBounds(int32_t height, int32_t num_dimensions,
                  VantageBounds* bounds);

// Orders the points for FillLeaves of a tree of this height, which has room for
// them, and sets the bounds of all its nodes.
std::vector<int32_t> BuildBounds(const PointMatrix& points, Norm norm,
                                 int32_t height, int num_threads,
                                 VantageBounds* bounds);

// The searches for trees with these bounds, at the SIMD level of this CPU.
const LeafTreeSearch<VantageBounds>& SearchFor(const LeafTree& tree,
                                               const VantageBounds& bounds);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_VANTAGE_BOUNDS_H_
