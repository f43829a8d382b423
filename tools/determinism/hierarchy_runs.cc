// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/hierarchy/single_linkage.h"
#include "kernels/device/device.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

// `exact` gives the cosines by the number of threads.
template <typename Documents, typename Exact>
absl::Status RunDocuments(const RunGroup& group, const Documents& documents,
                          const Decimal& beta, const Exact& exact,
                          DeterminismRunner* runner) {
  return runner->Run(
      group, {}, [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
        CosineGraphOptions options;
        options.beta = beta;
        options.num_threads = threads;
        ASSIGN_OR_RETURN(const CsrGraph graph,
                         CosineGraph(documents, options, device));
        Digest digest;
        digest.Array(SingleLinkage(graph, exact(threads)));
        return digest.value();
      });
}

}  // namespace

absl::Status RunHierarchy(const DeterminismInputs& inputs,
                          DeterminismRunner* runner) {
  const DocumentsInput& input = inputs.documents;
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    ASSIGN_OR_RETURN(const DocumentMatrix documents,
                     ApplyWeighting(input.counts, weighting));
    RETURN_IF_ERROR(RunDocuments(
        {"hierarchy", input.name,
         absl::StrCat(WeightingName(weighting), ", beta 0.25")},
        documents, "0.25",
        [&](int /*threads*/) { return ExactCosines(documents); }, runner));
  }
  const EmbeddingsInput& embeddings = inputs.embeddings;
  return RunDocuments(
      {"hierarchy", embeddings.name, "embeddings, beta 0.7"}, embeddings.rows,
      "0.7",
      [&](int threads) { return ExactDenseCosines(embeddings.rows, threads); },
      runner);
}

}  // namespace warpclust
