// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/machine/stopwatch.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "eval/cover_agreement.h"
#include "sparse/matrix/compact_terms.h"
#include "tools/reproduce/oclustr/experiments.h"
#include "tools/reproduce/oclustr/orders.h"

namespace warpclust {
namespace {

constexpr const char* kCollections[] = {"Reu-10K", "Reu-20K", "Reu-30K",
                                        "Reu-40K", "Reu-50K", "Reu-60K",
                                        "Reu-70K"};
// Those of Table 4.
constexpr int kInTable4 = 5;

absl::StatusOr<OClustRResult> Cluster(const DocumentMatrix& documents,
                                      const BetaName& beta, Device device,
                                      int threads) {
  OClustRDocumentsOptions options;
  ASSIGN_OR_RETURN(options.graph.beta, ParseDecimal(beta.text));
  options.graph.num_threads = threads;
  options.device = device;
  return OClustRDocuments(documents, options);
}

absl::Status Table3(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Table 3")) return absl::OkStatus();
  std::vector<const char*> names(std::begin(kCollections),
                                 std::end(kCollections));
  names.push_back("Tdt-65K");
  for (const char* name : names) {
    ASSIGN_OR_RETURN(DataSet<DocumentMatrix> set, sets->Documents(name));
    CompactTerms(&set.data);
    const double n = set.data.num_documents();
    const std::pair<const char*, double> values[] = {
        {"#Docs.", n},
        {"#Terms", set.data.num_terms},
        {"Terms/Docs.", static_cast<double>(set.data.num_entries()) / n}};
    for (const auto& [column, value] : values) {
      lab->Add(set.In({.row = name, .column = column, .ours = value}));
    }
  }
  return absl::OkStatus();
}

// One column of one line of Table 4.
absl::Status CompareOrders(const DataSet<DocumentMatrix>& set, const char* name,
                           const BetaName& beta, double time_limit, Lab* lab) {
  const LabSettings& settings = lab->settings();
  const Stopwatch clock;
  const int32_t n = set.data.num_documents();
  std::vector<int32_t> order(n);
  for (int32_t i = 0; i < n; ++i) order[i] = i;
  ASSIGN_OR_RETURN(const OClustRResult given,
                   Cluster(set.data, beta, Device::kCpu, settings.threads));
  const Cover truth = RenamedCover(given.cover, order);
  const int orders = lab->Sized(2, 20);
  CoverAgreement agreement;
  for (int i = 0; i < orders; ++i) {
    if (i > 0 && clock.Seconds() > time_limit) break;
    order = RandomOrder(n, settings.seed + static_cast<uint64_t>(i));
    ASSIGN_OR_RETURN(const OClustRResult result,
                     Cluster(InOrder(set.data, order), beta, settings.device,
                             settings.threads));
    RETURN_IF_ERROR(agreement.Add(truth, RenamedCover(result.cover, order), n,
                                  settings.threads));
  }
  const std::pair<const char*, double> values[] = {
      {"FBCubed", agreement.fbcubed()}, {"NMI", agreement.nmi_lfk()}};
  for (const auto& [part, value] : values) {
    lab->Add(set.In({.part = part,
                     .row = beta.part,
                     .column = name,
                     .ours = value,
                     .device = DeviceText(settings.device, settings.threads),
                     .seconds = clock.Seconds(),
                     .note = AgreementNote(agreement, orders)}));
  }
  return absl::OkStatus();
}

absl::Status Table4(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Table 4")) return absl::OkStatus();
  int left = kInTable4 * static_cast<int>(std::size(kBetas));
  for (int c = 0; c < kInTable4; ++c) {
    ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> set,
                     sets->Documents(kCollections[c]));
    for (const BetaName& beta : kBetas) {
      RETURN_IF_ERROR(CompareOrders(set, kCollections[c], beta,
                                    lab->SecondsLeft() / left--, lab));
    }
  }
  return absl::OkStatus();
}

absl::Status Figure17(DataSets* sets, Lab* lab) {
  if (!lab->Begin("Figure 17")) return absl::OkStatus();
  const LabSettings& settings = lab->settings();
  double ratios[std::size(kBetas)] = {};
  int counts[std::size(kBetas)] = {};
  for (const char* name : kCollections) {
    ASSIGN_OR_RETURN(const DataSet<DocumentMatrix> set, sets->Documents(name));
    for (size_t b = 0; b < std::size(kBetas); ++b) {
      const auto time = [&](const char* column, Device device, int threads) {
        return lab->Time(
            set.In({.part = kBetas[b].part,
                    .row = name,
                    .column = column,
                    .unit = "s",
                    .device = DeviceText(device, threads)}),
            [&]() -> absl::StatusOr<double> {
              const Stopwatch clock;
              RETURN_IF_ERROR(
                  Cluster(set.data, kBetas[b], device, threads).status());
              return clock.Seconds();
            });
      };
      ASSIGN_OR_RETURN(const std::optional<double> cuda,
                       time("CUDA-OClus", settings.device, settings.threads));
      ASSIGN_OR_RETURN(const std::optional<double> cpu,
                       time("OClustR", Device::kCpu, 1));
      if (cpu.has_value() && cuda.has_value()) {
        ratios[b] += *cpu / *cuda;
        ++counts[b];
      }
    }
  }
  for (size_t b = 0; b < std::size(kBetas); ++b) {
    if (counts[b] == 0) continue;
    lab->Add({.part = kBetas[b].part,
              .row = "all",
              .column = "speed-up",
              .ours = ratios[b] / counts[b],
              .device = DeviceText(settings.device, settings.threads),
              .note = absl::StrCat(counts[b], " of ", std::size(kCollections),
                                   " collections")});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunStaticExperiments(DataSets* sets, Lab* lab) {
  RETURN_IF_ERROR(Table3(sets, lab));
  RETURN_IF_ERROR(Table4(sets, lab));
  return Figure17(sets, lab);
}

}  // namespace warpclust
