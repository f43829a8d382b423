// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UnitVectors: documents as online clustering compares them: the K heaviest
// terms of each, of length one, in fixed point. The arithmetic that every
// method, on every device, decides by:
//
//   document   w[t] = floor(v[t] · (2^30 / sqrt(Σ v²)) + 1/2), v the weights
//              kept, squares summed in double in ascending term order; terms
//              that get 0 are dropped
//   cluster    s[t] = Σ of its documents' w[t], integers (their full sums);
//              the K largest s, ties to the smaller term, are its terms;
//              c[t] = floor(s[t] · (2^30 / sqrt(Σ s²)) + 1/2), at least 1,
//              Σ s² exact over those K, rounded to double as Σ = high · 2^64 +
//              low is
//   similarity Σ w[t] · c[t], an integer: 2^60 is a cosine of 1
//
// No weight is 0: a similarity of 0 says that no term is shared, and nothing
// else does.
//
// Sums of integers do not depend on their order: one thread or many, term
// lists in whatever order atomics left them, all give the same bytes. The
// error of a similarity is below 2^-29 · sqrt(K).
//
// Thread-safety: plain values and pure functions.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_UNIT_VECTORS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_UNIT_VECTORS_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/cuda_host_device.h"
#include "base/numbers/decimal.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// No row of UnitVectors is longer: each of its 128 weights is off by half at
// most, which is a length of 5.7.
inline constexpr int64_t kMaxUnitLength = (int64_t{1} << 30) + 6;

struct UnitVectors {
  // size() + 1 entries; row d is [offsets[d], offsets[d + 1]).
  std::vector<int64_t> offsets = {0};
  // Strictly ascending inside a row, at most K of them.
  std::vector<int32_t> terms;
  // Parallel to `terms`: in [1, 2^30].
  std::vector<int32_t> weights;
  // Above every term.
  int32_t num_terms = 0;

  int64_t size() const { return static_cast<int64_t>(offsets.size()) - 1; }
  absl::Span<const int32_t> TermsOf(int64_t row) const {
    return absl::MakeConstSpan(terms).subspan(offsets[row],
                                              offsets[row + 1] - offsets[row]);
  }
  absl::Span<const int32_t> WeightsOf(int64_t row) const {
    return absl::MakeConstSpan(weights).subspan(
        offsets[row], offsets[row + 1] - offsets[row]);
  }
};

// The rows of `documents` (valid: ValidateDocuments) as above, `terms` kept of
// each. O(entries). InvalidArgument if `terms` is below 1.
absl::StatusOr<UnitVectors> MakeUnitVectors(const DocumentMatrix& documents,
                                            int32_t terms);

// OK if `documents` meets what is said above of the fields, with rows of at
// most `terms` terms and no longer than rounding makes them; otherwise
// InvalidArgument naming the first document that does not. O(entries).
absl::Status ValidateUnitVectors(const UnitVectors& documents, int32_t terms);

// What a similarity must exceed to be above `threshold`, decided exactly: the
// floor of threshold · 2^60; for a threshold of 1 or more, what none exceeds.
int64_t SimilarityAbove(const Decimal& threshold);

// 2^30 / sqrt(high · 2^64 + low): what a sum is multiplied by to be a weight.
WARPCLUST_HOST_DEVICE inline double UnitScale(uint64_t high, uint64_t low) {
  const double squares =
      static_cast<double>(high) * 0x1p64 + static_cast<double>(low);
  return 0x1p30 / sqrt(squares);
}

// The weight of a term whose sum is `sum` in a cluster of scale `scale`.
WARPCLUST_HOST_DEVICE inline int32_t UnitWeight(int64_t sum, double scale) {
  const auto weight =
      static_cast<int32_t>(static_cast<double>(sum) * scale + 0.5);
  return weight > 0 ? weight : 1;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_UNIT_VECTORS_H_
