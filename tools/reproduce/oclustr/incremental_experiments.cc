// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "algorithms/dclustr/dclustr.h"
#include "algorithms/dclustr/dclustr_in_memory.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "eval/cover_agreement.h"
#include "sparse/matrix/append_rows.h"
#include "tools/cli/run_report.h"
#include "tools/reproduce/oclustr/experiments.h"
#include "tools/reproduce/oclustr/orders.h"

namespace warpclust {
namespace {

// The rows [begin, end) of `documents`, of which row 0 is document `first` of
// the collection.
DClustRBatch BatchOf(const DocumentMatrix& documents, int32_t begin,
                     int32_t end, int32_t first) {
  DClustRBatch batch;
  AppendRows(documents, begin, end, &batch.added);
  for (int32_t d = begin; d < end; ++d) {
    batch.added_ids.push_back(absl::StrCat(first + d));
  }
  return batch;
}

absl::StatusOr<DClustRStoreOptions> PaperRules(const BetaName& beta) {
  DClustRStoreOptions options;
  options.mode = DClustRMode::kDClustR;
  ASSIGN_OR_RETURN(options.beta, ParseDecimal(beta.text));
  return options;
}

absl::StatusOr<DClustRCollection> CreateStore(const std::string& folder,
                                              const BetaName& beta) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  ASSIGN_OR_RETURN(const DClustRStoreOptions options, PaperRules(beta));
  return DClustRCollection::Create(folder, options);
}

DClustRRunOptions RunOptions(Device device, int threads) {
  DClustRRunOptions run;
  run.device = device;
  run.num_threads = threads;
  return run;
}

// The covers of Table 5, one after each part, with items numbered as in
// `parts`. The documents of a part come in a random order, or with seed 0 as
// they are.
template <typename Collection>
absl::StatusOr<std::vector<Cover>> CoversAfterParts(
    const std::vector<DataSet<DocumentMatrix>>& parts, uint64_t seed,
    const DClustRRunOptions& run, Collection* collection) {
  std::vector<Cover> covers;
  std::vector<int32_t> order;
  for (const DataSet<DocumentMatrix>& part : parts) {
    const int32_t n = part.data.num_documents();
    const auto before = static_cast<int32_t>(order.size());
    std::vector<int32_t> own(n);
    std::iota(own.begin(), own.end(), 0);
    if (seed != 0) own = RandomOrder(n, seed);
    RETURN_IF_ERROR(
        collection->Update(BatchOf(InOrder(part.data, own), 0, n, before), run)
            .status());
    for (const int32_t d : own) order.push_back(before + d);
    ASSIGN_OR_RETURN(const DClustRClusters clusters,
                     collection->Read(run.num_threads));
    covers.push_back(RenamedCover(clusters.cover, order));
  }
  return covers;
}

absl::Status Table5(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Table 5")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  std::vector<DataSet<DocumentMatrix>> parts;
  for (const char* name : {"Reu-30K", "Reu-20K, added", "Reu-10K, added"}) {
    ASSIGN_OR_RETURN(DataSet<DocumentMatrix> set, sets->Documents(name));
    parts.push_back(std::move(set));
  }
  size_t left = std::size(kBetas);
  for (const BetaName& beta : kBetas) {
    const Stopwatch clock;
    const double time_limit = lab->SecondsLeft() / static_cast<double>(left--);
    ASSIGN_OR_RETURN(const DClustRStoreOptions options, PaperRules(beta));
    ASSIGN_OR_RETURN(DClustRInMemory memory, DClustRInMemory::Create(options));
    ASSIGN_OR_RETURN(
        const std::vector<Cover> truth,
        CoversAfterParts(parts, 0, RunOptions(Device::kCpu, settings.threads),
                         &memory));
    const int orders = lab->Sized(1, 20);
    std::vector<CoverAgreement> agreements(parts.size());
    for (int i = 0; i < orders; ++i) {
      if (i > 0 && clock.Seconds() > time_limit) break;
      ASSIGN_OR_RETURN(DClustRCollection store,
                       CreateStore(settings.scratch + "/table5", beta));
      ASSIGN_OR_RETURN(
          const std::vector<Cover> covers,
          CoversAfterParts(parts, settings.seed + static_cast<uint64_t>(i),
                           RunOptions(settings.device, settings.threads),
                           &store));
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
      for (const auto& [part, value] :
           {std::pair("FBCubed", agreements[p].fbcubed()),
            {"NMI", agreements[p].nmi_lfk()}}) {
        lab->Add(parts[p].In(
            {.part = part,
             .row = beta.part,
             .column = columns[p],
             .ours = value,
             .device = DeviceText(settings.device, settings.threads),
             .seconds = clock.Seconds(),
             .note = AgreementNote(agreements[p], orders)}));
      }
    }
  }
  return absl::OkStatus();
}

// The collection that documents are added to, in both forms.
struct Base {
  const BetaName* beta;
  const DataSet<DocumentMatrix>* documents;
  DClustRInMemory memory;
  std::string store;  // A folder.
};

absl::StatusOr<Base> MakeBase(const BetaName& beta,
                              const DataSet<DocumentMatrix>& documents,
                              const LabSettings& settings) {
  ASSIGN_OR_RETURN(const DClustRStoreOptions options, PaperRules(beta));
  ASSIGN_OR_RETURN(DClustRInMemory memory, DClustRInMemory::Create(options));
  const DClustRBatch batch =
      BatchOf(documents.data, 0, documents.data.num_documents(), 0);
  const DClustRRunOptions run = RunOptions(settings.device, settings.threads);
  RETURN_IF_ERROR(memory.Update(batch, run).status());
  Base base = {&beta, &documents, std::move(memory),
               settings.scratch + "/figure18"};
  ASSIGN_OR_RETURN(DClustRCollection store, CreateStore(base.store, beta));
  RETURN_IF_ERROR(store.Update(batch, run).status());
  return base;
}

// An update by both programs.
struct Update {
  int32_t documents = 0;  // Afterwards.
  double memory_seconds = 0;
  double store_seconds = 0;
  DClustRUpdate memory;
  DClustRUpdate store;
};

// Adds `size` documents again and again to copies of the base.
absl::StatusOr<std::vector<Update>> MeasureUpdates(const Base& base,
                                                   const DocumentMatrix& added,
                                                   int32_t size,
                                                   double time_limit,
                                                   const Lab& lab) {
  const LabSettings& settings = lab.settings();
  const Stopwatch clock;
  const std::string copy = base.store + "_copy";
  std::error_code error;
  std::filesystem::remove_all(copy, error);
  std::filesystem::copy(base.store, copy, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(copy, ": ", error.message()));
  }
  DClustRInMemory memory = base.memory;
  ASSIGN_OR_RETURN(DClustRCollection store, DClustRCollection::Open(copy));
  const int32_t first = base.documents->data.num_documents();
  std::vector<Update> updates;
  const int most = lab.Sized(2, 10);
  for (int32_t at = 0; at + size <= added.num_documents(); at += size) {
    if (static_cast<int>(updates.size()) == most ||
        (!updates.empty() && clock.Seconds() > time_limit)) {
      break;
    }
    const DClustRBatch batch = BatchOf(added, at, at + size, first);
    Update update;
    Stopwatch watch;
    ASSIGN_OR_RETURN(update.memory,
                     memory.Update(batch, RunOptions(Device::kCpu, 1)));
    update.memory_seconds = watch.Lap();
    ASSIGN_OR_RETURN(
        update.store,
        store.Update(batch, RunOptions(settings.device, settings.threads)));
    update.store_seconds = watch.Lap();
    update.documents = update.store.documents;
    updates.push_back(update);
  }
  return updates;
}

// Figure 18 for one β and N.
void AddTimes(const std::vector<Update>& updates, const std::string& part,
              const DataSet<DocumentMatrix>& added, Lab* lab) {
  const LabSettings& settings = lab->settings();
  const std::string device = DeviceText(settings.device, settings.threads);
  double ratio = 0;
  for (const Update& update : updates) {
    const std::string row = absl::StrCat(update.documents);
    lab->Add(added.In({.part = part,
                       .row = row,
                       .column = "DClustR",
                       .ours = update.memory_seconds,
                       .unit = "s",
                       .device = DeviceText(Device::kCpu, 1),
                       .seconds = update.memory_seconds}));
    lab->Add(added.In({.part = part,
                       .row = row,
                       .column = "CUDA-DClus",
                       .ours = update.store_seconds,
                       .unit = "s",
                       .device = device,
                       .seconds = update.store_seconds}));
    ratio += update.memory_seconds / update.store_seconds;
  }
  const auto count = static_cast<double>(updates.size());
  lab->Add(added.In({.part = part,
                     .row = "all",
                     .column = "speed-up",
                     .ours = ratio / count,
                     .unit = "×",
                     .device = device,
                     .note = absl::StrCat(updates.size(), " updates")}));
}

// Means over updates, by column, as Figure 19 has them.
using Loads = std::vector<std::pair<std::string, double>>;

Loads MeanLoads(const std::vector<Update>& updates) {
  Loads loads = {{"DClustR", 0},
                 {"CUDA-DClus", 0},
                 {"CUDA-DClus, partial ones", 0},
                 {"DClustR, documents", 0},
                 {"CUDA-DClus, documents", 0}};
  const auto count = static_cast<double>(updates.size());
  for (const Update& update : updates) {
    const double values[] = {
        static_cast<double>(update.memory.loads.components),
        static_cast<double>(update.store.cover.affected_connected),
        static_cast<double>(update.store.loads.components),
        static_cast<double>(update.memory.loads.vertices),
        static_cast<double>(update.store.loads.vertices)};
    for (size_t c = 0; c < loads.size(); ++c) {
      loads[c].second += values[c] / count;
    }
  }
  return loads;
}

absl::Status Figures18And19(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 18")) return absl::OkStatus();
  ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> documents,
                   sets->Documents("Reu-50K"));
  ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> added,
                   sets->Documents("Tdt-65K"));
  std::vector<ReportRow> figure19;
  constexpr int32_t kSizes[] = {1000, 5000, 10000};
  size_t betas_left = std::size(kBetas);
  for (const BetaName& beta : kBetas) {
    // The base of a β takes from its share of the time.
    const double end = lab->SecondsLeft() -
                       lab->SecondsLeft() / static_cast<double>(betas_left--);
    ASSIGN_OR_RETURN(const Base base,
                     MakeBase(beta, documents, lab->settings()));
    size_t left = std::size(kSizes);
    double fewer_components = 0;
    double fewer_documents = 0;
    for (const int32_t size : kSizes) {
      const int32_t measured = lab->Sized(size / 50, size);
      const double share =
          lab->settings().time_limit > 0
              ? (lab->SecondsLeft() - end) / static_cast<double>(left)
              : lab->SecondsLeft();
      --left;
      ASSIGN_OR_RETURN(const std::vector<Update> updates,
                       MeasureUpdates(base, added.data, measured, share, *lab));
      if (updates.empty()) continue;
      AddTimes(updates, absl::StrCat(beta.part, ", N = ", GroupDigits(size)),
               added, lab);
      const Loads loads = MeanLoads(updates);
      for (const auto& [column, value] : loads) {
        figure19.push_back(added.In(
            {.part = beta.part,
             .row = GroupDigits(size),
             .column = column,
             .ours = value,
             .unit = absl::StrContains(column, "documents") ? "documents"
                                                            : "components",
             .note = absl::StrCat("mean of ", updates.size(), " updates of ",
                                  measured)}));
      }
      const auto sizes = static_cast<double>(std::size(kSizes));
      fewer_components += 100 * (1 - loads[1].second / loads[0].second) / sizes;
      fewer_documents += 100 * (1 - loads[4].second / loads[3].second) / sizes;
    }
    // The paper counts components; most are single documents.
    for (const auto& [column, value] :
         {std::pair("less memory", fewer_components),
          {"fewer documents", fewer_documents}}) {
      figure19.push_back(
          added.In({.part = beta.part,
                    .row = "all",
                    .column = column,
                    .ours = value,
                    .unit = "%",
                    .note = "mean over N; the paper's memory is the number of "
                            "connected components, of which most are small"}));
    }
  }
  if (!lab->Begin("Figure 19")) return absl::OkStatus();
  for (ReportRow& row : figure19) lab->Add(std::move(row));
  return absl::OkStatus();
}

}  // namespace

absl::Status RunIncrementalExperiments(DataSets* sets, Lab* lab) {
  RETURN_IF_ERROR(Table5(sets, lab));
  return Figures18And19(sets, lab);
}

}  // namespace warpclust
