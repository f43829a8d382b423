// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of the cosine graph and of OClustR.

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"

namespace warpclust {
namespace {

absl::StatusOr<CosineGraphOptions> GraphOptions(const char* beta,
                                                const CallOptions& call) {
  CosineGraphOptions options;
  ASSIGN_OR_RETURN(options.beta, DecimalOr("beta", beta, options.beta));
  options.work = call.work;
  options.num_threads = call.num_threads;
  return options;
}

void Return(CsrGraph graph, warpclust_graph* to) {
  auto* stored = StoreResult(std::move(graph));
  to->num_vertices = stored->value.num_vertices();
  to->offsets = stored->value.offsets.data();
  to->neighbors = stored->value.neighbors.data();
  to->weights = stored->value.weights.data();
  to->storage = static_cast<ResultStorage*>(stored);
}

void Return(OClustRResult result, int32_t num_items, warpclust_star_cover* to) {
  auto* stored = StoreResult(std::move(result));
  ShowStarCover(stored->value, to);
  to->num_items = num_items;
  to->num_edges = stored->value.num_edges;
  to->storage = static_cast<ResultStorage*>(stored);
}

}  // namespace
}  // namespace warpclust

using warpclust::Call;
using warpclust::CallOptions;

warpclust_status warpclust_cosine_graph(const warpclust_documents* documents,
                                        const char* beta,
                                        const warpclust_run* run,
                                        warpclust_graph* graph) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto options, warpclust::GraphOptions(beta, call));
    ASSIGN_OR_RETURN(const auto matrix, warpclust::ToDocuments(*documents));
    ASSIGN_OR_RETURN(auto result,
                     warpclust::CosineGraph(matrix, options, call.device));
    warpclust::Return(std::move(result), graph);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_dense_cosine_graph(
    const warpclust_dense_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_graph* graph) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto options, warpclust::GraphOptions(beta, call));
    ASSIGN_OR_RETURN(const auto rows, warpclust::ToDenseDocuments(*documents));
    ASSIGN_OR_RETURN(auto result,
                     warpclust::CosineGraph(rows, options, call.device));
    warpclust::Return(std::move(result), graph);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_oclustr(const warpclust_graph* graph,
                                   const warpclust_run* run,
                                   warpclust_star_cover* clusters) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto csr, warpclust::ToGraph(*graph));
    warpclust::OClustROptions options;
    options.device = call.device;
    options.num_threads = call.num_threads;
    ASSIGN_OR_RETURN(auto result, warpclust::OClustR(csr, options));
    warpclust::Return(std::move(result), csr.num_vertices(), clusters);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_oclustr_documents(
    const warpclust_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_star_cover* clusters) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    warpclust::OClustRDocumentsOptions options;
    ASSIGN_OR_RETURN(options.graph, warpclust::GraphOptions(beta, call));
    options.device = call.device;
    ASSIGN_OR_RETURN(const auto matrix, warpclust::ToDocuments(*documents));
    ASSIGN_OR_RETURN(auto result, warpclust::OClustRDocuments(matrix, options));
    warpclust::Return(std::move(result), matrix.num_documents(), clusters);
    return absl::OkStatus();
  });
}
