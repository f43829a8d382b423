// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/text/json_text.h"
#include "tools/reproduce/frame/report.h"

namespace warpclust {
namespace {

std::string OrNull(const std::optional<double>& value) {
  return value.has_value() ? JsonDouble(*value) : "null";
}

std::string OrNull(absl::string_view text) {
  return text.empty() ? "null" : JsonQuote(text);
}

std::string RowJson(const ReportRow& row) {
  return JsonObject({{"exhibit", JsonQuote(row.exhibit)},
                     {"part", JsonQuote(row.part)},
                     {"row", JsonQuote(row.row)},
                     {"column", JsonQuote(row.column)},
                     {"paper", OrNull(row.paper)},
                     {"ours", OrNull(row.ours)},
                     {"unit", JsonQuote(row.unit)},
                     {"data_set", OrNull(row.data_set)},
                     {"stand_in", OrNull(row.stand_in)},
                     {"command", JsonQuote(row.command)},
                     {"device", OrNull(row.device)},
                     {"seconds", OrNull(row.seconds)},
                     {"note", JsonQuote(row.note)}});
}

std::string FileJson(const DataFile& file) {
  return JsonObject({{"name", JsonQuote(file.name)},
                     {"source", JsonQuote(file.source)},
                     {"recipe", JsonQuote(file.recipe)},
                     {"sha256", JsonQuote(file.sha256)},
                     {"found_sha256", OrNull(file.found_sha256)}});
}

std::string ExhibitJson(const Exhibit& exhibit) {
  return JsonObject({{"name", JsonQuote(exhibit.name)},
                     {"title", JsonQuote(exhibit.title)},
                     {"note", JsonQuote(exhibit.note)}});
}

// An array with a line per element.
template <typename T>
std::string Lines(const std::vector<T>& values,
                  std::string (*json)(const T& value)) {
  std::string out = "[";
  const char* before = "\n  ";
  for (const T& value : values) {
    absl::StrAppend(&out, before, json(value));
    before = ",\n  ";
  }
  return absl::StrCat(out, "\n ]");
}

}  // namespace

std::string ReportJson(const Report& report) {
  return absl::StrCat(
      "{\"tool\":\"reproduce\",\"version\":", JsonQuote(report.version),
      ",\n \"paper\":", JsonQuote(report.paper.key),
      ",\n \"citation\":", JsonQuote(report.paper.citation),
      ",\n \"quick\":", report.quick ? "true" : "false",
      ",\n \"device\":", JsonQuote(report.device),
      ",\n \"threads\":", report.threads, ",\n \"seed\":", report.seed,
      ",\n \"exhibits\":", Lines(report.paper.exhibits, ExhibitJson),
      ",\n \"files\":", Lines(report.files, FileJson),
      ",\n \"rows\":", Lines(report.rows, RowJson), "}\n");
}

}  // namespace warpclust
