// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/sweep/cutoff_sweep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/io/lines/line_reader.h"
#include "base/machine/count_cells.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/partition_measures.h"
#include "tools/cli/cli.h"
#include "tools/points/density_peaks_report.h"

namespace warpclust {
namespace {

constexpr int32_t kValues = 16;
constexpr int32_t kMostValues = 1000;
constexpr int64_t kPointsPerThread = 1 << 14;

std::string Number(absl::optional<double> value, absl::string_view none) {
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
      {"clusters", absl::StrCat(step.clusters)},
      {"largest", absl::StrCat(step.largest)},
      {"noise", absl::StrCat(step.noise)},
      {"candidates", absl::StrCat(step.candidates)},
      {"least_sigma", Number(step.least_sigma, none)},
      {"weakest_sigma", Number(step.weakest_sigma, none)},
      {"agreement", Number(step.agreement, none)},
      {"stable", step.stable ? "1" : "0"}};
  fields.insert(fields.end(), std::begin(others), std::end(others));
  return fields;
}

// The values of a sweep; none if the text has another form than a sweep, or
// FROM is not below TO.
std::vector<double> GeometricSteps(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  double from = 0;
  double to = 0;
  int32_t count = kValues;
  if (parts.size() < 2 || parts.size() > 3 ||
      !absl::SimpleAtod(parts[0], &from) || !absl::SimpleAtod(parts[1], &to) ||
      !(from > 0 && from < to) ||
      (parts.size() == 3 && !absl::SimpleAtoi(parts[2], &count)) || count < 2 ||
      count > kMostValues) {
    return {};
  }
  std::vector<double> values;
  for (int32_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / (count - 1);
    values.push_back(from * std::pow(to / from, share));
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<double>> ParseCutoffSweep(absl::string_view text) {
  std::vector<double> fractions = GeometricSteps(text);
  if (fractions.empty() || !(fractions.back() <= 1)) {
    return UsageError(absl::StrCat(
        "--sweep: expected FROM:TO or FROM:TO:VALUES, numbers with 0 < FROM < "
        "TO <= 1 and 2 to 1000 values, found ",
        QuoteInput(text)));
  }
  for (double& fraction : fractions) {
    // What the table says is what --dc_fraction would be given.
    if (!absl::SimpleAtod(absl::StrFormat("%.6g", fraction), &fraction)) {
      return absl::InternalError("a printed number cannot be read");
    }
  }
  return fractions;
}

absl::StatusOr<std::vector<int32_t>> ParseNeighborSweep(
    absl::string_view text) {
  const std::vector<double> steps = GeometricSteps(text);
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  int32_t from = 0;
  int32_t to = 0;
  if (steps.empty() || !absl::SimpleAtoi(parts[0], &from) ||
      !absl::SimpleAtoi(parts[1], &to)) {
    return UsageError(absl::StrCat(
        "--sweep: expected FROM:TO or FROM:TO:VALUES, numbers of neighbors "
        "with 1 <= FROM < TO and 2 to 1000 values, found ",
        QuoteInput(text)));
  }
  std::vector<int32_t> numbers;
  for (const double step : steps) {
    numbers.push_back(static_cast<int32_t>(std::round(step)));
  }
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

bool ClampNeighborSweep(int32_t num_points, std::vector<int32_t>* numbers) {
  const int32_t most = std::max(num_points - 1, 1);
  const auto end = std::lower_bound(numbers->begin(), numbers->end(), most);
  if (end == numbers->end() || numbers->back() == most) return false;
  numbers->erase(end, numbers->end());
  numbers->push_back(most);
  return true;
}

absl::Status CutoffSweep::Add(double fraction,
                              const DensityPeaksResult& result) {
  const Clusters& clusters = result.clusters;
  const std::vector<int64_t> sizes = CountCells(
      static_cast<int64_t>(clusters.labels.size()), clusters.num_clusters(),
      num_threads_, [&](int64_t i) { return clusters.labels[i]; });
  CutoffStep step;
  step.fraction = fraction;
  step.neighbors = result.neighbors;
  step.cutoff_distance = result.graph.cutoff_distance;
  step.clusters = clusters.num_clusters();
  step.largest =
      static_cast<int32_t>(*std::max_element(sizes.begin(), sizes.end()));
  step.noise = static_cast<int32_t>(
      std::count(clusters.noise.begin(), clusters.noise.end(), 1));
  step.candidates = result.significance.num_candidates;
  step.least_sigma = result.significance.least_sigma;
  step.weakest_sigma = WeakestSigma(result);
  if (!steps_.empty()) {
    ASSIGN_OR_RETURN(
        steps_.back().agreement,
        AdjustedRandIndex(previous_, clusters.labels, num_threads_));
  }
  const auto n = static_cast<int32_t>(clusters.labels.size());
  const int threads = ThreadsFor(n, kPointsPerThread, num_threads_);
  ResizeVector(n, threads, &previous_);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int32_t i = 0; i < n; ++i) previous_[i] = clusters.labels[i];
  steps_.push_back(step);
  return absl::OkStatus();
}

CutoffSweep::Range CutoffSweep::MarkStable() {
  Range widest;
  for (size_t first = 0; first < steps_.size(); ++first) {
    size_t last = first;
    while (last + 1 < steps_.size() && steps_[last].clusters > 1 &&
           steps_[last + 1].clusters > 1 &&
           *steps_[last].agreement >= kStable) {
      ++last;
    }
    const size_t count = last - first + 1;
    if (count > 1 && count > widest.count) widest = {first, count};
  }
  for (size_t k = 0; k < widest.count; ++k) {
    steps_[widest.first + k].stable = true;
  }
  return widest;
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
