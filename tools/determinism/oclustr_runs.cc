// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_choice.h"
#include "algorithms/oclustr/oclustr_distributed.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/communicator/communicator.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/graph_share.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/result_digests.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

absl::StatusOr<uint64_t> ClustersDigest(
    const absl::StatusOr<OClustRResult>& result) {
  if (!result.ok()) return result.status();
  Digest digest;
  AddStarCover(*result, &digest);
  digest.Number(result->num_edges);
  digest.Number(result->num_initial_centers);
  return digest.value();
}

absl::StatusOr<uint64_t> ChoiceDigest(const DocumentMatrix& counts,
                                      int threads) {
  OClustRChoiceOptions options;
  options.num_threads = threads;
  ASSIGN_OR_RETURN(const OClustRChoice choice, ChooseOClustR(counts, options));
  Digest digest;
  digest.Text(WeightingName(choice.weighting));
  digest.Text(FormatDecimal(choice.beta));
  for (const OClustRCandidate& candidate : choice.candidates) {
    digest.Number(candidate.expected.precision);
    digest.Number(candidate.expected.recall);
  }
  return digest.value();
}

absl::StatusOr<uint64_t> RelevancesDigest(const CsrGraph& graph, Device device,
                                          int threads) {
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(device));
  ASSIGN_OR_RETURN(const RelevanceTable table,
                   resolved == Device::kCuda ? RelevancesCuda(graph)
                                             : RelevancesCpu(graph, threads));
  Digest digest;
  digest.Array(table.degrees);
  digest.Array(table.weight_sums);
  digest.Array(table.counts);
  digest.Number(table.scale.factor);
  return digest.value();
}

// `graph` is that of `documents` at `beta`.
template <typename Documents>
absl::Status RunDocuments(const Documents& documents, const CsrGraph& graph,
                          const std::string& name, const std::string& setting,
                          const Decimal& beta, DeterminismRunner* runner) {
  RETURN_IF_ERROR(runner->Run({"relevance", name, setting}, {},
                              [&](Device device, int threads) {
                                return RelevancesDigest(graph, device, threads);
                              }));
  const RunGroup group = {"oclustr", name, setting};
  RETURN_IF_ERROR(
      runner->Run(group, {.method = "graph"}, [&](Device device, int threads) {
        OClustROptions options;
        options.device = device;
        options.num_threads = threads;
        return ClustersDigest(OClustR(graph, options));
      }));
  RETURN_IF_ERROR(runner->Run(
      group, {.method = "documents"}, [&](Device device, int threads) {
        OClustRDocumentsOptions options;
        options.graph.beta = beta;
        options.device = device;
        options.graph.num_threads = threads;
        return ClustersDigest(OClustRDocuments(documents, options));
      }));
  return runner->RunOnRanks(
      group, {.method = "shares of documents"},
      [&](Device device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
        CosineGraphOptions options;
        options.beta = beta;
        options.num_threads = 1;
        CosineExchange exchange;
        exchange.leave_rows_on_gpus = true;
        ASSIGN_OR_RETURN(
            GraphShare share,
            CosineGraphDistributed(
                ranks,
                SelectRows(documents,
                           OwnRows(documents.num_documents(), ranks)),
                options, device, exchange));
        return ClustersDigest(
            OClustRDistributed(ranks, std::move(share), options.num_threads));
      });
}

}  // namespace

absl::Status RunOClustR(const DeterminismInputs& inputs,
                        DeterminismRunner* runner) {
  const DocumentsInput& input = inputs.documents;
  RETURN_IF_ERROR(runner->Run({"oclustr", input.name, "choice of beta"},
                              {.devices = RunWay::Devices::kCpu},
                              [&](Device, int threads) {
                                return ChoiceDigest(input.counts, threads);
                              }));
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    ASSIGN_OR_RETURN(const DocumentMatrix documents,
                     ApplyWeighting(input.counts, weighting));
    ASSIGN_OR_RETURN(
        const CsrGraph graph,
        CosineGraph(documents, CosineGraphOptions(), Device::kCpu));
    const std::string setting =
        absl::StrCat(WeightingName(weighting), ", beta 0.25");
    RETURN_IF_ERROR(
        RunDocuments(documents, graph, input.name, setting, "0.25", runner));
  }
  const EmbeddingsInput& embeddings = inputs.embeddings;
  CosineGraphOptions options;
  options.beta = "0.7";
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraph(embeddings.rows, options, Device::kCpu));
  return RunDocuments(embeddings.rows, graph, embeddings.name,
                      "embeddings, beta 0.7", options.beta, runner);
}

}  // namespace warpclust
