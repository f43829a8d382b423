// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/dense/exact_dense_dots.h"

#include <cstring>

#include "base/machine/call_with_simd.h"

namespace warpclust {
namespace {

typedef float Floats __attribute__((vector_size(16)));
typedef double Doubles __attribute__((vector_size(32)));
typedef int64_t Lanes __attribute__((vector_size(32)));

constexpr int kGroups = kDenseDots / 4;

}  // namespace

void ExactDenseDots(const float* const* rows, const float* const* columns,
                    int32_t num_dimensions, double* dots) {
  CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE {
    const int32_t whole = num_dimensions / 4 * 4;
    // Lane i of group g belongs to pair 4g + i.
    Doubles sums[kGroups] = {};
    for (int32_t k = 0; k < whole; k += 4) {
#pragma GCC unroll 4
      for (int g = 0; g < kGroups; ++g) {
        Doubles products[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
          Floats a, b;
          std::memcpy(&a, rows[4 * g + i] + k, sizeof(a));
          std::memcpy(&b, columns[4 * g + i] + k, sizeof(b));
          products[i] = __builtin_convertvector(a, Doubles) *
                        __builtin_convertvector(b, Doubles);
        }
        // Transposed: dimension k of the four pairs, then k + 1, ...
        const Doubles even01 =
            __builtin_shuffle(products[0], products[1], Lanes{0, 4, 2, 6});
        const Doubles odd01 =
            __builtin_shuffle(products[0], products[1], Lanes{1, 5, 3, 7});
        const Doubles even23 =
            __builtin_shuffle(products[2], products[3], Lanes{0, 4, 2, 6});
        const Doubles odd23 =
            __builtin_shuffle(products[2], products[3], Lanes{1, 5, 3, 7});
        sums[g] += __builtin_shuffle(even01, even23, Lanes{0, 1, 4, 5});
        sums[g] += __builtin_shuffle(odd01, odd23, Lanes{0, 1, 4, 5});
        sums[g] += __builtin_shuffle(even01, even23, Lanes{2, 3, 6, 7});
        sums[g] += __builtin_shuffle(odd01, odd23, Lanes{2, 3, 6, 7});
      }
    }
    for (int i = 0; i < kDenseDots; ++i) {
      double sum = sums[i / 4][i % 4];
      for (int32_t k = whole; k < num_dimensions; ++k) {
        sum += static_cast<double>(rows[i][k]) *
               static_cast<double>(columns[i][k]);
      }
      dots[i] = sum;
    }
  });
}

}  // namespace warpclust
