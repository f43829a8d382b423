// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/read_cover.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/text_documents.h"
#include "tools/cli/run_report.h"
#include "tools/input/input_format.h"

namespace warpclust {
namespace {

absl::StatusOr<NamedCover> ReadLabels(LineReader& lines, IdMap* ids,
                                      absl::string_view id_field) {
  JsonLinesOptions options;
  options.id_field = std::string(id_field);
  options.text_required = false;
  absl::StatusOr<TextDocuments> documents = ReadJsonLines(lines, options);
  if (!documents.ok()) {
    // An error in line 1 may mean another kind of JSON.
    if (!absl::StrContains(documents.status().message(), ":1: ")) {
      return documents.status();
    }
    return absl::Status(
        documents.status().code(),
        absl::StrCat(documents.status().message(),
                     "; expected lines id<TAB>cluster or JSON Lines with "
                     "\"id\" and \"labels\", not the output of "
                     "--format=json"));
  }
  IdMap labels;
  std::vector<std::vector<int32_t>> members;
  for (size_t d = 0; d < documents->ids.size(); ++d) {
    if (documents->labels[d].empty()) continue;
    const int32_t item = ids->Add(documents->ids[d]);
    for (const std::string& label : documents->labels[d]) {
      const int32_t cluster = labels.Add(label);
      if (cluster < 0 || item < 0) {
        return absl::InvalidArgumentError(
            absl::StrCat(lines.name(), ": more than 2147483647 names"));
      }
      if (cluster == static_cast<int32_t>(members.size())) {
        members.emplace_back();
      }
      members[cluster].push_back(item);
    }
  }
  if (members.empty() && !documents->ids.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ": expected \"labels\" in JSON Lines, found none in ",
        Counted(static_cast<int64_t>(documents->ids.size()),
                {"document", "documents"})));
  }
  NamedCover result;
  for (std::vector<int32_t>& cluster : members) {
    // Another file may have numbered the ids, in another order.
    std::sort(cluster.begin(), cluster.end());
    result.cover.Append(cluster);
  }
  result.cluster_names = labels.TakeNames();
  return result;
}

}  // namespace

absl::StatusOr<NamedCover> ReadNamedCover(absl::string_view path, IdMap* ids,
                                          absl::string_view id_field,
                                          bool* is_json, WorkShare* work) {
  ASSIGN_OR_RETURN(InputFormat format, DetectInputFormat(path, false));
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path, work));
  if (format == InputFormat::kJsonLines) {
    if (is_json != nullptr) *is_json = true;
    return ReadLabels(lines, ids, id_field);
  }
  return ReadCover(lines, ids);
}

Cover KeepFirstItems(const Cover& cover, int32_t num_items) {
  Cover kept;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    const absl::Span<const int32_t> members = cover.MembersOf(c);
    const auto end =
        std::lower_bound(members.begin(), members.end(), num_items);
    if (end != members.begin()) {
      kept.Append(members.subspan(0, end - members.begin()));
    }
  }
  return kept;
}

int32_t CountUncovered(const Cover& cover, int32_t num_items) {
  std::vector<bool> covered(num_items, false);
  for (int32_t item : cover.members) {
    if (item < num_items) covered[item] = true;
  }
  return static_cast<int32_t>(
      std::count(covered.begin(), covered.end(), false));
}

absl::StatusOr<Cover> RenumberItems(const Cover& cover, const IdMap& from,
                                    IdMap* to) {
  std::vector<int32_t> numbers;
  numbers.reserve(static_cast<size_t>(from.size()));
  for (const std::string& name : from.names()) {
    numbers.push_back(to->Add(name));
    if (numbers.back() < 0) {
      return absl::InvalidArgumentError(
          "expected at most 2147483647 names, found more");
    }
  }
  Cover result;
  std::vector<int32_t> members;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    members.clear();
    for (const int32_t item : cover.MembersOf(c)) {
      members.push_back(numbers[static_cast<size_t>(item)]);
    }
    std::sort(members.begin(), members.end());
    result.Append(members);
  }
  return result;
}

}  // namespace warpclust
