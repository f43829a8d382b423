// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of the cosine probe: the naive definition, random cases, joins in
// blocks, and parts of collections.

#ifndef WARPCLUST_GRAPH_TESTING_COSINE_PROBE_ORACLE_H_
#define WARPCLUST_GRAPH_TESTING_COSINE_PROBE_ORACLE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// All pairs of a document of `block` and a probe, each by merging the two rows,
// decided by cosine_decision.h. O(pairs · row length).
std::vector<ProbeEdge> NaiveProbeEdges(const DocumentMatrix& block,
                                       const DocumentMatrix& probes,
                                       const CosineProbeOptions& options);

// The first difference of two lists of edges, down to a bit of a cosine; empty
// for equal lists.
std::string FirstDifference(const std::vector<ProbeEdge>& expected,
                            const std::vector<ProbeEdge>& actual);

// A collection and probes of many shapes and sizes.
struct ProbeCase {
  DocumentMatrix stored;
  DocumentMatrix probes;
  Decimal beta;
  // The values of integer_arithmetic that these documents allow.
  std::vector<bool> arithmetics;
};
ProbeCase RandomProbeCase(uint64_t seed);

// All edges of `stored`, joined in blocks of `step` documents.
absl::StatusOr<std::vector<ProbeEdge>> JoinInBlocks(
    const DocumentMatrix& stored, int32_t step, CosineProbe* probe);

// The terms of a document, ascending.
using DocumentEntries = std::vector<std::pair<int32_t, float>>;

DocumentMatrix MakeDocuments(int32_t num_terms,
                             const std::vector<DocumentEntries>& rows);

// The documents [begin, end).
DocumentMatrix DocumentRows(const DocumentMatrix& documents, int32_t begin,
                            int32_t end);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_COSINE_PROBE_ORACLE_H_
