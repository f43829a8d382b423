// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunReport: what a run did and how long it took. A tool fills it; Tool prints
// it as the summary line and as the JSON of --summary, whose fields stay the
// same in all releases of a major version.

#ifndef WARPCLUST_TOOLS_CLI_RUN_REPORT_H_
#define WARPCLUST_TOOLS_CLI_RUN_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "base/text/json_text.h"
#include "kernels/device/device_choice.h"

namespace warpclust {

// The singular and the plural of what is counted. Views of literals.
struct Noun {
  absl::string_view one;
  absl::string_view many;
};

// 1234567 as "1,234,567".
std::string GroupDigits(int64_t value);

// "1 vertex", "0 vertices", "1,204 vertices".
std::string Counted(int64_t count, Noun noun);

// Why a run with --device=auto computed where it did.
struct DeviceChoice {
  ExpectedSeconds expected;
  double start = 0;  // What was left of the start of CUDA.
  std::string why;
};

struct RunReport {
  std::string tool;
  std::string device = "cpu";
  // Empty if --device named the device, or if there was nothing to choose.
  std::optional<DeviceChoice> device_choice;
  int64_t threads = 1;
  int64_t seed = 0;

  // Sizes. A size that a tool does not have stays empty, null in the JSON.
  std::optional<int64_t> n;  // Documents, vertices, points or items.
  std::optional<int64_t> edges;
  std::optional<int64_t> clusters;
  std::optional<int64_t> memberships;
  // Items alone in their cluster. In the summary line only.
  std::optional<int64_t> alone;
  // A JSON number, so that an exact value stays exact. Empty: no objective.
  std::string objective;

  // What the summary line calls `n` and the objective.
  Noun n_noun = {"document", "documents"};
  std::string objective_noun = "objective";
  // Follows the objective in brackets, in the summary line only.
  std::string objective_note;

  // Wall-clock seconds. Phases of `compute` follow in order of first use.
  std::vector<std::pair<std::string, double>> seconds = {
      {"read", 0}, {"compute", 0}, {"write", 0}, {"total", 0}};

  // What only this tool reports, such as a cutoff distance.
  std::vector<JsonField> extra;

  int64_t peak_rss_bytes = 0;
  int64_t peak_device_bytes = 0;
  std::vector<JsonField> options;

  // Adds to the seconds of that name.
  void AddSeconds(absl::string_view phase, double added);

  // One JSON object and a newline: the fields above in their order, then the
  // choice of the device and the extra ones.
  std::string ToJson() const;

  // "578 documents, 1,204 edges, 92 clusters, 640 memberships; cpu, 2 threads;
  // read 0.04 s, compute 0.02 s (graph 0.01, cover 0.01), ..." Phases below
  // 0.005 s are left out. In builds with CUDA code, the choice of the device
  // follows it: "cpu (expected: cpu 0.01 s, cuda 0.22 s)".
  std::string ToLine() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_RUN_REPORT_H_
