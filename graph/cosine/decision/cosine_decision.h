// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineDecision: whether the cosine of two documents is at least β, and which
// float the edge carries. The CPU and the GPU share this arithmetic, so both
// build the same graph to the bit.
//
// A dot product enters as a double: exact for integer weights; for real ones
// the sum of (exact) double products in ascending order of terms or dimensions.
// Terms that are not shared add zeros, so a dense row decides as a sparse one.
// Then
//   integer weights:    (dot · β_den)² ≥ β_num² · |a|² · |b|² in 128-bit
//                       integers, if these are wide enough (`integer` below)
//   other weights:      dot ≥ β · sqrt(|a|² · |b|²)
//   cosine of an edge:  min(1, dot / sqrt(|a|² · |b|²)), and the float next to
//                       it as the weight
// where each operation in double is rounded once. No expression adds after it
// multiplies, so contraction cannot change it.

#ifndef WARPCLUST_GRAPH_COSINE_DECISION_COSINE_DECISION_H_
#define WARPCLUST_GRAPH_COSINE_DECISION_COSINE_DECISION_H_

#include <cmath>
#include <cstdint>

#include "base/machine/cuda_host_device.h"
#include "base/numbers/decimal.h"

namespace warpclust {

struct CosineDecision {
  // Decide in integers. Requires integer weights and largest |a|² · den ≤ 2^63.
  bool integer = false;
  uint64_t numerator = 0;
  uint64_t denominator = 1;
  double beta = 0;

  // Whether two documents form an edge, by their dot product and their squared
  // norms, both positive.
  WARPCLUST_HOST_DEVICE bool Reaches(double dot, double squared_norm_a,
                                     double squared_norm_b) const {
    if (integer) {
      if (dot <= 0) return false;
      const unsigned __int128 left =
          static_cast<unsigned __int128>(static_cast<uint64_t>(dot)) *
          denominator;
      const unsigned __int128 norms =
          static_cast<unsigned __int128>(
              static_cast<uint64_t>(squared_norm_a)) *
          static_cast<uint64_t>(squared_norm_b);
      // left < 2^63.5 and numerator² · norms < 2^127: no overflow.
      return left * left >= norms * numerator * numerator;
    }
    return dot >= beta * std::sqrt(squared_norm_a * squared_norm_b);
  }

  // The cosine of an edge.
  WARPCLUST_HOST_DEVICE static double DoubleCosine(double dot,
                                                   double squared_norm_a,
                                                   double squared_norm_b) {
    const double cosine = dot / std::sqrt(squared_norm_a * squared_norm_b);
    return cosine < 1.0 ? cosine : 1.0;
  }

  // The same as the graph has it.
  WARPCLUST_HOST_DEVICE static float Cosine(double dot, double squared_norm_a,
                                            double squared_norm_b) {
    return static_cast<float>(
        DoubleCosine(dot, squared_norm_a, squared_norm_b));
  }
};

// The decision for documents whose weights all are integers, or not, and whose
// largest squared norm is `largest_squared_norm`. `beta`: in (0, 1].
inline CosineDecision MakeCosineDecision(const Decimal& beta,
                                         bool integer_weights,
                                         double largest_squared_norm) {
  CosineDecision decision;
  decision.numerator = static_cast<uint64_t>(beta.numerator);
  decision.denominator = static_cast<uint64_t>(beta.denominator);
  decision.beta = beta.ToDouble();
  decision.integer =
      integer_weights &&
      largest_squared_norm * static_cast<double>(beta.denominator) <=
          9223372036854775808.0;
  return decision;
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DECISION_COSINE_DECISION_H_
