// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "tools/reproduce/density_peaks/experiments.h"
#include "tools/reproduce/density_peaks/point_sets.h"

namespace warpclust {
namespace {

constexpr const char* kSets[] = {"KDD", "BigCross500K", "3Dspatial",
                                 "Household", "PAMAP"};
// Of Figures 14 and 15.
constexpr const char* kTwoSets[] = {"KDD", "BigCross500K"};
constexpr int kBasePercents[] = {10, 25, 50, 75};

absl::StatusOr<IncrementalDensityPeaks> Start(const PointCase& of, int32_t base,
                                              DensityUpdate update,
                                              const LabSettings& settings) {
  IncrementalDensityPeaksOptions options;
  options.cutoff_distance = of.cutoff;
  options.update = update;
  options.tree = IncrementalDensityPeaksOptions::Tree::kVantage;
  options.device = settings.device;
  options.num_threads = settings.threads;
  ASSIGN_OR_RETURN(
      IncrementalDensityPeaks peaks,
      IncrementalDensityPeaks::Create(of.set.data.num_dimensions, options));
  RETURN_IF_ERROR(peaks.Insert(RowsOf(of.set.data, 0, base)));
  return peaks;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Milliseconds.
struct Response {
  double total = 0;
  double tree = 0;
  double density = 0;
};

// A batch inserted into the first `base` points: the median of some batches,
// after one that is not counted.
absl::StatusOr<Response> InsertBatches(const PointCase& of, int32_t base,
                                       int32_t batch,
                                       const LabSettings& settings) {
  ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                   Start(of, base, DensityUpdate::kAuto, settings));
  std::vector<double> total;
  std::vector<double> tree;
  std::vector<double> density;
  for (int i = 0; i <= settings.runs; ++i) {
    const int32_t begin = base + i * batch;
    const Stopwatch clock;
    RETURN_IF_ERROR(peaks.Insert(RowsOf(of.set.data, begin, begin + batch)));
    ASSIGN_OR_RETURN(const DecisionGraph graph, peaks.Graph());
    RETURN_IF_ERROR(ClusterByPeaks(graph, PeakSelection()).status());
    if (i == 0) continue;
    total.push_back(1e3 * clock.Seconds());
    tree.push_back(1e3 * peaks.last_batch().tree);
    density.push_back(1e3 * peaks.last_batch().density);
  }
  return Response{Median(total), Median(tree), Median(density)};
}

absl::StatusOr<Response> Restart(const PointCase& of, int32_t n,
                                 const LabSettings& settings) {
  DensityPeaksOptions options;
  options.cutoff_distance = of.cutoff;
  options.index = DensityPeaksIndex::kVpTree;
  options.peaks = PeakSelection();  // The paper's decision graph.
  options.device = settings.device;
  options.num_threads = settings.threads;
  std::vector<double> total;
  std::vector<double> tree;
  std::vector<double> density;
  for (int i = 0; i < settings.runs; ++i) {
    ASSIGN_OR_RETURN(const DensityPeaksResult result,
                     DensityPeaks(RowsOf(of.set.data, 0, n), options));
    total.push_back(1e3 * result.seconds.total());
    tree.push_back(1e3 * result.seconds.build);
    density.push_back(1e3 * result.seconds.density);
  }
  return Response{Median(total), Median(tree), Median(density)};
}

ReportRow RowOf(const PointCase& of, const std::string& part,
                const std::string& row, const std::string& column,
                std::optional<double> milliseconds, Lab* lab) {
  const LabSettings& settings = lab->settings();
  ReportRow result =
      of.set.In({.part = part,
                 .row = row,
                 .column = column,
                 .ours = milliseconds,
                 .unit = "ms",
                 .device = DeviceText(settings.device, settings.threads)});
  if (milliseconds.has_value()) result.seconds = *milliseconds / 1e3;
  return result;
}

constexpr char kCut[] = "cut: the time limit of the exhibit was over";

// The runs of Figures 12 and 13; rows of Figure 13 go to `phases`.
struct Responses {
  std::vector<double> speed_ups;
  double most_restart_density = 0;
  double most_incremental_density = 0;
  std::vector<ReportRow> phases;
};

absl::Status MeasureResponses(const PointCase& of, const std::string& name,
                              Lab* lab, Responses* responses) {
  const LabSettings& settings = lab->settings();
  const int32_t batch = lab->Sized(50, 1000);
  for (const int percent : kBasePercents) {
    const int32_t base =
        static_cast<int32_t>(int64_t{of.size()} * percent / 100);
    if (base + (settings.runs + 1) * batch > of.size()) break;
    const std::string row = absl::StrCat(base);
    if (lab->TimeIsUp()) {
      for (const char* column : {"GDPC-restart", "Incremental GDPC"}) {
        ReportRow cut = RowOf(of, name, row, column, {}, lab);
        cut.note = kCut;
        lab->Add(std::move(cut));
      }
      continue;
    }
    ASSIGN_OR_RETURN(const Response incremental,
                     InsertBatches(of, base, batch, settings));
    ASSIGN_OR_RETURN(const Response restart,
                     Restart(of, base + batch, settings));
    lab->Add(RowOf(of, name, row, "GDPC-restart", restart.total, lab));
    lab->Add(RowOf(of, name, row, "Incremental GDPC", incremental.total, lab));
    responses->speed_ups.push_back(restart.total / incremental.total);
    responses->most_restart_density =
        std::max(responses->most_restart_density, restart.density);
    responses->most_incremental_density =
        std::max(responses->most_incremental_density, incremental.density);
    const std::string tree_part = name + ", VP-tree";
    const std::string density_part = name + ", ρ";
    responses->phases.push_back(
        RowOf(of, tree_part, row, "GDPC-restart", restart.tree, lab));
    responses->phases.push_back(
        RowOf(of, tree_part, row, "Incremental GDPC", incremental.tree, lab));
    responses->phases.push_back(
        RowOf(of, density_part, row, "GDPC-restart", restart.density, lab));
    responses->phases.push_back(RowOf(of, density_part, row, "Incremental GDPC",
                                      incremental.density, lab));
  }
  return absl::OkStatus();
}

absl::Status Figures12And13(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 12")) return absl::OkStatus();
  Responses responses;
  for (const char* name : kSets) {
    const absl::StatusOr<PointCase> of =
        ReadPointCase(name, sets, lab->settings());
    if (absl::IsNotFound(of.status())) continue;
    RETURN_IF_ERROR(of.status());
    RETURN_IF_ERROR(MeasureResponses(*of, name, lab, &responses));
  }
  AddRange(responses.speed_ups, "speed-up over GDPC-restart", "×", lab);
  lab->AddUnmeasured("speed-up over EDMStream", "no counterpart here");
  if (!lab->Begin("Figure 13")) return absl::OkStatus();
  for (ReportRow& row : responses.phases) lab->Add(std::move(row));
  if (responses.phases.empty()) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  for (const auto& [column, value] :
       {std::pair("GDPC-restart, at most", responses.most_restart_density),
        {"Incremental GDPC, at most", responses.most_incremental_density}}) {
    lab->Add({.row = "ρ update",
              .column = column,
              .ours = value,
              .device = DeviceText(settings.device, settings.threads)});
  }
  return absl::OkStatus();
}

absl::Status Figure14(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 14")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  const int32_t batch = lab->Sized(20, 1000);
  for (const char* name : kTwoSets) {
    const absl::StatusOr<PointCase> of = ReadPointCase(name, sets, settings);
    if (absl::IsNotFound(of.status())) continue;
    RETURN_IF_ERROR(of.status());
    for (const int percent : kBasePercents) {
      const int32_t base =
          static_cast<int32_t>(int64_t{of->size()} * percent / 100);
      if (base + 2 * batch > of->size()) break;
      const std::string row = absl::StrCat(base);
      std::optional<double> batched;
      std::optional<double> sequential;
      if (!lab->TimeIsUp()) {
        ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                         Start(*of, base, DensityUpdate::kAuto, settings));
        RETURN_IF_ERROR(peaks.Insert(RowsOf(of->set.data, base, base + batch)));
        batched = 1e3 * peaks.last_batch().tree;
        double sum = 0;
        int32_t inserted = 0;
        while (inserted < batch && !lab->TimeIsUp()) {
          const int32_t at = base + batch + inserted;
          RETURN_IF_ERROR(peaks.Insert(RowsOf(of->set.data, at, at + 1)));
          sum += 1e3 * peaks.last_batch().tree;
          ++inserted;
        }
        if (inserted == batch) sequential = sum;
      }
      for (const auto& [column, value] :
           {std::pair("batched", batched), {"sequential", sequential}}) {
        ReportRow added = RowOf(*of, name, row, column, value, lab);
        if (!value.has_value()) added.note = kCut;
        lab->Add(std::move(added));
      }
    }
  }
  return absl::OkStatus();
}

// Inserts and removes a share of |D| by one method; the milliseconds of ρ.
absl::StatusOr<double> UpdateShare(const PointCase& of, int32_t base,
                                   int32_t added, const LabSettings& settings,
                                   IncrementalDensityPeaks* peaks) {
  std::vector<double> times;
  for (int i = 0; i < settings.runs; ++i) {
    const int32_t first = peaks->num_ids();
    RETURN_IF_ERROR(peaks->Insert(RowsOf(of.set.data, base, base + added)));
    times.push_back(1e3 * peaks->last_batch().density);
    std::vector<int32_t> ids(added);
    std::iota(ids.begin(), ids.end(), first);
    RETURN_IF_ERROR(peaks->Remove(ids));
  }
  return Median(times);
}

absl::Status Figure15(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 15")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  for (const char* name : kTwoSets) {
    const absl::StatusOr<PointCase> of = ReadPointCase(name, sets, settings);
    if (absl::IsNotFound(of.status())) continue;
    RETURN_IF_ERROR(of.status());
    const int32_t base = static_cast<int32_t>(int64_t{of->size()} * 8 / 10);
    ASSIGN_OR_RETURN(IncrementalDensityPeaks incidental,
                     Start(*of, base, DensityUpdate::kIncidental, settings));
    ASSIGN_OR_RETURN(IncrementalDensityPeaks separate,
                     Start(*of, base, DensityUpdate::kSeparate, settings));
    std::optional<int> crossing;
    for (const int percent : {1, 2, 4, 8, 16}) {
      const int32_t added = static_cast<int32_t>(int64_t{base} * percent / 100);
      std::optional<double> a;
      std::optional<double> b;
      if (!lab->TimeIsUp()) {
        ASSIGN_OR_RETURN(a,
                         UpdateShare(*of, base, added, settings, &incidental));
        ASSIGN_OR_RETURN(b, UpdateShare(*of, base, added, settings, &separate));
        if (!crossing.has_value() && *b < *a) crossing = percent;
      }
      for (const auto& [column, value] :
           {std::pair("incidental", a), {"separate", b}}) {
        ReportRow row =
            RowOf(*of, name, absl::StrCat(percent), column, value, lab);
        if (!value.has_value()) row.note = kCut;
        lab->Add(std::move(row));
      }
    }
    ReportRow row = RowOf(*of, name, "|ΔD| from which separate is faster",
                          "share of |D|", {}, lab);
    row.unit = "%";
    if (crossing.has_value()) {
      row.ours = *crossing;
    } else {
      row.note = "incidental was faster at all sizes measured";
    }
    lab->Add(std::move(row));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunIncrementalGdpcExperiments(DataSets* sets, Lab* lab) {
  RETURN_IF_ERROR(Figures12And13(sets, lab));
  RETURN_IF_ERROR(Figure14(sets, lab));
  return Figure15(sets, lab);
}

}  // namespace warpclust
