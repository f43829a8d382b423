// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/online/experiments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/weighting/weighting.h"

namespace warpclust {
namespace {

// The paper has graphs of several thresholds, whose legends its text does not
// name; it names 0.7. Moderate to high ones are those from 0.5 on.
struct Threshold {
  const char* text;
  const char* column;
  bool high;
};
constexpr Threshold kThresholds[] = {{"0.9", "T = 0.9", true},
                                     {"0.7", "T = 0.7", true},
                                     {"0.5", "T = 0.5", true},
                                     {"0.3", "T = 0.3", false},
                                     {"0.1", "T = 0.1", false}};
constexpr Threshold kGraph4 = kThresholds[1];

struct Method {
  OnlineMethod method;
  int32_t batch;
  Device device;
  int threads;
};

// The first n documents of the stream, for several n.
struct Stream {
  DataSet<DocumentMatrix> set;
  std::vector<std::pair<int32_t, UnitVectors>> prefixes;
};

absl::StatusOr<Stream> ReadStream(DataSets* sets) {
  Stream stream;
  ASSIGN_OR_RETURN(stream.set, sets->Documents("News of 90 days"));
  ASSIGN_OR_RETURN(const DocumentMatrix weighted,
                   ApplyWeighting(stream.set.data, Weighting::kTfIdf));
  const int32_t n = weighted.num_documents();
  for (const int32_t share : {8, 4, 2, 1}) {
    DocumentMatrix first;
    AppendRows(weighted, 0, n / share, &first);
    ASSIGN_OR_RETURN(UnitVectors vectors,
                     MakeUnitVectors(first, OnlineOptions().terms));
    stream.prefixes.emplace_back(n / share, std::move(vectors));
  }
  return stream;
}

absl::StatusOr<double> Seconds(const UnitVectors& documents,
                               const Threshold& threshold,
                               const Method& method) {
  OnlineOptions options = OnlineOptions::Paper();
  ASSIGN_OR_RETURN(options.threshold, ParseDecimal(threshold.text));
  OnlineMethodOptions method_options;
  method_options.method = method.method;
  method_options.batch = method.batch;
  method_options.device = method.device;
  method_options.num_threads = method.threads;
  ASSIGN_OR_RETURN(OnlineClusterer clusterer,
                   OnlineClusterer::Create(options, method_options));
  std::vector<int32_t> clusters(documents.size());
  const Stopwatch clock;
  RETURN_IF_ERROR(clusterer.Add(documents, {}, absl::MakeSpan(clusters)));
  return clock.Seconds();
}

// By number of documents and threshold.
using Times = std::map<std::pair<int32_t, std::string>, double>;

absl::StatusOr<Times> TimeByThreshold(const Stream& stream,
                                      const Method& method, Lab* lab) {
  Times times;
  for (const auto& [n, documents] : stream.prefixes) {
    for (const Threshold& threshold : kThresholds) {
      ASSIGN_OR_RETURN(
          const std::optional<double> seconds,
          lab->Time(stream.set.In(
                        {.row = absl::StrCat(n),
                         .column = threshold.column,
                         .unit = "s",
                         .device = DeviceText(method.device, method.threads)}),
                    [&, &vectors = documents] {
                      return Seconds(vectors, threshold, method);
                    }));
      if (seconds.has_value()) times[{n, threshold.column}] = *seconds;
    }
  }
  return times;
}

void AddSpeedUps(const Stream& stream, const Times& serial, const Times& cuda,
                 const std::string& device, Lab* lab) {
  std::vector<double> high;
  for (const auto& [n, documents] : stream.prefixes) {
    for (const Threshold& threshold : kThresholds) {
      const auto a = serial.find({n, threshold.column});
      const auto b = cuda.find({n, threshold.column});
      if (a == serial.end() || b == cuda.end()) continue;
      const double ratio = a->second / b->second;
      lab->Add(stream.set.In({.row = absl::StrCat(n),
                              .column = threshold.column,
                              .ours = ratio,
                              .unit = "×",
                              .device = device}));
      if (threshold.high && n == stream.prefixes.back().first) {
        high.push_back(ratio);
      }
    }
  }
  if (high.empty()) return;
  const auto [least, most] = std::minmax_element(high.begin(), high.end());
  for (const auto& [column, value] :
       {std::pair("least speed-up", *least), {"largest speed-up", *most}}) {
    lab->Add(stream.set.In({.row = "largest n, moderate to high T",
                            .column = column,
                            .ours = value,
                            .device = device,
                            .note = "of T = 0.5, 0.7 and 0.9"}));
  }
}

}  // namespace

Paper OnlinePaper() {
  using Plot = Exhibit::Plot;
  return {
      .key = "online",
      .citation =
          "Teitler, Sankaranarayanan, Samet: Online Document "
          "Clustering Using the GPU, University of Maryland (2010)",
      .exhibits = {
          {.name = "Graph 1",
           .title = "Running times for Serial Clusterer 2",
           .row_name = "documents",
           .plot = Plot::kLines,
           .y_label = "seconds",
           .note = "One thread, K = 20, TF-IDF; from vectors to cluster "
                   "numbers. The paper's news of 90 days are not public, and "
                   "its text does not print their number."},
          {.name = "Graph 2",
           .title = "Running times for CUDA Clusterer, Q = 1024",
           .row_name = "documents",
           .plot = Plot::kLines,
           .y_label = "seconds",
           .note = "Multiple Document Clusterer 2 with 16 buckets."},
          {.name = "Graph 3",
           .title = "CUDA Clusterer against Serial Clusterer 2",
           .row_name = "documents",
           .plot = Plot::kLines,
           .y_label = "speed-up",
           .note = "Of Graphs 1 and 2, which --only must name too."},
          {.name = "Graph 4",
           .title = "Running times for CUDA Clusterer, Q = 16, 128 and 1024",
           .row_name = "documents",
           .plot = Plot::kLines,
           .y_label = "seconds",
           .note = "T = 0.7."}}};
}

absl::Status RunOnlineExperiments(DataSets* sets, Lab* lab) {
  const LabSettings& settings = lab->settings();
  ASSIGN_OR_RETURN(const Stream stream, ReadStream(sets));
  const Method cuda = {OnlineMethod::kMdc2, 1024, settings.device,
                       settings.threads};
  Times serial_times;
  Times cuda_times;
  if (lab->Begin("Graph 1")) {
    ASSIGN_OR_RETURN(
        serial_times,
        TimeByThreshold(stream, {OnlineMethod::kSerial2, 0, Device::kCpu, 1},
                        lab));
  }
  if (lab->Begin("Graph 2")) {
    ASSIGN_OR_RETURN(cuda_times, TimeByThreshold(stream, cuda, lab));
  }
  if (lab->Begin("Graph 3")) {
    AddSpeedUps(stream, serial_times, cuda_times,
                DeviceText(settings.device, settings.threads), lab);
  }
  if (!lab->Begin("Graph 4")) return absl::OkStatus();
  for (const auto& [n, documents] : stream.prefixes) {
    for (const int32_t batch : {16, 128, 1024}) {
      Method method = cuda;
      method.batch = batch;
      RETURN_IF_ERROR(
          lab->Time(stream.set.In(
                        {.row = absl::StrCat(n),
                         .column = absl::StrCat("Q = ", batch),
                         .unit = "s",
                         .device = DeviceText(method.device, method.threads)}),
                    [&, &vectors = documents] {
                      return Seconds(vectors, kGraph4, method);
                    })
              .status());
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
