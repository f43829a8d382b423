// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/documents/oclustr_sweep_run.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_sweep.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "tools/describe/describe_flags.h"
#include "tools/describe/threshold_sweep.h"
#include "tools/describe/write_stars.h"
#include "tools/input/input_format.h"
#include "tools/input/read_dense.h"

namespace warpclust {

absl::Status SweepBetas(const FlagSet& flags, OClustRFlags& options,
                        ToolRun& run) {
  if (flags.WasGiven("beta") && !options.beta.has_value()) {
    return UsageError(
        "--beta=auto chooses, and --sweep writes a table to choose by");
  }
  options.beta = options.beta.value_or(kDefaultBeta);
  const Decimal beta = *options.beta;
  run.report.options = flags.Values();
  OClustRSweepOptions sweeping;
  ASSIGN_OR_RETURN(sweeping.betas, ParseSweep(options.sweep));
  std::vector<Decimal>& betas = sweeping.betas;
  RETURN_IF_ERROR(
      RefuseFlags(flags, {"titles", "explain"},
                  "is about one run, and --sweep writes a table of many"));
  if (run.options.format != "tsv" && run.options.format != "json") {
    return UsageError("--sweep writes --format=tsv or json");
  }
  const bool reports = !options.describe.report.empty();
  const auto below = [](const Decimal& a, const Decimal& b) {
    return a.numerator * b.denominator < b.numerator * a.denominator;
  };
  const auto same = [&](const Decimal& a, const Decimal& b) {
    return !below(a, b) && !below(b, a);
  };
  // Whether --beta is not in the table, only on the page.
  bool only_on_page = false;
  if (reports) {
    CosineGraphOptions graph;
    graph.beta = beta;
    RETURN_IF_ERROR(FlagError(graph.Validate()));
    const auto at = std::lower_bound(betas.begin(), betas.end(), beta, below);
    if (at != betas.end() && same(*at, beta)) {
      *at = beta;
    } else {
      betas.insert(at, beta);
      only_on_page = true;
    }
  } else {
    RETURN_IF_ERROR(RefuseFlags(flags, {"beta"},
                                "with --sweep is that of the page of --report, "
                                "which is not asked for"));
  }
  ASSIGN_OR_RETURN(
      const Input input,
      FindInputOrDense(run, /*edges_allowed=*/true, options.dense));
  if (input.format == InputFormat::kEdges) {
    return UsageError("--sweep is for documents, and the input is a graph");
  }
  ASSIGN_OR_RETURN(const NamedDocuments named,
                   ReadForOClustR(input, reports, flags, options, run));
  run.report.n = static_cast<int64_t>(named.ids.size());
  ASSIGN_OR_RETURN(sweeping.device,
                   ChooseOClustRDevice(named, betas.front(),
                                       /*clusters_only=*/false, run));
  sweeping.work = run.progress.work();
  sweeping.num_threads = run.threads;
  if (!options.hierarchy.empty()) {
    sweeping.use_graph = [&](const CsrGraph& graph) {
      return WriteHierarchy(graph, named, options.hierarchy_file, run);
    };
  }
  ThresholdSweep sweep(named, run.threads);
  OClustRResult reported;
  {
    ToolRun::Timer timer(&run, "compute");
    const auto use = [&](const Decimal& at, OClustRResult result) {
      ReportSeconds(result, run);
      const Stopwatch stopwatch;
      const bool on_page = reports && same(at, beta);
      if (!(on_page && only_on_page)) {
        RETURN_IF_ERROR(sweep.Add(at, result.num_edges, result));
      }
      run.report.AddSeconds("measures", stopwatch.Seconds());
      if (on_page) reported = std::move(result);
      return absl::OkStatus();
    };
    RETURN_IF_ERROR(named.is_dense
                        ? SweepOClustR(named.dense, sweeping, use)
                        : SweepOClustR(named.documents, sweeping, use));
  }
  ToolRun::Timer timer(&run, "write");
  if (reports) {
    ReportClusters(reported, run);
    RETURN_IF_ERROR(WriteStarsReport(reported, named, input.path, beta,
                                     options.describe, flags, run,
                                     sweep.steps()));
  }
  WriteSweep(sweep.steps(), run.options.format == "json", run.sink());
  return absl::OkStatus();
}

}  // namespace warpclust
