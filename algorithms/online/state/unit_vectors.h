// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UnitVectors: documents as online clustering compares them. Each is its K
// heaviest terms, scaled to length one, in fixed point. All methods on all
// devices decide by this arithmetic:
//
//   document   w[t] = floor(v[t] * (2^30 / sqrt(sum v^2)) + 1/2), where v are
//              the weights kept, and their squares are added in double in
//              ascending order of terms. Terms that get 0 are dropped.
//   cluster    s[t] = the sum of its documents' w[t], integers (full sums). The
//              K largest s are its terms; ties go to the smaller term.
//              c[t] = floor(s[t] * (2^30 / sqrt(sum s^2)) + 1/2), at least 1.
//              The sum of the squares of those K is exact, high * 2^64 + low,
//              and is then rounded to double.
//   similarity the sum of w[t] * c[t], an integer; 2^60 is a cosine of 1
//
// No weight is 0, so a similarity is 0 if and only if no term is shared.
//
// Sums of integers do not depend on their order. So one thread or many, and
// term lists in any order that atomics left, give the same bytes. The error of
// a similarity is below 2^-29 * sqrt(K).
//
// OnlineClusterer::Add makes unit vectors of a DocumentMatrix; make them
// yourself to add the same documents several times.

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

// No row of UnitVectors is longer: rounding changes each of its at most 128
// weights by at most 1/2, together a length of 5.7.
inline constexpr int64_t kMaxUnitLength = (int64_t{1} << 30) + 6;

struct UnitVectors {
  // size() + 1 entries; row d is [offsets[d], offsets[d + 1]).
  std::vector<int64_t> offsets = {0};
  // Strictly ascending within a row, at most K per row.
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

// The unit vectors of the rows of `documents` (valid by ValidateDocuments),
// with the `terms` heaviest terms of each. O(entries), on `num_threads` threads
// (0: all cores). InvalidArgument if `terms` is below 1.
absl::StatusOr<UnitVectors> MakeUnitVectors(const DocumentMatrix& documents,
                                            int32_t terms, int num_threads = 0);

// Rows [begin, end).
UnitVectors Slice(const UnitVectors& documents, int64_t begin, int64_t end);

// OK if the fields of `documents` are as said above, with rows of at most
// `terms` terms and of a length that rounding explains; otherwise
// InvalidArgument naming the first document that is not. O(entries), on
// `num_threads` threads (0: all cores).
absl::Status ValidateUnitVectors(const UnitVectors& documents, int32_t terms,
                                 int num_threads = 0);

// The similarity that one above `threshold` exceeds, exactly: floor(threshold *
// 2^60). For a threshold of 1 or more, the largest number.
int64_t SimilarityAbove(const Decimal& threshold);

// The width of the buckets of the paper's section 4 for `epsilon` in [0, 1], as
// a similarity, rounded down. 0 means no buckets; an epsilon of 1 means one.
inline int64_t BucketWidth(const Decimal& epsilon) {
  return SimilarityAbove(epsilon);
}

// What the most similar cluster is chosen by, for a similarity >= 0: its
// bucket, or the similarity itself without buckets. Of equal ranks the smallest
// cluster number wins.
WARPCLUST_HOST_DEVICE inline int64_t SimilarityRank(int64_t similarity,
                                                    int64_t bucket_width) {
  return bucket_width == 0 ? similarity : similarity / bucket_width;
}

// 2^30 / sqrt(high * 2^64 + low), the factor that makes a weight of a sum.
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
