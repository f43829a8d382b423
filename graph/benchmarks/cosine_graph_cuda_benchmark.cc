// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The CUDA cosine graph and its baselines, in one run on one machine: a table
// of tab-separated columns on stdout, with comments after '#'.
//
//   cosine_graph_cuda_benchmark --data=reviews.svm.gz,news.svm.gz --repeat=5
//   cosine_graph_cuda_benchmark --million=1000000
//
// Without --data it takes the *_tf.svm.gz of the folder WARPCLUST_DATA (or of
// its docs/), without that a small generated collection. Data are svmlight term
// counts. BENCHMARK_OUT=FILE writes the rows as JSON, too.
// Exit codes: 0 ok, 1 usage, 2 bad input, 3 no GPU.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/numbers/decimal.h"
#include "graph/benchmarks/cosine_graph_measurement_cuda.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "graph/benchmarks/zipf_documents.h"
#include "kernels/device.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/matrix/labelled_documents.h"
#include "sparse/weighting/weighting.h"

ABSL_FLAG(std::vector<std::string>, data, {}, "svmlight files of term counts");
ABSL_FLAG(std::vector<std::string>, settings,
          std::vector<std::string>({"tf:0.25", "tf:0.35", "tfidf:0.25",
                                    "tfidf:0.35"}),
          "weighting:beta, each");
ABSL_FLAG(std::vector<std::string>, baselines,
          std::vector<std::string>({"paper", "spgemm", "gemm"}),
          "paper, spgemm, gemm, gemm_half");
ABSL_FLAG(bool, baselines_each_setting, false,
          "run the baselines for every setting; else for the first one of a "
          "file, whose time is then compared with (it hardly depends on "
          "weights and beta)");
ABSL_FLAG(int, repeat, 5, "timed runs; the median counts");
ABSL_FLAG(int, paper_sources, 15000,
          "documents that the paper's method is run from, if a file has more "
          "than twice as many; its time is extrapolated");
ABSL_FLAG(int, million, 0,
          "documents of a generated collection (76 Zipf terms, vocabulary "
          "1,000,000), TF-IDF, beta 0.25, without baselines");
ABSL_FLAG(double, zipf_offset, 0,
          "of --million: see graph/benchmarks/zipf_documents.h");
ABSL_FLAG(std::string, million_setting, "tfidf:0.25", "of --million");

namespace warpclust {
namespace {

struct Setting {
  Weighting weighting = Weighting::kTf;
  Decimal beta;
};

absl::StatusOr<Setting> ParseSetting(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  if (parts.size() != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("a setting is weighting:beta, found \"", text, "\""));
  }
  const absl::StatusOr<Weighting> weighting = ParseWeighting(parts[0]);
  if (!weighting.ok()) return weighting.status();
  const absl::StatusOr<Decimal> beta = ParseDecimal(parts[1]);
  if (!beta.ok()) return beta.status();
  return Setting{*weighting, *beta};
}

// A row: column and value, the value as JSON has it.
using Row = std::vector<std::pair<std::string, std::string>>;

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

class Report {
 public:
  void Add(const Row& row) {
    if (rows_.empty()) {
      for (const auto& [column, value] : row) {
        std::printf("%s%s", column == row[0].first ? "" : "\t", column.c_str());
      }
      std::printf("\n");
    }
    for (const auto& [column, value] : row) {
      std::printf("%s%s", column == row[0].first ? "" : "\t",
                  value[0] == '"' ? value.substr(1, value.size() - 2).c_str()
                                  : value.c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
    rows_.push_back(row);
  }

  void Machine(const std::string& name, double value) {
    machine_.push_back({name, absl::StrFormat("%.4g", value)});
    std::printf("# %s\t%.4g\n", name.c_str(), value);
    std::fflush(stdout);
  }

  void WriteJson(const std::string& path) const {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
      std::fprintf(stderr, "%s cannot be written\n", path.c_str());
      return;
    }
    std::fprintf(file, "{");
    for (const auto& [name, value] : machine_) {
      std::fprintf(file, "%s: %s,\n ", Quoted(name).c_str(), value.c_str());
    }
    std::fprintf(file, "\"rows\": [");
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::fprintf(file, "%s\n  {", r == 0 ? "" : ",");
      for (size_t c = 0; c < rows_[r].size(); ++c) {
        std::fprintf(
            file, "%s%s: %s", c == 0 ? "" : ", ",
            Quoted(rows_[r][c].first).c_str(),
            rows_[r][c].second == "-" ? "null" : rows_[r][c].second.c_str());
      }
      std::fprintf(file, "}");
    }
    std::fprintf(file, "\n]}\n");
    std::fclose(file);
  }

 private:
  std::vector<Row> rows_;
  Row machine_;
};

std::string Number(double value) {
  return value < 0 ? "-" : absl::StrFormat("%.6g", value);
}

// What is known of a collection when its rows are printed.
struct Context {
  std::string set;
  Setting setting;
  int32_t n = 0;
  int64_t entries = 0;
  double additions = 0;
  // Bytes a second; 0: not known.
  double copy_rate = 0;
  // Of ours, documents on the device.
  double seconds = 0;
};

void AddRow(const Context& context, const CosineGraphTiming& timing,
            Report& report) {
  const bool ours = timing.method == "ours";
  const bool known = timing.available;
  // Postings are read from L2 once an addition, four bytes each.
  const double floor =
      context.copy_rate > 0 ? 4 * context.additions / context.copy_rate : -1;
  report.Add({
      {"set", Quoted(context.set)},
      {"weighting",
       Quoted(std::string(WeightingName(context.setting.weighting)))},
      {"beta", FormatDecimal(context.setting.beta)},
      {"n", absl::StrCat(context.n)},
      {"entries", absl::StrCat(context.entries)},
      {"method", Quoted(timing.method)},
      {"seconds", Number(known ? timing.seconds : -1)},
      {"times_ours", Number(known ? timing.seconds / context.seconds : -1)},
      {"edges", timing.num_edges < 0 ? "-" : absl::StrCat(timing.num_edges)},
      {"additions", Number(context.additions)},
      {"additions_per_second",
       Number(ours ? context.additions / timing.seconds : -1)},
      {"floor_seconds", Number(ours ? floor : -1)},
      {"peak_device_bytes",
       timing.peak_bytes > 0 ? absl::StrCat(timing.peak_bytes) : "-"},
      {"note", Quoted(timing.note)},
  });
}

// One collection under one setting. `baselines` holds those measured for it so
// far and takes what is measured now.
absl::Status MeasureSetting(const std::string& set,
                            const DocumentMatrix& counts,
                            const Setting& setting, double copy_rate,
                            CosineGraphMeasurementOptions options,
                            std::map<std::string, double>& baselines,
                            Report& report) {
  const absl::StatusOr<DocumentMatrix> documents =
      ApplyWeighting(counts, setting.weighting);
  if (!documents.ok()) return documents.status();
  options.beta = setting.beta;
  const absl::StatusOr<std::vector<CosineGraphTiming>> timings =
      MeasureCosineGraph(*documents, options);
  if (!timings.ok()) return timings.status();
  Context context;
  context.set = set;
  context.setting = setting;
  context.n = documents->num_documents();
  context.entries = documents->num_entries();
  context.additions = HalfJoinAdditions(*documents);
  context.copy_rate = copy_rate;
  context.seconds = timings->front().seconds;
  for (const CosineGraphTiming& timing : *timings) {
    AddRow(context, timing, report);
    const bool ours = timing.method == "join" || timing.method == "symmetric" ||
                      timing.method.compare(0, 4, "ours") == 0;
    if (!ours && timing.available) baselines[timing.method] = timing.seconds;
  }
  // The paper's is no competitor: the better of what a library user gets.
  CosineGraphTiming best;
  best.method = "better_library";
  best.available = false;
  best.note = "none ran";
  for (const auto& [method, seconds] : baselines) {
    if (method == "paper" || (best.available && seconds >= best.seconds)) {
      continue;
    }
    best.available = true;
    best.seconds = seconds;
    best.note = method;
  }
  if (!baselines.empty()) AddRow(context, best, report);
  return absl::OkStatus();
}

std::vector<std::string> DataFiles() {
  std::vector<std::string> files = absl::GetFlag(FLAGS_data);
  const char* folder = std::getenv("WARPCLUST_DATA");
  if (!files.empty() || folder == nullptr) return files;
  for (const char* below : {"", "/docs"}) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(
             absl::StrCat(folder, below), error)) {
      const std::string path = entry.path().string();
      if (path.size() > 10 &&
          path.compare(path.size() - 10, 10, "_tf.svm.gz") == 0) {
        files.push_back(path);
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

double MeasureMachine(Report& report) {
  const absl::StatusOr<double> copy = MeasureCopyRate();
  if (copy.ok()) report.Machine("device_copy_tb_per_second", *copy * 1e-12);
  const absl::StatusOr<double> gemm = MeasureGemmRate();
  if (gemm.ok()) {
    report.Machine("bf16_product_tflops", *gemm * 1e-12);
  } else {
    std::printf("# bf16_product_tflops\t%s\n",
                std::string(gemm.status().message()).c_str());
  }
  return copy.ok() ? *copy : 0;
}

absl::Status MeasureCollection(const std::string& set,
                               const DocumentMatrix& counts,
                               const std::vector<Setting>& settings,
                               double copy_rate,
                               CosineGraphMeasurementOptions options,
                               Report& report) {
  std::map<std::string, double> baselines;
  for (const Setting& setting : settings) {
    const absl::Status status = MeasureSetting(set, counts, setting, copy_rate,
                                               options, baselines, report);
    if (!status.ok()) return status;
    if (!absl::GetFlag(FLAGS_baselines_each_setting)) options.baselines.clear();
  }
  return absl::OkStatus();
}

absl::Status MeasureMillion(double copy_rate, Report& report) {
  const absl::StatusOr<Setting> setting =
      ParseSetting(absl::GetFlag(FLAGS_million_setting));
  if (!setting.ok()) return setting.status();
  ZipfDocumentsOptions shape;
  shape.num_documents = absl::GetFlag(FLAGS_million);
  shape.offset = absl::GetFlag(FLAGS_zipf_offset);
  CosineGraphMeasurementOptions options;
  options.repeat = absl::GetFlag(FLAGS_repeat);
  return MeasureCollection("zipf", ZipfDocuments(shape), {*setting}, copy_rate,
                           options, report);
}

absl::Status MeasureFiles(const std::vector<std::string>& files,
                          const std::vector<Setting>& settings,
                          double copy_rate,
                          const CosineGraphMeasurementOptions& options,
                          Report& report) {
  if (files.empty()) {
    ZipfDocumentsOptions shape;
    shape.num_documents = 3000;
    shape.num_terms = 20000;
    return MeasureCollection("generated", ZipfDocuments(shape), settings,
                             copy_rate, options, report);
  }
  for (const std::string& file : files) {
    const absl::StatusOr<LabelledDocuments> read = ReadSvmLight(file);
    if (!read.ok()) return read.status();
    const absl::Status status = MeasureCollection(
        std::filesystem::path(file).filename().string(), read->documents,
        settings, copy_rate, options, report);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

int Main() {
  const auto fail = [](const absl::Status& status, int code) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return code;
  };
  CosineGraphMeasurementOptions options;
  options.repeat = std::max(1, absl::GetFlag(FLAGS_repeat));
  options.paper_sources = std::max(1, absl::GetFlag(FLAGS_paper_sources));
  for (const std::string& name : absl::GetFlag(FLAGS_baselines)) {
    const absl::StatusOr<CosineGraphBaseline> baseline =
        ParseCosineGraphBaseline(name);
    if (!baseline.ok()) return fail(baseline.status(), 1);
    options.baselines.push_back(*baseline);
  }
  std::vector<Setting> settings;
  for (const std::string& text : absl::GetFlag(FLAGS_settings)) {
    const absl::StatusOr<Setting> setting = ParseSetting(text);
    if (!setting.ok()) return fail(setting.status(), 1);
    settings.push_back(*setting);
  }
  const absl::StatusOr<Device> device = ResolveDevice(Device::kCuda);
  if (!device.ok()) return fail(device.status(), 3);

  Report report;
  const double copy_rate = MeasureMachine(report);
  const std::vector<std::string> files = DataFiles();
  absl::Status status;
  if (absl::GetFlag(FLAGS_million) > 0) {
    status = MeasureMillion(copy_rate, report);
  }
  if (status.ok() && (absl::GetFlag(FLAGS_million) == 0 || !files.empty())) {
    status = MeasureFiles(files, settings, copy_rate, options, report);
  }
  if (const char* path = std::getenv("BENCHMARK_OUT")) report.WriteJson(path);
  return status.ok() ? 0 : fail(status, 2);
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("times the CUDA cosine graph and its baselines");
  absl::ParseCommandLine(argc, argv);
  return warpclust::Main();
}
