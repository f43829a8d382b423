// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/correlation/correlation_clustering.h"
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
  CorrelationOptions grasp;
  grasp.method = CorrelationMethod::kGrasp;
  grasp.iterations = 20;
  CorrelationOptions pairs = grasp;
  pairs.iterations = 4;
  pairs.alpha = 0.5;
  pairs.neighborhood = 2;
  CorrelationOptions ils;
  ils.method = CorrelationMethod::kIls;
  ils.iterations = 3;
  ils.perturbation_max = 5;
  CorrelationOptions ours;
  ours.iterations = 2;
  std::vector<Setting> settings = {
      {"grasp, 20 starts", grasp},
      {"ils, 3 restarts, perturbation up to 5", ils},
      {"auto, 2 rounds", ours}};
  if (num_vertices <= kMostVerticesForPairs) {
    settings.push_back({"grasp, 4 starts, alpha 0.5, pairs", pairs});
  }
  return settings;
}

absl::StatusOr<uint64_t> PartitionDigest(const SignedGraph& graph,
                                         const CorrelationOptions& options) {
  ASSIGN_OR_RETURN(const CorrelationResult result,
                   CorrelationClustering(graph, options));
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
    RETURN_IF_ERROR(runner->Run({"correlation", input.name,
                                 absl::StrCat(setting.name, ", seed ", seed)},
                                {}, [&](Device device, int threads) {
                                  CorrelationOptions options = setting.options;
                                  options.seed = seed;
                                  options.device = device;
                                  options.num_threads = threads;
                                  return PartitionDigest(input.graph, options);
                                }));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
