// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/append_rows.h"
#include "tools/cli/run_report.h"
#include "tools/reproduce/oclustr/experiments.h"
#include "tools/reproduce/oclustr/orders.h"

namespace warpclust {
namespace {

// The rows [begin, end) of `documents`, which are documents number `first` on
// of the collection.
DClustRBatch BatchOf(const DocumentMatrix& documents, int32_t begin,
                     int32_t end, int32_t first) {
  DClustRBatch batch;
  AppendRows(documents, begin, end, &batch.added);
  for (int32_t d = begin; d < end; ++d) {
    batch.added_ids.push_back(absl::StrCat(first + d));
  }
  return batch;
}

absl::StatusOr<DClustRCollection> CreateStore(const std::string& folder,
                                              const BetaName& beta) {
  DClustRStoreOptions options;
  options.mode = DClustRMode::kDClustR;
  ASSIGN_OR_RETURN(options.beta, ParseDecimal(beta.text));
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  return DClustRCollection::Create(folder, options);
}

// The covers of Table 5: after each addition, with items numbered as in
// `parts`, whose documents come in the order of `seed`, or as they are if 0.
absl::StatusOr<std::vector<Cover>> CoversAfterAdditions(
    const std::vector<DataSet<DocumentMatrix>>& parts, const BetaName& beta,
    uint64_t seed, const DClustRRunOptions& run, const std::string& folder) {
  ASSIGN_OR_RETURN(DClustRCollection collection, CreateStore(folder, beta));
  std::vector<Cover> covers;
  std::vector<int32_t> order;
  for (const DataSet<DocumentMatrix>& part : parts) {
    const int32_t n = part.data.num_documents();
    const auto before = static_cast<int32_t>(order.size());
    std::vector<int32_t> own(n);
    for (int32_t d = 0; d < n; ++d) own[d] = d;
    if (seed != 0) own = RandomOrder(n, seed);
    RETURN_IF_ERROR(
        collection.Update(BatchOf(InOrder(part.data, own), 0, n, before), run)
            .status());
    for (const int32_t d : own) order.push_back(before + d);
    ASSIGN_OR_RETURN(const DClustRClusters clusters,
                     collection.Read(run.num_threads));
    covers.push_back(Renamed(clusters.cover, order));
  }
  return covers;
}

DClustRRunOptions RunOptions(Device device, int threads) {
  DClustRRunOptions run;
  run.device = device;
  run.num_threads = threads;
  return run;
}

absl::Status Table5(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Table 5")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  std::vector<DataSet<DocumentMatrix>> parts;
  for (const char* name : {"Reu-30K", "Reu-20K, added", "Reu-10K, added"}) {
    ASSIGN_OR_RETURN(DataSet<DocumentMatrix> set, sets->Documents(name));
    parts.push_back(std::move(set));
  }
  const std::string folder = settings.scratch + "/table5";
  size_t left = std::size(kBetas);
  for (const BetaName& beta : kBetas) {
    const Stopwatch clock;
    const double time_limit = lab->SecondsLeft() / static_cast<double>(left--);
    ASSIGN_OR_RETURN(const std::vector<Cover> truth,
                     CoversAfterAdditions(
                         parts, beta, 0,
                         RunOptions(Device::kCpu, settings.threads), folder));
    const int orders = lab->Sized(2, 20);
    std::vector<Agreement> agreements(parts.size());
    for (int i = 0; i < orders; ++i) {
      if (i > 0 && clock.Seconds() > time_limit) break;
      ASSIGN_OR_RETURN(
          const std::vector<Cover> covers,
          CoversAfterAdditions(
              parts, beta, settings.seed + static_cast<uint64_t>(i),
              RunOptions(settings.device, settings.threads), folder));
      int32_t n = 0;
      for (size_t p = 0; p < parts.size(); ++p) {
        n += parts[p].data.num_documents();
        RETURN_IF_ERROR(
            agreements[p].Add(truth[p], covers[p], n, settings.threads));
      }
    }
    const char* columns[] = {"Reu-30K", "Reu-30K+Reu-20K",
                             "Reu-30K+Reu-20K+Reu-10K"};
    for (size_t p = 0; p < parts.size(); ++p) {
      const std::pair<const char*, double> values[] = {
          {"FBCubed", agreements[p].fbcubed()}, {"NMI", agreements[p].nmi()}};
      for (const auto& [part, value] : values) {
        lab->Add(parts[p].In(
            {.part = part,
             .row = beta.part,
             .column = columns[p],
             .ours = value,
             .device = DeviceText(settings.device, settings.threads),
             .seconds = clock.Seconds(),
             .note = absl::StrCat(
                 agreements[p].Note(),
                 agreements[p].count() < orders ? "; cut: time limit" : "")}));
      }
    }
  }
  return absl::OkStatus();
}

// What the updates of one N have in common.
struct Updates {
  const DataSet<DocumentMatrix>* base;
  const DataSet<DocumentMatrix>* added;
  const BetaName* beta;
  int32_t n = 0;      // Documents per update.
  int32_t shown = 0;  // The paper's N.
};

// Figures 18 and 19 share their runs. Rows of Figure 19 are returned.
absl::Status MeasureUpdates(const Updates& updates, const std::string& folder,
                            double time_limit, Lab* lab,
                            std::vector<ReportRow>* loads) {
  const LabSettings& settings = lab->settings();
  const DClustRRunOptions run = RunOptions(settings.device, settings.threads);
  const Stopwatch clock;
  ASSIGN_OR_RETURN(DClustRCollection collection,
                   DClustRCollection::Open(folder));
  const std::string part =
      absl::StrCat(updates.beta->part, ", N = ", GroupDigits(updates.shown));
  const int32_t base = updates.base->data.num_documents();
  const int32_t most = std::min(updates.added->data.num_documents(),
                                lab->Sized(2, 10) * updates.n);
  int count = 0;
  double components = 0;
  double documents = 0;
  double all_components = 0;
  double all_documents = 0;
  for (int32_t at = 0; at + updates.n <= most; at += updates.n) {
    if (count > 0 && clock.Seconds() > time_limit) break;
    const DClustRBatch batch =
        BatchOf(updates.added->data, at, at + updates.n, base);
    const Stopwatch update_clock;
    ASSIGN_OR_RETURN(const DClustRUpdate update, collection.Update(batch, run));
    const double seconds = update_clock.Seconds();
    ++count;
    lab->Add(updates.added->In(
        {.part = part,
         .row = absl::StrCat(update.documents),
         .column = "CUDA-DClus",
         .ours = seconds,
         .unit = "s",
         .device = DeviceText(settings.device, settings.threads),
         .seconds = seconds}));
    components += static_cast<double>(update.loads.components);
    documents += static_cast<double>(update.loads.vertices);
    all_components += update.components;
    all_documents += update.documents;
  }
  const std::pair<const char*, double> values[] = {
      {"CUDA-DClus, components", components},
      {"all components", all_components},
      {"CUDA-DClus, documents", documents},
      {"all documents", all_documents}};
  for (const auto& [column, sum] : values) {
    ReportRow row = updates.added->In(
        {.part = updates.beta->part,
         .row = GroupDigits(updates.shown),
         .column = column,
         .unit = std::string(column).ends_with("components") ? "components"
                                                             : "documents",
         .note = absl::StrCat("mean of ", count, " updates of ", updates.n)});
    if (count > 0) row.ours = sum / count;
    loads->push_back(std::move(row));
  }
  return absl::OkStatus();
}

absl::Status Figures18And19(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 18")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> base,
                   sets->Documents("Reu-50K"));
  ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> added,
                   sets->Documents("Tdt-65K"));
  std::vector<ReportRow> loads;
  constexpr int32_t kShown[] = {1000, 5000, 10000};
  size_t left = std::size(kBetas) * std::size(kShown);
  for (const BetaName& beta : kBetas) {
    const std::string store = settings.scratch + "/figure18";
    {
      ASSIGN_OR_RETURN(DClustRCollection collection, CreateStore(store, beta));
      RETURN_IF_ERROR(
          collection
              .Update(BatchOf(base.data, 0, base.data.num_documents(), 0),
                      RunOptions(settings.device, settings.threads))
              .status());
    }
    for (const int32_t shown : kShown) {
      const double share = lab->SecondsLeft() / static_cast<double>(left--);
      const std::string copy = store + "_copy";
      std::error_code error;
      std::filesystem::remove_all(copy, error);
      std::filesystem::copy(store, copy, error);
      if (error) {
        return absl::UnavailableError(
            absl::StrCat(copy, ": ", error.message()));
      }
      RETURN_IF_ERROR(MeasureUpdates(
          {&base, &added, &beta, lab->Sized(shown / 50, shown), shown}, copy,
          share, lab, &loads));
    }
  }
  if (!lab->Begin("Figure 19")) return absl::OkStatus();
  for (ReportRow& row : loads) lab->Add(std::move(row));
  return absl::OkStatus();
}

}  // namespace

absl::Status RunIncrementalExperiments(DataSets* sets, Lab* lab) {
  RETURN_IF_ERROR(Table5(sets, lab));
  return Figures18And19(sets, lab);
}

}  // namespace warpclust
