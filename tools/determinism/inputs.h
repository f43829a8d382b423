// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the determinism report runs on: files in the formats of the tools, or
// the bundled examples.

#ifndef WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_
#define WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "base/io/row_share.h"
#include "graph/cover/cover.h"
#include "graph/signed/signed_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/cli/cli.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `name` is what the table calls the input.
struct DocumentsInput {
  std::string name;
  // Counts, or vectors as given, without unused columns.
  DocumentMatrix counts;
  std::vector<std::string> ids;
  // One cluster per label; none if the documents have no labels.
  Cover labels;
};

struct EmbeddingsInput {
  std::string name;
  DenseDocuments rows;
  std::vector<std::string> ids;
};

struct StreamInput {
  std::string name;
  DocumentMatrix counts;
  // Seconds, one per document; OnlineState::kNoTime if it has none.
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

// What all runs take.
struct DeterminismInputs {
  DocumentsInput documents;
  EmbeddingsInput embeddings;
  StreamInput stream;
  PointsInput points;
  SignedInput signed_graph;
  uint64_t seed = 0;
  std::string scratch;  // An existing directory.
};

// Each reads a file. An empty path means the bundled example, which a note
// names. `limit` keeps the first documents, points or vertices; 0 keeps all.
// Errors name file and line.
absl::StatusOr<DocumentsInput> ReadDocumentsInput(absl::string_view path,
                                                  int64_t limit,
                                                  const ToolRun& run);
// Without a file: random embeddings, up to 1,000.
absl::StatusOr<EmbeddingsInput> ReadEmbeddingsInput(absl::string_view path,
                                                    int64_t limit,
                                                    const ToolRun& run);
absl::StatusOr<StreamInput> ReadStreamInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);
absl::StatusOr<PointsInput> ReadPointsInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);
// Skips loops. With a limit, edges are the net weights between the vertices
// that are kept.
absl::StatusOr<SignedInput> ReadSignedInput(absl::string_view path,
                                            int64_t limit, const ToolRun& run);

// The documents, or points, of these numbers, in this order.
DocumentMatrix SelectRows(const DocumentMatrix& documents,
                          absl::Span<const int32_t> rows);
DenseDocuments SelectRows(const DenseDocuments& documents,
                          absl::Span<const int32_t> rows);
PointMatrix SelectRows(const PointMatrix& points,
                       absl::Span<const int32_t> rows);

// begin, begin + 1, ..., end - 1.
std::vector<int32_t> RowRange(int32_t begin, int32_t end);

// The share of a rank: consecutive ones of `count` documents or points, about
// equally many for each rank.
inline std::vector<int32_t> OwnRows(int64_t count, const Communicator& ranks) {
  const RowShare share = {ranks.rank(), ranks.size()};
  return RowRange(static_cast<int32_t>(share.Begin(count)),
                  static_cast<int32_t>(share.End(count)));
}

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_INPUTS_H_
