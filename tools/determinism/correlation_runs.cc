// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

// Up to this size, runs that move pairs of vertices are included; they are
// slow.
constexpr int32_t kMostVerticesForPairs = 1000;

struct Setting {
  std::string name;
  CorrelationOptions options;
};

std::vector<Setting> Settings(int32_t num_vertices) {
  CorrelationOptions ours;
  ours.iterations = 2;
  std::vector<Setting> settings = {{"auto, 2 rounds", ours}};
  for (const CorrelationMethod method :
       {CorrelationMethod::kSeqGrasp, CorrelationMethod::kGraspCudaVnd}) {
    const absl::string_view name = CorrelationMethodName(method);
    CorrelationOptions grasp;
    grasp.method = method;
    grasp.iterations = 20;
    settings.push_back({absl::StrCat(name, ", 20 starts"), grasp});
    if (num_vertices > kMostVerticesForPairs) continue;
    grasp.iterations = 4;
    grasp.alpha = 0.5;
    grasp.neighborhood = 2;
    settings.push_back(
        {absl::StrCat(name, ", 4 starts, alpha 0.5, pairs"), grasp});
  }
  for (const CorrelationMethod method :
       {CorrelationMethod::kSeqIls, CorrelationMethod::kIlsCudaVnd}) {
    CorrelationOptions ils;
    ils.method = method;
    ils.iterations = 3;
    ils.perturbation_max = 5;
    settings.push_back({absl::StrCat(CorrelationMethodName(method),
                                     ", 3 restarts, perturbation up to 5"),
                        ils});
  }
  return settings;
}

absl::StatusOr<uint64_t> PartitionDigest(const SignedGraph& graph,
                                         const CorrelationOptions& options,
                                         Communicator* ranks = nullptr) {
  ASSIGN_OR_RETURN(
      const CorrelationResult result,
      CorrelationClustering(graph, options, /*control=*/nullptr, ranks));
  Digest digest;
  digest.Array(result.labels);
  digest.Number(result.num_clusters);
  digest.Number(result.imbalance);
  digest.Number(graph.units_per_one);
  digest.Number(result.proven_optimal);
  digest.Number(result.stopped);
  return digest.value();
}

}  // namespace

absl::Status RunCorrelation(const DeterminismInputs& inputs,
                            DeterminismRunner* runner) {
  const SignedInput& input = inputs.signed_graph;
  const uint64_t seed = inputs.seed;
  for (const Setting& setting : Settings(input.graph.num_vertices())) {
    const RunGroup group = {"correlation", input.name,
                            absl::StrCat(setting.name, ", seed ", seed)};
    CorrelationOptions options = setting.options;
    options.seed = seed;
    RETURN_IF_ERROR(runner->Run(group, {}, [&](Device device, int threads) {
      options.device = device;
      options.num_threads = threads;
      return PartitionDigest(input.graph, options);
    }));
    RETURN_IF_ERROR(
        runner->RunOnRanks(group, {}, [&](Device device, Communicator& ranks) {
          CorrelationOptions on_rank = setting.options;
          on_rank.seed = seed;
          on_rank.device = device;
          on_rank.num_threads = 1;
          return PartitionDigest(input.graph, on_rank, &ranks);
        }));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
