// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the determinism report runs on, and parts of it.
//
// Thread-safety: plain values and pure functions.

#ifndef WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_
#define WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "graph/cover/cover.h"
#include "graph/signed/signed_graph.h"
#include "sparse/matrix/document_matrix.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Each with what the table calls it.
struct DocumentsInput {
  std::string name;
  // Counts, or vectors as given; no column is unused.
  DocumentMatrix counts;
  std::vector<std::string> ids;
  // A cluster a label; none if the documents have no labels.
  Cover labels;
};

struct StreamInput {
  std::string name;
  DocumentMatrix counts;
  // Seconds, one a document; OnlineState::kNoTime for one without.
  std::vector<int64_t> times;
};

struct PointsInput {
  std::string name;
  PointMatrix points;
};

struct SignedInput {
  std::string name;
  SignedGraph graph;
};

// The documents, or points, of these numbers, in this order.
DocumentMatrix SelectRows(const DocumentMatrix& documents,
                          absl::Span<const int32_t> rows);
PointMatrix SelectRows(const PointMatrix& points,
                       absl::Span<const int32_t> rows);

// begin, begin + 1, ..., end - 1.
std::vector<int32_t> RowRange(int32_t begin, int32_t end);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_
