// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/sweep/cutoff_sweep.h"

#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "algorithms/density_peaks/sweep_values.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "tools/cli/cli.h"

namespace warpclust {
namespace {

constexpr int32_t kValues = 16;

std::string Number(std::optional<double> value, absl::string_view none) {
  return value.has_value() ? absl::StrFormat("%.6g", *value)
                           : std::string(none);
}

// Names and values, in their order.
std::vector<JsonField> Fields(const CutoffStep& step, absl::string_view none) {
  std::vector<JsonField> fields;
  if (step.neighbors > 0) {
    fields = {{"neighbors", absl::StrCat(step.neighbors)}};
  } else {
    fields = {{"fraction", Number(step.fraction, none)},
              {"cutoff_distance", JsonDouble(step.cutoff_distance)}};
  }
  const JsonField others[] = {
      {"clusters", absl::StrCat(step.partition.clusters)},
      {"largest", absl::StrCat(step.partition.largest)},
      {"noise", absl::StrCat(step.noise)},
      {"candidates", absl::StrCat(step.candidates)},
      {"least_sigma", Number(step.least_sigma, none)},
      {"weakest_sigma", Number(step.weakest_sigma, none)},
      {"agreement", Number(step.partition.agreement, none)},
      {"stable", step.partition.stable ? "1" : "0"}};
  fields.insert(fields.end(), std::begin(others), std::end(others));
  return fields;
}

// The values that `make` returns for the text of a sweep; none if the text has
// another form or `make` refuses it.
template <typename Value>
std::vector<Value> ParseSweep(absl::string_view text,
                              absl::StatusOr<std::vector<Value>> (*make)(
                                  double from, double to, int32_t count)) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  double from = 0;
  double to = 0;
  int32_t count = kValues;
  if (parts.size() < 2 || parts.size() > 3 ||
      !absl::SimpleAtod(parts[0], &from) || !absl::SimpleAtod(parts[1], &to) ||
      (parts.size() == 3 && !absl::SimpleAtoi(parts[2], &count))) {
    return {};
  }
  absl::StatusOr<std::vector<Value>> values = make(from, to, count);
  return values.ok() ? *std::move(values) : std::vector<Value>();
}

}  // namespace

absl::StatusOr<std::vector<double>> ParseCutoffSweep(absl::string_view text) {
  std::vector<double> fractions = ParseSweep(text, SweepQuantiles);
  if (!fractions.empty()) return fractions;
  return UsageError(absl::StrCat(
      "--sweep: expected FROM:TO or FROM:TO:VALUES, numbers with 0 < FROM < TO "
      "<= 1 and 2 to 1000 values, found ",
      QuoteInput(text)));
}

absl::StatusOr<std::vector<int32_t>> ParseNeighborSweep(
    absl::string_view text) {
  std::vector<int32_t> numbers = ParseSweep(text, SweepNumbers);
  if (!numbers.empty()) return numbers;
  return UsageError(absl::StrCat(
      "--sweep: expected FROM:TO or FROM:TO:VALUES, numbers of neighbors with "
      "1 <= FROM < TO and 2 to 1000 values, found ",
      QuoteInput(text)));
}

absl::Status CutoffSweep::Add(double fraction,
                              const DensityPeaksResult& result) {
  const Clusters& clusters = result.clusters;
  RETURN_IF_ERROR(partitions_.Add(clusters.labels, clusters.num_clusters()));
  CutoffStep step;
  step.fraction = fraction;
  step.neighbors = result.neighbors;
  step.cutoff_distance = result.graph.cutoff_distance;
  step.noise = clusters.num_noise();
  step.candidates = result.significance.num_candidates;
  step.least_sigma = result.significance.least_sigma;
  step.weakest_sigma = WeakestSigma(result);
  steps_.push_back(step);
  return absl::OkStatus();
}

PartitionSweep::Range CutoffSweep::Finish() {
  const PartitionSweep::Range range = partitions_.MarkStable();
  for (size_t k = 0; k < steps_.size(); ++k) {
    steps_[k].partition = partitions_.steps()[k];
  }
  return range;
}

void WriteCutoffSweep(absl::Span<const CutoffStep> steps, bool as_json,
                      absl::FunctionRef<void(absl::string_view)> write) {
  std::string text;
  if (as_json) {
    for (const CutoffStep& step : steps) {
      absl::StrAppend(&text, text.empty() ? "" : ",\n",
                      JsonObject(Fields(step, "null")));
    }
    write(absl::StrCat("{\"sweep\":[\n", text, "\n]}\n"));
    return;
  }
  for (const JsonField& field : Fields(steps.front(), "")) {
    absl::StrAppend(&text, text.empty() ? "" : "\t", field.name);
  }
  text += '\n';
  for (const CutoffStep& step : steps) {
    std::string line;
    for (const JsonField& field : Fields(step, "")) {
      absl::StrAppend(&line, line.empty() ? "" : "\t", field.json);
    }
    absl::StrAppend(&text, line, "\n");
  }
  write(text);
}

}  // namespace warpclust
