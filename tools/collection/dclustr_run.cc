// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/collection/dclustr_run.h"

#include <cstdint>
#include <utility>

#include "algorithms/oclustr/oclustr_json.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "kernels/device/device_choice.h"
#include "tools/cli/write_cover.h"
#include "tools/collection/dclustr_report.h"
#include "tools/describe/write_stars.h"

namespace warpclust {

DClustRRunOptions RunOptions(Device device, const ToolRun& run) {
  DClustRRunOptions options;
  options.work = run.progress.work();
  options.device = device;
  if (run.ranks.size() > 1) options.ranks = &run.ranks;
  options.num_threads = run.threads;
  return options;
}

absl::StatusOr<Device> UpdateDevice(const StoreReader::Documents& added,
                                    int64_t num_stored, const Decimal& beta,
                                    ToolRun& run) {
  if (run.ranks.size() > 1) return Device::kCpu;
  const DenseDocuments& rows = added.rows;
  if (rows.num_documents() > 0) {
    ExpectedSeconds expected =
        Expect(DenseCosineJob{rows.num_rows, rows.num_dimensions}, run.threads);
    const ExpectedSeconds probe =
        Expect(DenseProbeJob{num_stored, rows.num_rows, rows.num_dimensions},
               run.threads);
    expected.cpu += probe.cpu;
    expected.cuda += probe.cuda;
    return run.ChooseDevice(expected);
  }
  return run.ChooseDevice(
      Expect(MeasureCosineJob(added.counts, beta, run.threads), run.threads));
}

absl::StatusOr<Device> WholeDevice(ToolRun& run) {
  if (run.ranks.size() > 1) return Device::kCpu;
  return run.ResolveDevice();
}

void NoteUpdate(DClustRUpdate update, ToolRun& run,
                absl::optional<DClustRUpdate>* sum) {
  run.Note(UpdateLine(update));
  if (sum->has_value()) {
    AddUpdate(update, &**sum);
  } else {
    *sum = std::move(update);
  }
}

void ReportDClustR(const DClustRStoreOptions& options,
                   const DClustRUpdate& update, ToolRun& run) {
  ReportStore(options, &run.report);
  ReportUpdate(update, &run.report);
  run.report.n = update.documents;
  run.report.edges = update.edges;
}

absl::Status WriteClusters(const DClustRClusters& clusters,
                           const std::string& path, const NamedDocuments& named,
                           const Decimal& beta, const DClustROptions& options,
                           const FlagSet& flags, ToolRun& run) {
  run.report.n = static_cast<int64_t>(clusters.ids.size());
  run.report.edges = clusters.num_edges;
  run.report.clusters = clusters.cover.num_clusters();
  run.report.memberships = clusters.cover.num_memberships();
  run.report.alone = CountAlone(clusters.cover);
  RETURN_IF_ERROR(CheckOutputNames(clusters.ids, path, run));
  if (NeedsDescriptions(options.describe, flags, run)) {
    // The store of the bundled example has a name of its own in every run.
    const bool example = !flags.WasGiven("store") && !options.in_memory;
    RETURN_IF_ERROR(WriteStarsReport(
        clusters, named, example ? std::string(kDClustRExample) : path, beta,
        options.describe, flags, run));
    return WriteStars(clusters, named, options.describe, flags, run);
  }
  return WriteCover(
      clusters.cover, clusters.ids,
      [&](int32_t cluster, std::string* json) {
        AppendOClustRFields(clusters, clusters.ids, cluster, json);
      },
      run);
}

}  // namespace warpclust
