// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Generated points with labels. Some look like public sets.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_LABELLED_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_LABELLED_POINTS_H_

#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct LabelledPoints {
  PointMatrix points;
  std::vector<int32_t> labels;

  void Add(const std::vector<double>& point, int32_t label);
  // Gaussian blobs: round ones, and with a deviation per coordinate.
  void AddBlob(const std::vector<double>& center, double deviation,
               int32_t count, int32_t label, Random* random);
  void AddBlob(const std::vector<double>& center,
               const std::vector<double>& deviations, int32_t count,
               int32_t label, Random* random);
};

// Three arms, dense at the center: the set Spiral.
LabelledPoints SpiralArms(Random* random);

// Two half-circles, one in the other.
LabelledPoints HalfMoons(Random* random);

// The same, one 2.8 times as dense as the other: the set Jain.
LabelledPoints UnlikeHalfMoons(Random* random);

// A disk in a wide bowl: the set Flame.
LabelledPoints DiskInBowl(Random* random);

// Disks, two pairs of which are joined by bridges: the set Aggregation.
LabelledPoints BridgedDisks(Random* random);

// A blob and two circles of seven blobs around it: the set R15.
LabelledPoints CirclesOfBlobs(Random* random);

LabelledPoints Rings(Random* random);

// A square of blobs that touch, as in the sets S, A and Birch.
LabelledPoints GridOfBlobs(int32_t side, int32_t points_of_blob,
                           Random* random);

// Clusters of 120 to 3000 points.
LabelledPoints BlobsOfUnlikeSizes(Random* random);

LabelledPoints BlobsOfManyDimensions(int32_t dimensions, Random* random);

// Three blobs in a row, 7 of their deviations apart.
LabelledPoints BlobsOnALine(int32_t points_of_blob, Random* random);

// Two blobs side by side, 10 times as long as wide.
LabelledPoints ParallelBlobs(int32_t points_of_blob, Random* random);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_LABELLED_POINTS_H_
