// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/correlation/experiments.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr const char* kSlashdot[] = {"Slashdot 1000", "Slashdot 2000",
                                     "Slashdot 4000", "Slashdot 8000",
                                     "Slashdot 10000"};
// The paper's limit of a run.
constexpr double kPaperLimit = 2 * 3600;

std::vector<std::string> RandomNetworks() {
  std::vector<std::string> names;
  for (const char* n : {"400", "600"}) {
    for (const char* density : {"0.1", "0.2", "0.5", "0.8"}) {
      for (const char* negative : {"0.2", "0.5", "0.8"}) {
        names.push_back(absl::StrCat(n, " ", density, " ", negative));
      }
    }
  }
  return names;
}

// A program of the paper, and where it runs here.
struct Variant {
  std::string name;  // "SeqGRASP"
  CorrelationMethod method;
  Device device;
  int threads;
};

// Means over runs with different seeds.
struct Averages {
  int runs = 0;
  double imbalance = 0;
  double seconds = 0;
  std::string note;
};

struct Run {
  double imbalance;
  double seconds;
  bool stopped;
  double local_search_seconds;
};

absl::StatusOr<Run> RunOnce(const SignedGraph& graph, const Variant& variant,
                            uint64_t seed, double time_limit,
                            bool measure_local_search = false) {
  CorrelationOptions options;
  options.method = variant.method;
  options.seed = seed;
  options.device = variant.device;
  options.num_threads = variant.threads;
  SearchControl control(std::min(time_limit, kPaperLimit));
  if (measure_local_search) control.MeasureLocalSearch();
  ASSIGN_OR_RETURN(const CorrelationResult result,
                   CorrelationClustering(graph, options, &control));
  return Run{static_cast<double>(result.imbalance) /
                 static_cast<double>(graph.units_per_one),
             control.seconds(), result.stopped, control.local_search_seconds()};
}

// As many of the paper's five runs as the time limit allows, at least one. None
// if the time of the exhibit is over.
absl::StatusOr<Averages> Average(const SignedGraph& graph,
                                 const Variant& variant, double time_limit,
                                 const Lab& lab) {
  Averages averages;
  if (time_limit <= 0) {
    averages.note = "cut: the time limit of the exhibit was over";
    return averages;
  }
  const Stopwatch clock;
  const int wanted = lab.Sized(1, 5);
  int stopped = 0;
  while (averages.runs < wanted) {
    const double left = time_limit - clock.Seconds();
    if (averages.runs > 0 && left < averages.seconds / averages.runs) break;
    const uint64_t seed = lab.settings().seed + averages.runs;
    ASSIGN_OR_RETURN(const Run run, RunOnce(graph, variant, seed, left));
    ++averages.runs;
    averages.imbalance += run.imbalance;
    averages.seconds += run.seconds;
    stopped += run.stopped ? 1 : 0;
  }
  averages.imbalance /= averages.runs;
  averages.seconds /= averages.runs;
  if (averages.runs < wanted) {
    averages.note = absl::StrCat("cut: ", averages.runs, " of ", wanted,
                                 " runs within the time limit");
  }
  if (stopped > 0) {
    absl::StrAppend(&averages.note, averages.note.empty() ? "" : ", ", stopped,
                    " of them stopped before their end");
  }
  return averages;
}

// Tables 2 to 5 have one form: a sequential program beside its CUDA version.
struct Comparison {
  absl::string_view exhibit;
  std::vector<std::string> networks;
  // The paper's tables of random networks count each edge twice.
  double factor;
  const char* edges;
  const char* negative;
  Variant sequential;
  Variant cuda;
};

struct Sums {
  int count = 0;
  double sequential = 0;
  double cuda = 0;
  double gap = 0;
  double speed_up = 0;
};

std::string Both(absl::string_view a, absl::string_view b) {
  return absl::StrCat(a, a.empty() || b.empty() ? "" : "; ", b);
}

absl::Status CompareOn(const Comparison& comparison, const std::string& name,
                       const DataSet<SignedGraph>& set, int cells_left,
                       Lab* lab, Sums* sums) {
  const SignedGraph& graph = set.data;
  const Variant& seq = comparison.sequential;
  const Variant& cuda = comparison.cuda;
  ASSIGN_OR_RETURN(
      const Averages a,
      Average(graph, seq, lab->SecondsLeft() / (2 * cells_left), *lab));
  ASSIGN_OR_RETURN(
      const Averages b,
      Average(graph, cuda, lab->SecondsLeft() / (2 * cells_left - 1), *lab));
  const std::string seq_device = DeviceText(seq.device, seq.threads);
  const std::string cuda_device = DeviceText(cuda.device, cuda.threads);
  const auto add = [&](const std::string& column, std::optional<double> value,
                       const std::string& unit, const std::string& device,
                       std::optional<double> seconds, const std::string& note) {
    lab->Add(set.In({.row = name,
                     .column = column,
                     .ours = value,
                     .unit = unit,
                     .device = device,
                     .seconds = seconds,
                     .note = note}));
  };
  const double factor = comparison.factor;
  const bool random = factor == 2;
  const auto edges = static_cast<double>(random ? graph.num_edges()
                                                : graph.num_positive_edges);
  const auto negative = static_cast<double>(graph.num_negative_edges);
  if (random) add(comparison.edges, factor * edges, "", "", {}, "");
  add(comparison.negative, factor * negative, "", "", {}, "");
  if (!random) add(comparison.edges, edges, "", "", {}, "");
  const auto add_variant = [&](const Variant& variant, const Averages& of,
                               const std::string& device) {
    const bool any = of.runs > 0;
    const std::optional<double> seconds =
        any ? std::optional<double>(of.seconds) : std::nullopt;
    add(variant.name + " Avg I(P)",
        any ? std::optional<double>(factor * of.imbalance) : std::nullopt, "",
        device, seconds, of.note);
    add(variant.name + " Avg Time", seconds, "s", device, seconds, of.note);
  };
  add_variant(seq, a, seq_device);
  add_variant(cuda, b, cuda_device);
  if (a.runs == 0 || b.runs == 0) return absl::OkStatus();
  const double gap =
      a.imbalance > 0 ? 100 * (b.imbalance / a.imbalance - 1) : 0;
  const double speed_up = a.seconds / b.seconds;
  add("Gap I(P)", gap, "%", cuda_device, {}, Both(a.note, b.note));
  add("Speedup", speed_up, "×", cuda_device, {}, Both(a.note, b.note));
  ++sums->count;
  sums->sequential += a.seconds;
  sums->cuda += b.seconds;
  sums->gap += gap;
  sums->speed_up += speed_up;
  return absl::OkStatus();
}

absl::Status Compare(const Comparison& comparison, DataSets* sets, Lab* lab) {
  if (!lab->Begin(comparison.exhibit)) return absl::OkStatus();
  Sums sums;
  int left = static_cast<int>(comparison.networks.size());
  bool warm = false;
  for (const std::string& name : comparison.networks) {
    const absl::StatusOr<DataSet<SignedGraph>> set = sets->Signed(name);
    --left;
    if (absl::IsNotFound(set.status())) {
      lab->AddUnmeasured(name, set.status().message());
      continue;
    }
    RETURN_IF_ERROR(set.status());
    if (!warm) {
      // Starting the GPU is not part of a run.
      RETURN_IF_ERROR(RunOnce(set->data, comparison.cuda, 1, 0.01).status());
      warm = true;
    }
    RETURN_IF_ERROR(CompareOn(comparison, name, *set, left + 1, lab, &sums));
  }
  if (sums.count == 0) return absl::OkStatus();
  const std::string note =
      absl::StrCat("of ", sums.count, " of ", comparison.networks.size());
  const std::string seq = comparison.sequential.name + " Avg Time";
  const std::string cuda = comparison.cuda.name + " Avg Time";
  const std::pair<std::string, double> values[] = {{seq, sums.sequential},
                                                   {cuda, sums.cuda},
                                                   {"Gap I(P)", sums.gap},
                                                   {"Speedup", sums.speed_up}};
  for (const auto& [column, sum] : values) {
    lab->Add(
        {.row = "Average",
         .column = column,
         .ours = sum / sums.count,
         .device = DeviceText(comparison.cuda.device, comparison.cuda.threads),
         .note = note});
  }
  return absl::OkStatus();
}

absl::Status Figure1(const Variant& grasp, const Variant& ils, DataSets* sets,
                     Lab* lab) {
  if (!lab->Begin("Figure 1")) return absl::OkStatus();
  size_t left = 2 * std::size(kSlashdot);
  for (const char* name : kSlashdot) {
    const absl::StatusOr<DataSet<SignedGraph>> set = sets->Signed(name);
    for (const Variant* variant : {&grasp, &ils}) {
      const double share = lab->SecondsLeft() / static_cast<double>(left--);
      ReportRow row = {.row = name,
                       .column = variant->name,
                       .unit = "%",
                       .device = DeviceText(variant->device, variant->threads)};
      if (absl::IsNotFound(set.status())) {
        row.note = std::string(set.status().message());
        lab->Add(std::move(row));
        continue;
      }
      RETURN_IF_ERROR(set.status());
      ASSIGN_OR_RETURN(
          const Run run,
          RunOnce(set->data, *variant, lab->settings().seed,
                  std::max(share, 0.01), /*measure_local_search=*/true));
      row.ours = 100 * run.local_search_seconds / run.seconds;
      row.seconds = run.seconds;
      if (run.stopped) row.note = "cut: stopped by the time limit";
      lab->Add(set->In(std::move(row)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

Paper CorrelationPaper() {
  const char* const kRandomNote =
      "The paper's tables of random networks count every edge twice, so ours "
      "are doubled. Means over up to five runs. SeqGRASP and SeqILS run on one "
      "thread of the CPU. Networks that the authors did not publish are "
      "generated with the same vertices, density and share of negative edges.";
  const char* const kSlashdotNote =
      "Means over up to five runs with the paper's parameters. The sequential "
      "program runs on one thread of the CPU.";
  return {.key = "correlation",
          .citation =
              "Levorato, Drummond, Frota, Figueiredo: A GPU-accelerated "
              "local search algorithm for the Correlation Clustering "
              "problem, SBPO (2015)",
          .exhibits = {
              {.name = "Figure 1",
               .title = "Share of the time spent on the sequential 1-opt local "
                        "search on Slashdot",
               .row_name = "network",
               .plot = Exhibit::Plot::kBars,
               .y_label = "% of the time",
               .note = "One run each, on one thread."},
              {.name = "Table 2",
               .title = "SeqGRASP and GRASP/CUDAVND on random networks",
               .row_name = "n, d, d-",
               .note = kRandomNote},
              {.name = "Table 3",
               .title = "SeqILS and ILS/CUDAVND on random networks",
               .row_name = "n, d, d-",
               .note = kRandomNote},
              {.name = "Table 4",
               .title = "SeqGRASP and GRASP/CUDAVND on Slashdot",
               .row_name = "network",
               .note = kSlashdotNote},
              {.name = "Table 5",
               .title = "SeqILS and ILS/CUDAVND on Slashdot",
               .row_name = "network",
               .note = kSlashdotNote}}};
}

absl::Status RunCorrelationExperiments(DataSets* sets, Lab* lab) {
  const LabSettings& settings = lab->settings();
  const Device device = settings.device;
  const int threads = settings.threads;
  const Variant seq_grasp = {"SeqGRASP", CorrelationMethod::kSeqGrasp,
                             Device::kCpu, 1};
  const Variant seq_ils = {"SeqILS", CorrelationMethod::kSeqIls, Device::kCpu,
                           1};
  const Variant grasp = {"GRASP/CUDAVND", CorrelationMethod::kGraspCudaVnd,
                         device, threads};
  const Variant ils = {"ILS/CUDAVND", CorrelationMethod::kIlsCudaVnd, device,
                       threads};
  const std::vector<std::string> slashdot(std::begin(kSlashdot),
                                          std::end(kSlashdot));
  RETURN_IF_ERROR(Figure1(seq_grasp, seq_ils, sets, lab));
  for (const Comparison& comparison : std::vector<Comparison>{
           {"Table 2", RandomNetworks(), 2, "|e|", "|e-|", seq_grasp, grasp},
           {"Table 3", RandomNetworks(), 2, "|e|", "|e-|", seq_ils, ils},
           {"Table 4", slashdot, 1, "|E+|", "|E-|", seq_grasp, grasp},
           {"Table 5", slashdot, 1, "|E+|", "|E-|", seq_ils, ils}}) {
    RETURN_IF_ERROR(Compare(comparison, sets, lab));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
