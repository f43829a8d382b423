// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_sweep.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/raise_threshold.h"
#include "graph/csr/csr_graph.h"

namespace warpclust {
namespace {

absl::Status CheckBetas(const std::vector<Decimal>& betas) {
  if (betas.empty()) {
    return absl::InvalidArgumentError("betas: expected at least one value");
  }
  for (size_t k = 0; k < betas.size(); ++k) {
    CosineGraphOptions graph;
    graph.beta = betas[k];
    RETURN_IF_ERROR(graph.Validate());
    if (k > 0 && !CanRaiseThreshold(betas[k - 1], betas[k])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "betas: expected values that ascend by at least 2^-40, found ",
          FormatDecimal(betas[k - 1]), ", then ", FormatDecimal(betas[k])));
    }
  }
  return absl::OkStatus();
}

template <class Documents>
absl::Status Sweep(const Documents& documents,
                   const OClustRSweepOptions& options, UseOClustRStep use) {
  RETURN_IF_ERROR(CheckBetas(options.betas));
  CosineGraphOptions graph_options;
  graph_options.beta = options.betas.front();
  graph_options.work = options.work;
  graph_options.num_threads = options.num_threads;
  OClustROptions stages;
  stages.device = options.device;
  stages.num_threads = options.num_threads;
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(CsrGraph graph,
                   CosineGraph(documents, graph_options, options.device));
  if (options.use_graph != nullptr) RETURN_IF_ERROR(options.use_graph(graph));
  for (size_t k = 0; k < options.betas.size(); ++k) {
    if (k > 0) {
      graph_options.beta = options.betas[k];
      RETURN_IF_ERROR(RaiseCosineThreshold(documents, graph_options, &graph));
    }
    const double seconds = stopwatch.Lap("graph");
    ASSIGN_OR_RETURN(OClustRResult result, OClustR(graph, stages));
    result.seconds.graph = seconds;
    RETURN_IF_ERROR(use(options.betas[k], std::move(result)));
    stopwatch.Lap();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SweepOClustR(const DocumentMatrix& documents,
                          const OClustRSweepOptions& options,
                          UseOClustRStep use) {
  return Sweep(documents, options, use);
}

absl::Status SweepOClustR(const DenseDocuments& documents,
                          const OClustRSweepOptions& options,
                          UseOClustRStep use) {
  return Sweep(documents, options, use);
}

}  // namespace warpclust
