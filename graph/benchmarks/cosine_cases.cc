// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/cosine_cases.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "sparse/io/svmlight.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/labelled_documents.h"

ABSL_FLAG(std::vector<std::string>, settings,
          std::vector<std::string>({"tf:0.25", "tf:0.35", "tfidf:0.25",
                                    "tfidf:0.35"}),
          "weighting:beta, ...");

namespace warpclust {

absl::StatusOr<std::vector<DocumentCollection>> DocumentCollections(
    const std::vector<std::string>& names,
    absl::FunctionRef<DocumentMatrix()> generate) {
  std::vector<std::string> suffixes;
  for (const std::string& name : names) {
    suffixes.push_back(absl::StrCat(name, "_tf.svm.gz"));
  }
  if (names.empty()) suffixes = {"_tf.svm.gz"};
  std::vector<DocumentCollection> collections;
  for (const std::string& path : BenchmarkFiles(suffixes)) {
    ASSIGN_OR_RETURN(LabelledDocuments read, ReadSvmLight(path));
    collections.push_back(
        {BenchmarkDataName(path),
         std::make_shared<DocumentMatrix>(std::move(read.documents))});
  }
  if (collections.empty()) {
    collections.push_back(
        {"generated", std::make_shared<DocumentMatrix>(generate())});
  }
  return collections;
}

absl::StatusOr<std::vector<CosineSetting>> CosineSettings() {
  std::vector<CosineSetting> settings;
  for (const std::string& text : absl::GetFlag(FLAGS_settings)) {
    const std::vector<std::string> parts = absl::StrSplit(text, ':');
    if (parts.size() != 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("--settings: expected weighting:beta, found ", text));
    }
    CosineSetting setting;
    ASSIGN_OR_RETURN(setting.weighting, ParseWeighting(parts[0]));
    ASSIGN_OR_RETURN(setting.beta, ParseDecimal(parts[1]));
    settings.push_back(setting);
  }
  return settings;
}

std::string CosineCaseName(const std::string& collection,
                           const CosineSetting& setting) {
  return absl::StrCat(collection, "/", WeightingName(setting.weighting),
                      "/beta=", FormatDecimal(setting.beta));
}

absl::StatusOr<std::vector<CosineCase>> CosineCases(
    const std::vector<DocumentCollection>& collections,
    const std::vector<CosineSetting>& settings) {
  std::vector<CosineCase> cases;
  for (const DocumentCollection& collection : collections) {
    std::map<Weighting, std::shared_ptr<const DocumentMatrix>> weighted;
    for (const CosineSetting& setting : settings) {
      auto& documents = weighted[setting.weighting];
      if (documents == nullptr) {
        ASSIGN_OR_RETURN(DocumentMatrix matrix,
                         ApplyWeighting(*collection.counts, setting.weighting));
        documents = std::make_shared<DocumentMatrix>(std::move(matrix));
      }
      cases.push_back({CosineCaseName(collection.name, setting),
                       collection.name, setting, documents});
    }
  }
  return cases;
}

DocumentMatrix RowsOf(const DocumentMatrix& documents, int32_t begin,
                      int32_t end) {
  DocumentMatrix rows;
  AppendRows(documents, begin, end, &rows);
  return rows;
}

}  // namespace warpclust
