// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Report: the measured values of one paper beside the published ones. The JSON
// and the page (tools/reproduce/page) are written from it.

#ifndef WARPCLUST_TOOLS_REPRODUCE_FRAME_REPORT_H_
#define WARPCLUST_TOOLS_REPRODUCE_FRAME_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// A table or figure of a paper. Views of literals.
struct Exhibit {
  enum class Plot { kNone, kLines, kBars, kStackedBars };

  absl::string_view name;      // "Figure 17"
  absl::string_view title;     // What the paper shows there.
  absl::string_view row_name;  // What a row is: "collection".
  Plot plot = Plot::kNone;
  bool log_x = false;
  bool log_y = false;
  absl::string_view y_label = "";
  // How ours is measured, where that is not obvious.
  absl::string_view note = "";
};

struct Paper {
  absl::string_view key;  // "oclustr"
  absl::string_view citation;
  std::vector<Exhibit> exhibits;
};

// A value as the paper prints it.
struct PublishedValue {
  std::string exhibit;
  std::string part;
  std::string row;
  std::string column;
  std::string unit;
  double value = 0;
  std::string place;  // Table or page.
};

// The values of a file of tools/reproduce/data: lines of seven columns,
// separated by tabs, in the order of the fields; lines with # are comments.
// InvalidArgument naming the line of another form or of a repeated value.
absl::StatusOr<std::vector<PublishedValue>> ParsePublishedValues(
    absl::string_view text, absl::string_view name);

// One value. The fields are those of the JSON, where empty optionals are null.
struct ReportRow {
  std::string exhibit = {};
  // A panel of the exhibit: "β = 0.25". May be empty.
  std::string part = {};
  std::string row = {};
  std::string column = {};
  std::optional<double> paper = {};
  std::optional<double> ours = {};
  std::string unit = {};
  // What was read or generated.
  std::string data_set = {};
  // What the data set stands in for; empty if it is the paper's own.
  std::string stand_in = {};
  std::string command = {};
  std::string device = {};
  // Wall-clock seconds of the run behind `ours`.
  std::optional<double> seconds = {};
  // Why there is no value of ours, or what is special about it.
  std::string note = {};
};

// A file of --data (tools/reproduce/data/manifest.h).
struct DataFile {
  std::string name;
  std::string source;
  std::string recipe;
  std::string sha256;
  // Of the file that was found; empty if there is none.
  std::string found_sha256;
};

struct Report {
  Paper paper;
  std::string version;
  bool quick = false;
  std::string device;
  int64_t threads = 0;
  int64_t seed = 0;
  std::vector<DataFile> files;
  std::vector<ReportRow> rows;
};

// One JSON object, with a line per row.
std::string ReportJson(const Report& report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_FRAME_REPORT_H_
