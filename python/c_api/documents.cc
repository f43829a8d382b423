// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of the cosine graph and of OClustR.

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_choice.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/oclustr/oclustr_on_gpus.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "kernels/device/device.h"
#include "kernels/memory/gpu_array.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/gpu_rows.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"

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

// Calls `on_host`; with a copy, if the rows lie on a GPU.
absl::Status OnHost(
    const DenseDocuments& rows, bool on_gpu,
    absl::FunctionRef<absl::Status(const DenseDocuments&)> on_host) {
  if (!on_gpu || rows.values.empty()) return on_host(rows);
  std::vector<float> values(rows.values.size());
  RETURN_IF_ERROR(CopyGpuArray(
      "values", rows.values.data(),
      static_cast<int64_t>(values.size() * sizeof(float)), values.data()));
  return on_host(MakeDenseDocuments(std::move(values), rows.num_rows));
}

// Calls `on_host`, or `on_gpu` if the rows lie there and the call may stay.
absl::Status WithRows(
    const warpclust_dense_documents& from, const CallOptions& call,
    absl::FunctionRef<absl::Status(const DenseDocuments&)> on_host,
    absl::FunctionRef<absl::Status(const DenseDocuments&)> on_gpu) {
  ASSIGN_OR_RETURN(const DenseDocuments rows, ToDenseDocuments(from));
  if (from.on_gpu == 0 || rows.values.empty() || call.device == Device::kCpu ||
      call.num_gpus > 1) {
    return OnHost(rows, from.on_gpu != 0, on_host);
  }
  RETURN_IF_ERROR(ResolveDevice(Device::kCuda).status());
  RETURN_IF_ERROR(AwaitGpuArray("values", rows.values.data()));
  return on_gpu(rows);
}

// Of a DocumentMatrix or DenseDocuments, which are as the caller gives them.
template <typename Documents>
absl::Status ChooseBetaOf(const Documents& documents, const CallOptions& call,
                          warpclust_beta_choice* to) {
  OClustRChoiceOptions options;
  options.weightings = {Weighting::kTf};
  options.num_threads = call.num_threads;
  ASSIGN_OR_RETURN(const OClustRChoice choice,
                   ChooseOClustR(documents, options));
  auto* stored = StoreResult(FormatDecimal(choice.beta));
  *to = {.beta = stored->value.c_str(),
         .best = choice.why == OClustRChoice::Why::kBest,
         .num_documents = choice.num_documents,
         .expected_fbcubed = choice.expected.f,
         .storage = static_cast<ResultStorage*>(stored)};
  return absl::OkStatus();
}

// Of a DocumentMatrix or DenseDocuments.
template <typename Documents>
absl::Status OClustROf(const Documents& documents, const char* beta,
                       const CallOptions& call, warpclust_star_cover* to) {
  OClustRDocumentsOptions options;
  ASSIGN_OR_RETURN(options.graph, GraphOptions(beta, call));
  options.device = call.device;
  ASSIGN_OR_RETURN(
      OClustRResult result,
      call.num_gpus > 1
          ? OClustRDocumentsOnGpus(documents, options.graph, call.num_gpus)
          : OClustRDocuments(documents, options));
  Return(std::move(result), documents.num_documents(), to);
  return absl::OkStatus();
}

}  // namespace
}  // namespace warpclust

using warpclust::Call;
using warpclust::CallOptions;
using warpclust::CallWithGpus;

warpclust_status warpclust_cosine_graph(const warpclust_documents* documents,
                                        const char* beta,
                                        const warpclust_run* run,
                                        warpclust_graph* graph) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto options, warpclust::GraphOptions(beta, call));
    ASSIGN_OR_RETURN(const auto matrix,
                     warpclust::ToDocuments(*documents, call.num_threads));
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
    const auto give = [&](absl::StatusOr<warpclust::CsrGraph> result) {
      if (result.ok()) warpclust::Return(*std::move(result), graph);
      return result.status();
    };
    return warpclust::WithRows(
        *documents, call,
        [&](const auto& rows) {
          return give(warpclust::CosineGraph(rows, options, call.device));
        },
        [&](const auto& rows) {
          return give(warpclust::CosineGraphOfGpuRows(rows, options));
        });
  });
}

warpclust_status warpclust_oclustr(const warpclust_graph* graph,
                                   const warpclust_run* run,
                                   warpclust_star_cover* clusters) {
  return Call(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto csr,
                     warpclust::ToGraph(*graph, call.num_threads));
    warpclust::OClustROptions options;
    options.device = call.device;
    options.num_threads = call.num_threads;
    ASSIGN_OR_RETURN(auto result, warpclust::OClustR(csr, options));
    warpclust::Return(std::move(result), csr.num_vertices(), clusters);
    return absl::OkStatus();
  });
}

warpclust_status warpclust_choose_beta(const warpclust_documents* documents,
                                       const warpclust_run* run,
                                       warpclust_beta_choice* choice) {
  return CallWithGpus(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto matrix,
                     warpclust::ToDocuments(*documents, call.num_threads));
    RETURN_IF_ERROR(warpclust::ValidateDocuments(matrix));
    return warpclust::ChooseBetaOf(matrix, call, choice);
  });
}

warpclust_status warpclust_dense_choose_beta(
    const warpclust_dense_documents* documents, const warpclust_run* run,
    warpclust_beta_choice* choice) {
  return CallWithGpus(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto rows, warpclust::ToDenseDocuments(*documents));
    return warpclust::OnHost(
        rows, documents->on_gpu != 0, [&](const auto& on_host) -> absl::Status {
          RETURN_IF_ERROR(warpclust::ValidateDenseDocuments(on_host));
          return warpclust::ChooseBetaOf(on_host, call, choice);
        });
  });
}

warpclust_status warpclust_oclustr_documents(
    const warpclust_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_star_cover* clusters) {
  return CallWithGpus(run, [&](const CallOptions& call) -> absl::Status {
    ASSIGN_OR_RETURN(const auto matrix,
                     warpclust::ToDocuments(*documents, call.num_threads));
    return warpclust::OClustROf(matrix, beta, call, clusters);
  });
}

warpclust_status warpclust_dense_oclustr_documents(
    const warpclust_dense_documents* documents, const char* beta,
    const warpclust_run* run, warpclust_star_cover* clusters) {
  return CallWithGpus(run, [&](const CallOptions& call) -> absl::Status {
    return warpclust::WithRows(
        *documents, call,
        [&](const auto& rows) {
          return warpclust::OClustROf(rows, beta, call, clusters);
        },
        [&](const auto& rows) -> absl::Status {
          ASSIGN_OR_RETURN(const auto options,
                           warpclust::GraphOptions(beta, call));
          ASSIGN_OR_RETURN(auto result,
                           warpclust::OClustROfGpuRows(rows, options));
          warpclust::Return(std::move(result), rows.num_rows, clusters);
          return absl::OkStatus();
        });
  });
}
