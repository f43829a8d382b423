// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_writer.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

absl::StatusOr<uint64_t> GraphDigest(const DocumentMatrix& documents,
                                     const CosineGraphOptions& options,
                                     Device device) {
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraph(documents, options, device));
  Digest digest;
  digest.Array(graph.offsets);
  digest.Array(graph.neighbors);
  digest.Array(graph.weights);
  RETURN_IF_ERROR(
      WriteEdgeList(graph, {}, ExactCosines(documents),
                    [&digest](absl::string_view text) { digest.Text(text); },
                    {.num_threads = options.num_threads}));
  return digest.value();
}

}  // namespace

absl::Status RunCosineGraph(const DeterminismInputs& inputs,
                            DeterminismRunner* runner) {
  const DocumentsInput& input = inputs.documents;
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    ASSIGN_OR_RETURN(const DocumentMatrix documents,
                     ApplyWeighting(input.counts, weighting));
    const bool integers = HasIntegerWeights(documents);
    for (const bool integer_decisions : {true, false}) {
      if (integer_decisions && !integers) continue;
      RETURN_IF_ERROR(
          runner->Run({"cosine graph", input.name,
                       absl::StrCat(WeightingName(weighting), ", beta 0.25, ",
                                    integer_decisions ? "integers" : "reals")},
                      {}, [&](Device device, int threads) {
                        CosineGraphOptions options;
                        options.num_threads = threads;
                        options.integer_decisions = integer_decisions;
                        return GraphDigest(documents, options, device);
                      }));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
