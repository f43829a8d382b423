// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IsPositiveDefinite: a proof in floating-point arithmetic that a matrix of
// integers is positive definite.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_POSITIVE_DEFINITE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_POSITIVE_DEFINITE_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// Whether elimination shows that matrix - least * identity is positive
// definite. If so, it is; if not, its smallest eigenvalue is below 0 or little
// above. The matrix, n x n, is symmetric; only entries on and above the
// diagonal are read. All are integers below 2^52 in magnitude, as is `least`,
// which is at least 0. n < 2^20. O(n^3) time, 8 n^2 bytes.
bool IsPositiveDefinite(const std::vector<int64_t>& matrix, int64_t n,
                        int64_t least);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_POSITIVE_DEFINITE_H_
