// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifySemidefiniteCertificate: the second kind of proof of
// bound_certificate.h.

#ifndef WARPCLUST_EVAL_BOUND_SEMIDEFINITE_CERTIFICATE_H_
#define WARPCLUST_EVAL_BOUND_SEMIDEFINITE_CERTIFICATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/io/lines/line_reader.h"
#include "graph/signed/signed_graph.h"

namespace warpclust::eval_internal {

// The bound that the lines after the first one prove, in units of the graph;
// their numbers are in units / parts. parts is 1 to 2^20.
absl::StatusOr<int64_t> VerifySemidefiniteCertificate(const SignedGraph& graph,
                                                      int64_t parts,
                                                      LineReader& lines);

// Whether the symmetric n x n matrix is shown to be positive semidefinite, in
// integers: a factor L is found in floating-point numbers and rounded to
// multiples of a power of two. If matrix - L * L^T, computed exactly, has no
// row whose diagonal entry is below the sum of the magnitudes of the others,
// the matrix is the sum of two positive semidefinite ones. Only entries on and
// above the diagonal are read. A matrix whose smallest eigenvalue is at least
// n^1.5 * 2^-29 times the largest diagonal entry, and 2, passes. O(n^3) time.
bool IsPositiveSemidefinite(const std::vector<int64_t>& matrix, int64_t n);

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_BOUND_SEMIDEFINITE_CERTIFICATE_H_
