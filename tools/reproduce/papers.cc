// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/papers.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "tools/reproduce/correlation/experiments.h"
#include "tools/reproduce/data/data_sets.h"
#include "tools/reproduce/data/embedded.h"
#include "tools/reproduce/density_peaks/experiments.h"
#include "tools/reproduce/oclustr/experiments.h"
#include "tools/reproduce/online/experiments.h"

namespace warpclust {
namespace {

struct Reproduction {
  Paper paper;
  absl::string_view values;
  std::vector<absl::Status (*)(DataSets*, Lab*)> experiments;
};

const std::vector<Reproduction>& Reproductions() {
  static const auto* const all = new std::vector<Reproduction>{
      {OClustRPaper(),
       OClustRValuesTsv(),
       {RunStaticExperiments, RunIncrementalExperiments}},
      {OnlinePaper(), OnlineValuesTsv(), {RunOnlineExperiments}},
      {CorrelationPaper(), CorrelationValuesTsv(), {RunCorrelationExperiments}},
      {DensityPeaksPaper(),
       DensityPeaksValuesTsv(),
       {RunGdpcExperiments, RunIncrementalGdpcExperiments}},
  };
  return *all;
}

const Reproduction* Find(absl::string_view key) {
  for (const Reproduction& one : Reproductions()) {
    if (one.paper.key == key) return &one;
  }
  return nullptr;
}

}  // namespace

std::vector<absl::string_view> PaperKeys() {
  std::vector<absl::string_view> keys;
  for (const Reproduction& one : Reproductions()) keys.push_back(one.paper.key);
  return keys;
}

std::vector<Exhibit> ExhibitsOf(absl::string_view key) {
  return Find(key)->paper.exhibits;
}

absl::StatusOr<Report> ReproducePaper(absl::string_view key,
                                      const std::string& data,
                                      const LabSettings& settings) {
  const Reproduction& one = *Find(key);
  ASSIGN_OR_RETURN(std::vector<PublishedValue> published,
                   ParsePublishedValues(one.values, absl::StrCat(key, ".tsv")));
  ASSIGN_OR_RETURN(DataSets sets,
                   DataSets::Open({.paper = std::string(key),
                                   .folder = data,
                                   .quick = settings.quick,
                                   .scratch = settings.scratch,
                                   .num_threads = settings.threads}));
  Lab lab(one.paper, std::move(published), settings);
  for (const auto& run : one.experiments) RETURN_IF_ERROR(run(&sets, &lab));
  Report report = lab.Finish();
  report.files = sets.files();
  return report;
}

}  // namespace warpclust
