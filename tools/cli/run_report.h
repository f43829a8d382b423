// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunReport: what a run of a tool did, and how long it took. Filled by the
// tool's main, printed as the summary line and as the --summary JSON, whose
// fields are the same for every tool and every release of this major version.
//
// Thread-safety: one thread.

#ifndef WARPCLUST_TOOLS_CLI_RUN_REPORT_H_
#define WARPCLUST_TOOLS_CLI_RUN_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/cli/flag_set.h"

namespace warpclust {

// What things are called: one of them, and any other number. Of literals.
struct Noun {
  absl::string_view one;
  absl::string_view many;
};

struct RunReport {
  std::string tool;
  std::string device = "cpu";
  int64_t threads = 1;
  int64_t seed = 0;

  // Sizes; what a tool does not have stays empty (null in the JSON).
  std::optional<int64_t> n;  // documents, vertices, points or items
  std::optional<int64_t> edges;
  std::optional<int64_t> clusters;
  std::optional<int64_t> memberships;
  // A JSON number, so that an exact value stays exact; empty: none.
  std::string objective;

  // What `n` counts and what the objective is called in the summary line.
  Noun n_noun = {"document", "documents"};
  std::string objective_noun = "objective";

  // Wall-clock seconds. The phases of `compute` are in order of first use.
  double read_seconds = 0;
  double compute_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
  std::vector<std::pair<std::string, double>> phase_seconds;

  // What only this tool has to report, as JSON values: a cutoff distance.
  std::vector<FlagSet::Value> extra;

  int64_t peak_rss_bytes = 0;
  int64_t peak_device_bytes = 0;
  std::vector<FlagSet::Value> options;

  // Adds to "read", "compute", "write" or to a phase of that name.
  void AddSeconds(absl::string_view phase, double seconds);

  // One flat JSON object and a newline: tool, version, device, threads, seed,
  // n, edges, clusters, memberships, objective, seconds {read, compute, write,
  // total, then the phases}, peak_rss_bytes, peak_device_bytes, options, then
  // the extra values.
  std::string ToJson() const;

  // "578 documents, 1,204 edges, 92 clusters, 640 memberships; cpu, 2 threads;
  // read 0.04 s, compute 0.02 s (graph 0.01, cover 0.01), ..." Phases below
  // 0.005 s are left out.
  std::string ToLine() const;
};

// 1234567 as "1,234,567".
std::string GroupDigits(int64_t value);

// "1 vertex", "0 vertices", "1,204 vertices".
std::string Counted(int64_t count, Noun noun);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_RUN_REPORT_H_
