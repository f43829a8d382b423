// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector loops of brute force: 32 points against 32 points.
//
//   find_*    single precision: which pairs may matter. For rows i and columns
//             j they compute, by one chain per pair in order of k,
//               s(i, j) = -h(i) - h(j) + sum over k of x(i, k) x(j, k)
//             which is minus half the squared distance if h is half the squared
//             norm, up to a rounding error that pair_filter.h bounds.
//   keys      double precision: the distance keys themselves, to the last bit
//             (vptree/points/distance_key.h).
//
// Masks have one bit per column, and there is one mask per row. Every level
// gives the same keys. s may differ between levels in its last bits, because
// only levels with an fma instruction fuse multiply and add.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_TILE_KERNELS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_TILE_KERNELS_H_

#include <cstdint>

#include "base/machine/cpu_features.h"

namespace warpclust {

// Points per panel.
inline constexpr int kPanelPoints = 32;
// Radii that pairs are counted for at the same time.
inline constexpr int kCountedRadii = 16;
// Columns of the matrix that `project` multiplies by.
inline constexpr int kProjectedDimensions = 64;

// 32 points in single precision, all arrays aligned to 64 bytes.
struct FilterPanel {
  // Coordinate k of point i is values[k * 32 + i].
  const float* values;
  // -h(i); minus infinity without a point.
  const float* minus_halves;
  // The residual norm q(i) of the coordinates that are left out: they add
  // between -q(i) q(j) and q(i) q(j) to the sum. Null if no coordinate is left
  // out.
  const float* residuals;
};

// Sets maybe[i] to the columns j with s + q(i) q(j) >= reach, and certain[i] to
// those with s - q(i) q(j) > inside. Returns false, without setting masks, if
// no column is in them.
using FindWithinFunction = bool (*)(const FilterPanel& rows,
                                    const FilterPanel& columns,
                                    int num_dimensions, float reach,
                                    float inside, uint32_t* maybe,
                                    uint32_t* certain);

// Sets wanted[i] to the columns j with s + bias + q(i) q(j) >= the bound of i
// or j, whichever has the larger rank. Returns false, without setting masks, if
// no column is wanted.
using FindWantedFunction = bool (*)(
    const FilterPanel& rows, const FilterPanel& columns, int num_dimensions,
    float bias, const float* row_bounds, const float* column_bounds,
    const int32_t* row_ranks, const int32_t* column_ranks, uint32_t* wanted);

// Sets sums[j] to the sum of squared differences of x and ys[j], for 4 points.
// Lengths are multiples of 16.
using SquaredDistancesFunction = void (*)(const float* x,
                                          const float* const* ys, int length,
                                          float* sums);

// Sets dots[j] to the sum of x[k] (ys[j][k] - 128), exactly, for 4 points of up
// to 32,768 dimensions. Zeros follow up to the next multiple of 16, and up to
// that of 64 rows may be read.
using ByteDotsFunction = void (*)(const uint8_t* x, const uint8_t* const* ys,
                                  int num_dimensions, int32_t* dots);

// Sets keys[i * 32 + j] to the key of row rows[i][k] and column columns[k * 32
// + j].
using KeysFunction = void (*)(const double* const* rows, const double* columns,
                              int num_dimensions, double* keys);

// Returns the distance key of two rows.
using KeyFunction = double (*)(const double* x, const double* y,
                               int num_dimensions);

// Sets masks[i] to the columns j with keys[i * 32 + j] <= the larger of
// row_bounds[i] and column_bounds[j]. Returns whether any column is in them.
using SelectKeysFunction = bool (*)(const double* keys,
                                    const double* row_bounds,
                                    const double* column_bounds,
                                    uint32_t* masks);

// Sets numbers[k] to how many of kCountedRadii radius keys are at most keys[k].
// Reads and writes up to the next multiple of 8 elements.
using NumberRadiiFunction = void (*)(const double* keys, int count,
                                     const double* radius_keys,
                                     int64_t* numbers);

// Sets products[r * 64 + a] to the sum over k of rows[r * length + k] axes[k *
// 64 + a].
using ProjectFunction = void (*)(const double* rows, int num_rows, int length,
                                 const double* axes, double* products);

struct PairTileKernels {
  FindWithinFunction find_within;
  FindWantedFunction find_wanted;
  SquaredDistancesFunction squared_distances;
  ByteDotsFunction byte_dots;
  // By norm.
  KeysFunction keys[3];
  KeyFunction key[3];
  SelectKeysFunction select_keys;
  NumberRadiiFunction number_radii;
  ProjectFunction project;
};

// `level` must not be above CpuSimdLevel().
const PairTileKernels& PairTileKernelsFor(SimdLevel level);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_TILE_KERNELS_H_
