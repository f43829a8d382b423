// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VerifyBoundCertificate: checks the proof of a lower bound of the imbalance
// I(P), as correlation_cluster --certificate writes it, without the code that
// found it.
//
//   lower_bound 600 units_per_one 1
//   1 0 5 7
//
// The first line has the bound in units; " parts K" at its end says that
// weights are in 1 / K units (K at most 2^20). Each other line has the weight
// of a cycle and its vertices in order, numbered from 0 by first appearance in
// the network. The edge of the first two is negative, all others are positive.
//
// Every partition contradicts an edge of such a cycle. If the weights of the
// cycles through each edge sum to at most the edge's own, no partition costs
// less than the sum of all weights, plus the graph's constant cost. As costs
// are integers in units, that sum is rounded up.
//
// A line "exact 3 4 8 9" stands for the least cost of the pairs of these
// vertices, at most 18, with what the lines before have left of their weights:
// the verifier computes it, and nothing is left of them.
//
// "semidefinite" after "parts K" says that the proof is of
// another kind. Each vertex has a line, in order: a number d >= 0, then pairs
// of a vertex above it and a number r >= 0, ascending, all numbers in 1 / K
// units. Let S be the matrix with the d on its diagonal and minus (net weight +
// r) elsewhere. The matrix X of a partition, 1 for two vertices of a cluster
// and 0 for others, is positive semidefinite. If S is, too, then <S, X> >= 0,
// so that the net weight inside clusters is at most half of the sum of all d,
// and no partition costs less than the positive net weights minus that, plus
// the constant cost. semidefinite_certificate.h shows that S is, in integers.
//
// Complexity: linear in graph and certificate, with a binary search in a row
// for each edge of a cycle; 3^k for k vertices after "exact"; O(n^3) for the
// other kind, of up to 4,096 vertices.

#ifndef WARPCLUST_EVAL_BOUND_BOUND_CERTIFICATE_H_
#define WARPCLUST_EVAL_BOUND_BOUND_CERTIFICATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/io/lines/line_reader.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct BoundCertificate {
  int64_t lower_bound = 0;    // In units of the graph.
  bool semidefinite = false;  // Otherwise cycles.
  int64_t cycles = 0;
  int64_t exact_blocks = 0;
};

// InvalidArgument "file:line: expected ..., found ..." unless the certificate
// proves the bound that it states for this graph.
absl::StatusOr<BoundCertificate> VerifyBoundCertificate(
    const SignedGraph& graph, LineReader& lines);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_BOUND_BOUND_CERTIFICATE_H_
