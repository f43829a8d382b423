// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/semidefinite_dual.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/machine/call_with_simd.h"
#include "base/numbers/random.h"

namespace warpclust {
namespace {

// Enough for 500 vertices in theory, and for 2,000 in practice.
constexpr int64_t kRank = 32;
constexpr int kFirstSweeps = 20;
constexpr int kSweepsPerRound = 4;
constexpr int kLastSweeps = 120;
// The first penalty, in units of a weight; larger ones make the sweeps diverge.
// It falls to about exp(-kPenaltyFall) of it.
constexpr float kPenalty = 0.4F;
constexpr float kPenaltyFall = 3.5F;
// How much of a vector's old direction stays.
constexpr float kDamping = 0.3F;

#define WARPCLUST_INLINE inline __attribute__((always_inline))

// Half a vector, or 16 entries of a row. Never passed or returned by value: the
// calling convention would depend on the instruction set.
using Lanes = float __attribute__((vector_size(64)));
using LoadedLanes =
    float __attribute__((vector_size(64), aligned(4), may_alias));
constexpr int64_t kLanes = kRank / 2;

WARPCLUST_INLINE LoadedLanes& At(float* row) {
  return *reinterpret_cast<LoadedLanes*>(row);
}
WARPCLUST_INLINE const LoadedLanes& At(const float* row) {
  return *reinterpret_cast<const LoadedLanes*>(row);
}

struct Arrays {
  int64_t n;
  int64_t stride;        // Of rows: n rounded up to a multiple of kLanes.
  const float* weights;  // n x stride
  float* repulsion;      // n x stride
  float* vectors;        // n x kRank
  float* columns;        // kRank x stride, the same transposed
  float* diagonal;       // n
  float* products;       // stride, of one vector with all
};

// The inner products of the vector of i with all vectors.
WARPCLUST_INLINE void Multiply(const Arrays& a, int64_t i) {
  const float* const vector = a.vectors + i * kRank;
  for (int64_t j = 0; j < a.stride; j += kLanes) {
    Lanes sum = {};
    const float* column = a.columns + j;
    for (int64_t k = 0; k < kRank; ++k, column += a.stride) {
      sum += vector[k] * At(column);
    }
    At(a.products + j) = sum;
  }
}

WARPCLUST_INLINE float SquaredNorm(const Lanes& low, const Lanes& high) {
  const Lanes squares = low * low + high * high;
  float sum = 0;
  for (int64_t k = 0; k < kLanes; ++k) sum += squares[k];
  return sum;
}

// Turns every vector to the weighted sum of the others, which maximizes its
// part of the objective. With a penalty above 0 the weight of a pair grows as
// its inner product falls below 0, and the vector turns part of the way.
WARPCLUST_INLINE void Sweep(const Arrays& a, float penalty) {
  const int64_t n = a.n;
  for (int64_t i = 0; i < n; ++i) {
    const float* const weights = a.weights + i * a.stride;
    const float* const repulsion = a.repulsion + i * a.stride;
    float* const pull = a.products;
    if (penalty > 0) {
      Multiply(a, i);
      for (int64_t j = 0; j < a.stride; j += kLanes) {
        const Lanes push = At(repulsion + j) - penalty * At(pull + j);
        At(pull + j) = At(weights + j) + (push > 0 ? push : Lanes{});
      }
      // Its own product is 1.
      pull[i] = 0;
    } else {
      for (int64_t j = 0; j < a.stride; j += kLanes) {
        At(pull + j) = At(weights + j) + At(repulsion + j);
      }
    }
    Lanes low = {};
    Lanes high = {};
    for (int64_t j = 0; j < n; ++j) {
      const float* const other = a.vectors + j * kRank;
      low += pull[j] * At(other);
      high += pull[j] * At(other + kLanes);
    }
    float norm = std::sqrt(SquaredNorm(low, high));
    a.diagonal[i] = norm;
    float* const own = a.vectors + i * kRank;
    if (penalty > 0) {
      const float stays = kDamping * norm;
      low += stays * At(own);
      high += stays * At(own + kLanes);
      norm = std::sqrt(SquaredNorm(low, high));
    }
    if (!(norm > 0)) continue;
    const float scale = 1 / norm;
    At(own) = low * scale;
    At(own + kLanes) = high * scale;
    for (int64_t k = 0; k < kRank; ++k) a.columns[k * a.stride + i] = own[k];
  }
}

// Keeps the repulsion symmetric.
WARPCLUST_INLINE void UpdateRepulsion(const Arrays& a, float penalty) {
  for (int64_t i = 0; i < a.n; ++i) {
    Multiply(a, i);
    float* const row = a.repulsion + i * a.stride;
    for (int64_t j = i + 1; j < a.n; ++j) {
      const float push = row[j] - penalty * a.products[j];
      row[j] = push > 0 ? push : 0;
      a.repulsion[j * a.stride + i] = row[j];
    }
  }
}

}  // namespace

int64_t SemidefiniteStride(int32_t n) {
  return (int64_t{n} + kLanes - 1) / kLanes * kLanes;
}

SemidefiniteDual FindSemidefiniteDual(const std::vector<float>& weights,
                                      int32_t n, int rounds,
                                      const SearchControl* control) {
  const int64_t stride = SemidefiniteStride(n);
  SemidefiniteDual dual;
  dual.diagonal.assign(n, 0);
  dual.repulsion.assign(n * stride, 0);
  std::vector<float> vectors(n * kRank);
  std::vector<float> columns(kRank * stride, 0);
  std::vector<float> products(stride);
  // Nearer to each other than random ones: products of at least 0 are wanted.
  Random random(1);
  for (int64_t i = 0; i < n; ++i) {
    float* const vector = vectors.data() + i * kRank;
    float sum = 0;
    for (int64_t k = 0; k < kRank; ++k) {
      vector[k] = static_cast<float>(random.Next() >> 40) * 0x1p-24F - 0.3F;
      sum += vector[k] * vector[k];
    }
    const float scale = 1 / std::sqrt(sum);
    for (int64_t k = 0; k < kRank; ++k) {
      vector[k] *= scale;
      columns[k * stride + i] = vector[k];
    }
  }
  const Arrays arrays = {n,
                         stride,
                         weights.data(),
                         dual.repulsion.data(),
                         vectors.data(),
                         columns.data(),
                         dual.diagonal.data(),
                         products.data()};
  const auto sweep = [&](int count, float penalty) {
    for (int s = 0; s < count; ++s) {
      if (control != nullptr && control->StopRequested()) return;
      CallWithSimd([=]() WARPCLUST_ALWAYS_INLINE { Sweep(arrays, penalty); });
    }
  };
  sweep(kFirstSweeps, 0);
  float penalty = kPenalty;
  for (int round = 0; round < rounds; ++round) {
    sweep(kSweepsPerRound, penalty);
    if (control != nullptr && control->StopRequested()) return dual;
    CallWithSimd(
        [=]() WARPCLUST_ALWAYS_INLINE { UpdateRepulsion(arrays, penalty); });
    penalty -= penalty * kPenaltyFall / static_cast<float>(rounds);
  }
  sweep(kLastSweeps, 0);
  return dual;
}

}  // namespace warpclust
