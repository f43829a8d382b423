// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What sums of digits must reach to decide a pair of points: the host turns a
// radius into limits that kernels compare with, so that no kernel thinks of
// rounding. Internal to brute_force_cuda; names no CUDA code.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_DIGIT_LIMITS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_DIGIT_LIMITS_H_

#include <cstdint>

#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// How far points are from their digits (quantized_rows_cuda.h), in units of the
// step, rounded up, the largest of all points: |x - x~| <= error, where x~ is
// made of the first digit, or of both.
struct DigitErrors {
  double first = 0;
  double second = 0;
  // The largest sqrt(sum of low^2), rounded up.
  double longest_low = 0;
  // Points equal their first digits, and a key is step^2 times an integer below
  // 2^53, so no operation of the key is rounded. There are no second digits.
  bool exact = false;
};

// The limits for a radius key, which is above 0. The digits count steps of
// `step`; without digits, `digits` is null.
CountLimits CountLimitsOf(double radius_key, Norm norm, int32_t dimensions,
                          double step, const DigitErrors* digits);

// Sets how keys become bounds and limits.
void SetErrors(int32_t dimensions, double step, const DigitErrors& digits,
               NearestState& state);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_DIGIT_LIMITS_H_
