// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SignedEdgeCollector: what the readers of signed networks share: exact
// weights, brought to one scale at the end, and errors that name lines.
// graph/io/signed_edge_list.h has the rules. Memory: 17 bytes per edge; while
// the graph is built 16, and those of BuildSignedGraph.

#ifndef WARPCLUST_GRAPH_IO_SIGNED_EDGE_COLLECTOR_H_
#define WARPCLUST_GRAPH_IO_SIGNED_EDGE_COLLECTOR_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "graph/io/edge_line_numbers.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/edge_parts.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

class SignedEdgeCollector {
 public:
  SignedEdgeCollector(bool sign_only, bool skip_loops)
      : sign_only_(sign_only), skip_loops_(skip_loops) {}

  // Adds the edge of the last line, except a loop or one of weight 0; an empty
  // weight means 1. Returns the edge added, whose ends are to be set until
  // Close or Build, or null.
  absl::StatusOr<SignedEdge*> Add(const LineReader& lines, const EdgeLine& edge,
                                  bool is_loop);

  // An empty one with the same options.
  SignedEdgeCollector ForBlock() const { return {sign_only_, skip_loops_}; }
  // Adds the edges of `block`, collected in the lines that follow. `*rest`, if
  // it is set, makes their vertices ~i the vertices ids[i]: see
  // graph/io/edge_parts.h.
  void Append(SignedEdgeCollector block, std::vector<int32_t> ids = {},
              std::function<void()>* rest = nullptr);
  // Frees what only Add needs. Ends a block.
  void Close();
  // Vertex ~i becomes ids[i].
  void Renumber(absl::Span<const int32_t> ids);

  int64_t skipped_loops() const { return skipped_loops_; }
  int64_t vanished_weights() const { return vanished_weights_; }
  int64_t rounded_weights() const { return rounded_weights_; }

  // The graph of all edges on the vertices `names`. Call it once.
  absl::StatusOr<SignedGraph> Build(const LineReader& lines,
                                    absl::Span<const std::string> names,
                                    int num_threads);

 private:
  // False if a weight exceeds kMaxSignedWeight at the scale that all need.
  bool ScaleWeights(int num_threads);
  absl::Status ConflictError(const LineReader& lines,
                             absl::Span<const std::string> names,
                             const internal::ConflictingSignedPair& pair) const;

  bool sign_only_;
  bool skip_loops_;
  int64_t skipped_loops_ = 0;
  int64_t vanished_weights_ = 0;
  int64_t rounded_weights_ = 0;
  int64_t first_vanished_line_ = 0;
  int most_places_ = 0;
  // Weights are digits with `places_` decimal places until all are known.
  PartsOf<SignedEdge> edges_;
  PartsOf<uint8_t> places_;
  EdgeLineNumbers line_numbers_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_SIGNED_EDGE_COLLECTOR_H_
