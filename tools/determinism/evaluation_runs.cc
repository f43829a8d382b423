// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "eval/compare_covers.h"
#include "eval/labels.h"
#include "graph/cover/cover.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

absl::StatusOr<Cover> Overlapping(const DocumentMatrix& documents,
                                  const Decimal& beta) {
  OClustRDocumentsOptions options;
  options.device = Device::kCpu;
  options.graph.beta = beta;
  ASSIGN_OR_RETURN(const OClustRResult result,
                   OClustRDocuments(documents, options));
  return result.cover;
}

absl::StatusOr<Cover> Partition(const StreamInput& stream,
                                const Decimal& threshold) {
  OnlineOptions options = OnlineOptions::Paper();
  options.threshold = threshold;
  OnlineMethodOptions method;
  method.device = Device::kCpu;
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method));
  std::vector<int32_t> clusters(stream.counts.num_documents());
  RETURN_IF_ERROR(clusterer.Add(stream.counts, {}, absl::MakeSpan(clusters)));
  return CoverFromLabels(clusters);
}

absl::Status RunComparison(const std::string& data, const std::string& setting,
                           const absl::StatusOr<Cover>& truth,
                           const absl::StatusOr<Cover>& clusters,
                           int32_t num_items, DeterminismRunner* runner) {
  if (!truth.ok()) return truth.status();
  if (!clusters.ok()) return clusters.status();
  return runner->Run(
      {"evaluation", data, setting}, {.devices = RunWay::Devices::kCpu},
      [&](Device, int threads) -> absl::StatusOr<uint64_t> {
        ASSIGN_OR_RETURN(const CoverComparison comparison,
                         CompareCovers(*truth, *clusters, num_items, threads));
        Digest digest;
        for (const auto& [name, value] : NamedMeasures(comparison)) {
          digest.Text(name);
          digest.Number(value);
        }
        return digest.value();
      });
}

}  // namespace

absl::Status RunEvaluation(const DeterminismInputs& inputs,
                           DeterminismRunner* runner) {
  const DocumentsInput& documents = inputs.documents;
  const StreamInput& stream = inputs.stream;
  const absl::StatusOr<Cover> wide =
      Overlapping(documents.counts, /*beta=*/"0.25");
  const int32_t n = documents.counts.num_documents();
  if (documents.labels.num_clusters() > 0) {
    RETURN_IF_ERROR(RunComparison(documents.name,
                                  "oclustr at 0.25 against labels",
                                  documents.labels, wide, n, runner));
  }
  RETURN_IF_ERROR(
      RunComparison(documents.name, "oclustr at 0.5 against 0.25", wide,
                    Overlapping(documents.counts, /*beta=*/"0.5"), n, runner));
  return RunComparison(stream.name, "online at 0.5 against 0.1",
                       Partition(stream, /*threshold=*/"0.1"),
                       Partition(stream, /*threshold=*/"0.5"),
                       stream.counts.num_documents(), runner);
}

}  // namespace warpclust
