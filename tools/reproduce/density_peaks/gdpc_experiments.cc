// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/status/status_macros.h"
#include "tools/reproduce/density_peaks/experiments.h"
#include "tools/reproduce/density_peaks/kernel_profile.h"
#include "tools/reproduce/density_peaks/point_sets.h"
#include "vptree/benchmarks/paper_vp_tree.h"
#include "vptree/points/distance_key.h"

namespace warpclust {
namespace {

// Those of Figures 6 to 8, and the others of Table 1.
constexpr const char* kSets[] = {"Aggregation", "S2",        "Facial",
                                 "KDD",         "3Dspatial", "BigCross500K"};
constexpr const char* kOtherSets[] = {"Household", "PAMAP", "Airpline"};
// On a CPU all pairs of more points take minutes.
constexpr int32_t kMostForBruteForceOnCpu = 100000;

using Cases = std::map<std::string, PointCase>;

absl::StatusOr<DensityPeaksResult> Cluster(const PointMatrix& points,
                                           double cutoff,
                                           DensityPeaksIndex index,
                                           const LabSettings& settings) {
  DensityPeaksOptions options;
  options.cutoff_distance = cutoff;
  options.peaks = PeakSelection();  // The paper's decision graph.
  options.index = index;
  options.device = settings.device;
  options.num_threads = settings.threads;
  return DensityPeaks(points, options);
}

// A row of the set on the lab's device.
ReportRow RowOf(const PointCase& of, const std::string& row,
                const std::string& column, const std::string& unit, Lab* lab) {
  const LabSettings& settings = lab->settings();
  return of.set.In({.row = row,
                    .column = column,
                    .unit = unit,
                    .device = DeviceText(settings.device, settings.threads)});
}

void AddSizes(const DataSet<PointMatrix>& set, const char* name, Lab* lab) {
  const std::pair<const char*, double> values[] = {
      {"No. instances", set.data.num_points},
      {"No. dimensions", set.data.num_dimensions}};
  for (const auto& [column, value] : values) {
    lab->Add(set.In({.row = name, .column = column, .ours = value}));
  }
}

// Reads the sets and reports their sizes.
absl::StatusOr<Cases> Table1(DataSets* sets, Lab* lab) {
  Cases cases;
  const bool wanted = lab->Begin("Table 1");
  for (const char* name : kSets) {
    absl::StatusOr<PointCase> of = ReadPointCase(name, sets, lab->settings());
    if (absl::IsNotFound(of.status())) {
      if (wanted) lab->AddUnmeasured(name, of.status().message());
      continue;
    }
    RETURN_IF_ERROR(of.status());
    if (wanted) AddSizes(of->set, name, lab);
    cases[name] = *std::move(of);
  }
  for (const char* name : kOtherSets) {
    if (!wanted) break;
    const absl::StatusOr<DataSet<PointMatrix>> set = sets->Points(name);
    if (absl::IsNotFound(set.status())) {
      lab->AddUnmeasured(name, set.status().message());
      continue;
    }
    RETURN_IF_ERROR(set.status());
    AddSizes(*set, name, lab);
  }
  return cases;
}

// The parameters of Tables 2 and 3 and the metrics of ncu that they are today,
// in the paper's units.
struct Counter {
  const char* parameter;
  const char* metric;
  const char* scale_text;
  double scale;
};
constexpr Counter kCounters[] = {
    {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active",
     "", 1},
    {"Warp Execution Efficiency",
     "smsp__thread_inst_executed_per_inst_executed.ratio", ", over 32",
     100.0 / 32},
    {"Branch Efficiency",
     "smsp__sass_average_branch_targets_threads_uniform.pct", "", 1},
    {"Global Memory Load Efficiency",
     "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "", 1},
    {"Global Load Throughput",
     "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", "", 1e-9},
    {"Number of Transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "", 1e-6}};

// What Table 3 is measured on, and the kernels of CountInOrder.
constexpr char kProfiledSet[] = "3Dspatial";
constexpr std::pair<const char*, const char*> kProfiledKernels[] = {
    {"without optimizations", "LoneCountKernel"},
    {"with optimizations", "RangeKernel"}};

// What a profiler looks at: the density computation of Table 3, both ways.
absl::Status CountForProfiler(DataSets* sets, const LabSettings& settings) {
  ASSIGN_OR_RETURN(const PointCase of,
                   ReadPointCase(kProfiledSet, sets, settings));
  for (const QueryOrder order :
       {QueryOrder::kRandomAlone, QueryOrder::kLeaves}) {
    RETURN_IF_ERROR(
        CountInOrder(of.set.data, Norm::kL2, of.cutoff, order, /*runs=*/1)
            .status());
  }
  return absl::OkStatus();
}

void Table2(Lab* lab) {
  if (!lab->Begin("Table 2")) return;
  for (const Counter& counter : kCounters) {
    lab->Add({.row = counter.parameter,
              .column = "metric",
              .note = absl::StrCat("ncu --metrics ", counter.metric,
                                   counter.scale_text)});
  }
}

void Table3(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Table 3")) return;
  const LabSettings& settings = lab->settings();
  const auto of = cases.find(kProfiledSet);
  if (!lab->on_gpu() || of == cases.end()) {
    return lab->AddUnmeasured(
        "", lab->on_gpu() ? absl::StrCat(kProfiledSet, " is not at hand")
                          : "needs a GPU and its profiler, ncu");
  }
  std::vector<absl::string_view> metrics;
  for (const Counter& counter : kCounters) metrics.push_back(counter.metric);
  const absl::StatusOr<std::vector<KernelLaunch>> launches = ProfileKernels(
      absl::StrCat(settings.rerun, " --only='Table 3' --quiet --out='",
                   settings.scratch, "'"),
      absl::StrCat(kProfiledKernels[0].second, "|", kProfiledKernels[1].second),
      metrics, {settings.scratch, lab->SecondsLeft()});
  if (!launches.ok()) {
    return lab->AddUnmeasured("", launches.status().message());
  }
  for (const Counter& counter : kCounters) {
    for (const auto& [column, kernel] : kProfiledKernels) {
      ReportRow row = RowOf(of->second, counter.parameter, column, "", lab);
      if (const auto time = MeanByTime(*launches, kernel, kKernelTime)) {
        row.seconds = 1e-9 * *time;
      }
      if (const auto mean = MeanByTime(*launches, kernel, counter.metric)) {
        row.ours = *mean * counter.scale;
      } else {
        row.note = absl::StrCat("ncu did not count ", counter.metric);
      }
      lab->Add(std::move(row));
    }
  }
}

// The seconds of clustering, and the row.
absl::StatusOr<std::optional<double>> TimeCluster(const PointCase& of,
                                                  const std::string& name,
                                                  const std::string& column,
                                                  DensityPeaksIndex index,
                                                  Lab* lab) {
  return lab->Time(
      RowOf(of, name, column, "s", lab), [&]() -> absl::StatusOr<double> {
        ASSIGN_OR_RETURN(
            const DensityPeaksResult result,
            Cluster(of.set.data, of.cutoff, index, lab->settings()));
        return result.seconds.total();
      });
}

absl::Status Figure6(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 6")) return absl::OkStatus();
  std::vector<double> ratios;
  for (const char* name : kSets) {
    const auto found = cases.find(name);
    if (found == cases.end()) continue;
    const PointCase& of = found->second;
    ASSIGN_OR_RETURN(
        const std::optional<double> gdpc,
        TimeCluster(of, name, "GDPC", DensityPeaksIndex::kVpTree, lab));
    RETURN_IF_ERROR(TimeCluster(of, name, "the index that is chosen",
                                DensityPeaksIndex::kAuto, lab)
                        .status());
    if (!lab->on_gpu() && of.size() > kMostForBruteForceOnCpu) {
      ReportRow row = RowOf(of, name, "brute force, as CUDA-DP", "s", lab);
      row.note = "left out on a CPU: too many pairs";
      lab->Add(std::move(row));
      continue;
    }
    ASSIGN_OR_RETURN(const std::optional<double> brute,
                     TimeCluster(of, name, "brute force, as CUDA-DP",
                                 DensityPeaksIndex::kBruteForce, lab));
    if (gdpc.has_value() && brute.has_value()) {
      ratios.push_back(*brute / *gdpc);
    }
  }
  AddRange(ratios, "speed-up over CUDA-DP", "×", lab);
  for (const char* row :
       {"speed-up over S-Approx-DPC", "speed-up over LSH-DDP"}) {
    lab->AddUnmeasured(row, "no counterpart here");
  }
  return absl::OkStatus();
}

absl::Status Figure7(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 7")) return absl::OkStatus();
  std::vector<double> shares;
  for (const char* name : kSets) {
    const auto found = cases.find(name);
    if (found == cases.end()) continue;
    const PointCase& of = found->second;
    const double pairs =
        static_cast<double>(of.size()) * static_cast<double>(of.size());
    ReportRow row = RowOf(of, name, "GDPC", "distances", lab);
    if (lab->TimeIsUp()) {
      row.note = "cut: the time limit of the exhibit was over";
    } else {
      ASSIGN_OR_RETURN(const DensityPeaksResult result,
                       Cluster(of.set.data, of.cutoff,
                               DensityPeaksIndex::kVpTree, lab->settings()));
      if (result.distance_evaluations > 0) {
        row.ours = static_cast<double>(result.distance_evaluations);
        shares.push_back(100 * *row.ours / pairs);
      } else {
        row.note = "this device does not count distances";
      }
      row.seconds = result.seconds.total();
    }
    lab->Add(std::move(row));
    ReportRow all = RowOf(of, name, "all pairs", "distances", lab);
    all.ours = pairs;
    lab->Add(std::move(all));
  }
  AddRange(shares, "share of all pairs", "%", lab);
  lab->AddUnmeasured("share of LSH-DDP", "no counterpart here");
  return absl::OkStatus();
}

absl::Status Figure8(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 8")) return absl::OkStatus();
  for (const char* name : kSets) {
    const auto found = cases.find(name);
    if (found == cases.end()) continue;
    const PointCase& of = found->second;
    std::vector<DensityPeaksSeconds> runs;
    while (static_cast<int>(runs.size()) < lab->settings().runs &&
           !lab->TimeIsUp()) {
      ASSIGN_OR_RETURN(const DensityPeaksResult result,
                       Cluster(of.set.data, of.cutoff,
                               DensityPeaksIndex::kVpTree, lab->settings()));
      runs.push_back(result.seconds);
    }
    std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return a.total() < b.total();
    });
    const std::pair<const char*, double DensityPeaksSeconds::*> phases[] = {
        {"VP-tree construction", &DensityPeaksSeconds::build},
        {"density ρ", &DensityPeaksSeconds::density},
        {"dependent distance δ", &DensityPeaksSeconds::dependent},
        {"assignment", &DensityPeaksSeconds::assignment}};
    for (const auto& [phase, member] : phases) {
      ReportRow row = RowOf(of, name, phase, "ms", lab);
      if (runs.empty()) {
        row.note = "cut: the time limit of the exhibit was over";
      } else {
        const DensityPeaksSeconds& median = runs[runs.size() / 2];
        row.ours = 1e3 * (median.*member);
        row.seconds = median.total();
      }
      lab->Add(std::move(row));
    }
  }
  return absl::OkStatus();
}

absl::Status Figure9(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 9")) return absl::OkStatus();
  const auto found = cases.find("BigCross500K");
  if (found == cases.end()) return absl::OkStatus();
  const PointCase& of = found->second;
  const int first = lab->Sized(6, 13);
  for (int power = first; power <= first + 6; ++power) {
    if ((int32_t{1} << (power - 1)) >= of.size()) break;
    const int32_t n = std::min(int32_t{1} << power, of.size());
    const PointMatrix points = RowsOf(of.set.data, 0, n);
    // One run measures both phases: the one whose row asks runs.
    const std::pair<const char*, double DensityPeaksSeconds::*> phases[] = {
        {"VP-tree construction", &DensityPeaksSeconds::build},
        {"ρ calculation", &DensityPeaksSeconds::density}};
    for (const auto& [phase, member] : phases) {
      RETURN_IF_ERROR(lab->Time(
                             RowOf(of, absl::StrCat(n), phase, "ms", lab),
                             [&, member = member]() -> absl::StatusOr<double> {
                               ASSIGN_OR_RETURN(
                                   const DensityPeaksResult result,
                                   Cluster(points, of.cutoff,
                                           DensityPeaksIndex::kVpTree,
                                           lab->settings()));
                               return result.seconds.*member;
                             },
                             1e3)
                          .status());
    }
  }
  return absl::OkStatus();
}

absl::Status Figure10(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 10")) return absl::OkStatus();
  std::vector<double> ratios;
  for (const char* name : kSets) {
    const auto found = cases.find(name);
    if (found == cases.end()) continue;
    const PointCase& of = found->second;
    const auto time = [&](const char* column, int streams) {
      return lab->Time(
          RowOf(of, name, column, "ms", lab),
          [&, streams]() -> absl::StatusOr<double> {
            ASSIGN_OR_RETURN(const PaperVpTree tree,
                             BuildPaperVpTree(of.set.data, Norm::kL2, streams,
                                              /*runs=*/1));
            return tree.seconds;
          },
          1e3);
    };
    ASSIGN_OR_RETURN(const std::optional<double> one, time("Single Stream", 1));
    ASSIGN_OR_RETURN(const std::optional<double> many,
                     time("Multi Streams", 32));
    if (one.has_value() && many.has_value()) ratios.push_back(*one / *many);
  }
  AddRange(ratios, "speed-up of many streams", "×", lab);
  lab->AddUnmeasured("speed-up of many streams", "only on a GPU");
  return absl::OkStatus();
}

absl::Status Figure11(const Cases& cases, Lab* lab) {
  if (!lab->Begin("Figure 11")) return absl::OkStatus();
  std::vector<double> ratios;
  for (const char* name : kSets) {
    const auto found = cases.find(name);
    if (found == cases.end()) continue;
    const PointCase& of = found->second;
    const auto time = [&](const char* column, QueryOrder order) {
      return lab->Time(
          RowOf(of, name, column, "ms", lab),
          [&, order]() -> absl::StatusOr<double> {
            ASSIGN_OR_RETURN(const OrderedCounts counts,
                             CountInOrder(of.set.data, Norm::kL2, of.cutoff,
                                          order, /*runs=*/1));
            return counts.seconds;
          },
          1e3);
    };
    ASSIGN_OR_RETURN(const std::optional<double> leaves,
                     time("order by leaf", QueryOrder::kLeaves));
    ASSIGN_OR_RETURN(const std::optional<double> random,
                     time("random order", QueryOrder::kRandom));
    if (leaves.has_value() && random.has_value()) {
      ratios.push_back(*random / *leaves);
    }
  }
  AddRange(ratios, "speed-up of the order by leaf", "×", lab);
  lab->AddUnmeasured("speed-up of the order by leaf", "only on a GPU");
  return absl::OkStatus();
}

}  // namespace

absl::Status RunGdpcExperiments(DataSets* sets, Lab* lab) {
  if (IsProfiled()) return CountForProfiler(sets, lab->settings());
  ASSIGN_OR_RETURN(const Cases cases, Table1(sets, lab));
  Table2(lab);
  Table3(cases, lab);
  if (lab->on_gpu() && !cases.empty()) {
    // Starting the GPU is not part of a phase.
    const PointCase& first = cases.begin()->second;
    RETURN_IF_ERROR(Cluster(first.set.data, first.cutoff,
                            DensityPeaksIndex::kVpTree, lab->settings())
                        .status());
  }
  for (const auto& figure :
       {Figure6, Figure7, Figure8, Figure9, Figure10, Figure11}) {
    RETURN_IF_ERROR(figure(cases, lab));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
