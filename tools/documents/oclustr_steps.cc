// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/documents/oclustr_steps.h"

#include <cstdint>
#include <vector>

#include "base/io/npy/npy_header.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/hierarchy/single_linkage.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/write_cover.h"
#include "tools/describe/choose_beta.h"
#include "tools/describe/read_named.h"

namespace warpclust {

absl::StatusOr<NamedDocuments> ReadForOClustR(const Input& input, bool describe,
                                              const FlagSet& flags,
                                              OClustRFlags& options,
                                              ToolRun& run) {
  ToolRun::Timer timer(&run, "read");
  DocumentOptions reading = options.documents;
  reading.describe = describe;
  if (!options.beta.has_value()) {
    reading.choose =
        BetaChooser(flags, &options.beta, &options.documents.weighting, &run);
  }
  absl::StatusOr<NamedDocuments> named =
      ReadNamed(input, reading, options.dense, options.describe, flags, run);
  if (named.ok() && named->is_dense && !options.beta.has_value()) {
    RETURN_IF_ERROR(ChooseBeta(named->dense, flags, &options.beta, &run));
  }
  return named;
}

absl::StatusOr<Device> ChooseOClustRDevice(const NamedDocuments& named,
                                           const Decimal& beta,
                                           bool clusters_only, ToolRun& run) {
  if (named.is_dense) {
    return run.ChooseDevice(
        Expect(DenseCosineJob{named.dense.num_rows, named.dense.num_dimensions},
               run.threads));
  }
  CosineJob job = MeasureCosineJob(named.documents, beta, run.threads);
  job.clusters_only = clusters_only;
  return run.ChooseDevice(Expect(job, run.threads));
}

absl::Status WriteHierarchy(const CsrGraph& graph, const NamedDocuments& named,
                            ReportFile& file, ToolRun& run) {
  const Stopwatch stopwatch;
  const std::vector<double> rows =
      named.is_dense
          ? SingleLinkage(graph, ExactDenseCosines(named.dense, run.threads))
          : SingleLinkage(graph, ExactCosines(named.documents));
  run.report.AddSeconds("hierarchy", stopwatch.Seconds());
  const auto write = file.sink();
  write(NpyStart("<f8", {static_cast<int64_t>(rows.size() / 4), 4}));
  write({reinterpret_cast<const char*>(rows.data()),
         rows.size() * sizeof(double)});
  return file.Close();
}

void ReportClusters(const OClustRResult& result, ToolRun& run) {
  run.report.edges = result.num_edges;
  run.report.clusters = result.cover.num_clusters();
  run.report.memberships = result.cover.num_memberships();
  run.report.alone = CountAlone(result.cover);
}

void ReportSeconds(const OClustRResult& result, ToolRun& run) {
  run.report.AddSeconds("graph", result.seconds.graph);
  run.report.AddSeconds("relevance", result.seconds.relevance);
  run.report.AddSeconds("covering", result.seconds.covering);
  run.report.AddSeconds("useful", result.seconds.useful);
}

}  // namespace warpclust
