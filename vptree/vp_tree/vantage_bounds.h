// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VantageBounds: the paper's vantage array (Liu et al. 2023, sections 3.2 and
// 3.3). Every inner node of a LeafTree has a vantage point and, for each child,
// the interval of distances from there to the child's points. The paper keeps
// only the median distance between the children.
//
// A node is split at the median distance by (distance, id). The root's vantage
// point is the point farthest from point 0; the left child's is the point at
// the split, the right child's the farthest point (Algorithm 1). The order
// depends on the points only.
//
// The triangle inequality holds for exact distances, not for computed ones. So
// every bound is widened by VantageSlack. Let u = 2^-53, D a true distance and
// C the computed one: the root of a key of d rounded terms, added in any order
// and fused or not, so |C - D| <= (d + 4) u D, plus less than 1e-150 sqrt(d)
// where squares underflow. A point x of a child with C(x, v) in [lo, hi] has
//   D(q, x) >= D(q, v) - D(x, v) >= C(q, v) - hi - (d + 5) u (C(q, v) + hi),
// and the root of its computed key is less than that by at most (d + 4) u of
// D(q, x) <= (C(q, v) + hi) (1 + (d + 5) u). So half of VantageSlack bounds all
// of this, and the other half the few roundings of the bound itself and of its
// square. The same holds for lo - C(q, v), and for C(q, v) + hi from above.

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

  // The interval of a child without points, which no distance is in.
  static constexpr double kEmptyLow = 1e300;
  static constexpr double kEmptyHigh = -1e300;

  // Coordinate k of inner node i: vantage_points[i d + k].
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

// A bound made of the distances a and b is widened by
// VantageSlackFactor(d) * (a + b) + kVantageSlackFloor.
WARPCLUST_HOST_DEVICE inline double VantageSlackFactor(int32_t num_dimensions) {
  return (num_dimensions + 8.0) * 8.8817841970012523e-16;  // 2^-50
}
inline constexpr double kVantageSlackFloor = 1e-140;

// Returns the distance that bounds are made of, added in unspecified order.
double VantageDistance(Norm norm, const double* x, const double* y,
                       int32_t num_dimensions);

// Makes room for a tree of this height. New nodes have no points.
void ResizeBounds(int32_t height, int32_t num_dimensions,
                  VantageBounds* bounds);

// Returns the order of the points for FillLeaves and sets the bounds of all
// nodes. A tree of this height must have room for the points.
std::vector<int32_t> BuildBounds(const PointMatrix& points, Norm norm,
                                 int32_t height, int num_threads,
                                 VantageBounds* bounds);

// The searches for trees with these bounds, at the SIMD level of this CPU.
const LeafTreeSearch<VantageBounds>& SearchFor(const LeafTree& tree,
                                               const VantageBounds& bounds);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_VANTAGE_BOUNDS_H_
