// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/cover_io.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/io/text_blocks.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "graph/io/item_clusters.h"

namespace warpclust {
namespace {

// Memberships that a thread formats at a time.
constexpr int64_t kMembershipsOfBlock = 1 << 14;

// The size at which a piece of JSON is passed on.
constexpr size_t kPieceBytes = 1 << 18;

absl::Status CheckCover(const Cover& cover, size_t num_ids) {
  constexpr size_t kMostItems = std::numeric_limits<int32_t>::max();
  return ValidateCover(cover,
                       static_cast<int32_t>(std::min(num_ids, kMostItems)));
}

absl::Status CheckTsvName(absl::string_view name) {
  if (name.empty() || name[0] == '#' ||
      name.find_first_of("\t\n\r") != absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cover: expected names without tabs and line ends that do not start ",
        "with #, found ", QuoteInput(name)));
  }
  return absl::OkStatus();
}

absl::Status CheckFirstTsvName(absl::string_view name) {
  if (!StartsWithFileMark(name)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("cover: expected a first name without a byte order mark, "
                   "found ",
                   QuoteInput(name)));
}

// Whether a line names columns, as the first line of many tables does.
bool IsCoverHeader(absl::string_view item, absl::string_view cluster) {
  const auto is_one_of = [](absl::string_view name,
                            std::initializer_list<absl::string_view> known) {
    const std::string lower = absl::AsciiStrToLower(name);
    return std::find(known.begin(), known.end(), lower) != known.end();
  };
  return is_one_of(item, {"id", "item", "name", "node", "vertex", "point",
                          "doc", "document"}) &&
         is_one_of(cluster, {"cluster", "cluster_id", "class", "label",
                             "community", "topic"});
}

// One line of a cover's file.
struct Membership {
  int32_t cluster;
  int32_t item;
  int64_t line;

  friend bool operator<(const Membership& a, const Membership& b) {
    if (a.cluster != b.cluster) return a.cluster < b.cluster;
    if (a.item != b.item) return a.item < b.item;
    return a.line < b.line;
  }
};

// The clusters that others have become part of: those of "#merged" lines.
class MergedClusters {
 public:
  // Takes what follows "#merged<TAB>", unless it does not name two clusters.
  void Add(absl::string_view names, IdMap* clusters) {
    const std::vector<absl::string_view> parts = absl::StrSplit(names, '\t');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) return;
    const int32_t from = Of(clusters->Add(parts[0]));
    const int32_t into = Of(clusters->Add(parts[1]));
    if (from != into) into_[from] = into;
    any_ = true;
  }

  bool any() const { return any_; }

  int32_t Of(int32_t cluster) const {
    for (auto at = into_.find(cluster); at != into_.end();
         at = into_.find(cluster)) {
      cluster = at->second;
    }
    return cluster;
  }

 private:
  bool any_ = false;
  // Without circles.
  absl::flat_hash_map<int32_t, int32_t> into_;
};

// Puts the memberships, in the order of their lines, into merged clusters;
// numbers those in order of first appearance and returns their names.
std::vector<std::string> Merge(const MergedClusters& merged,
                               const std::vector<std::string>& names,
                               std::vector<Membership>* memberships) {
  std::vector<std::string> kept;
  absl::flat_hash_map<int32_t, int32_t> numbers;
  for (Membership& m : *memberships) {
    const int32_t cluster = merged.Of(m.cluster);
    const auto [number, is_new] =
        numbers.emplace(cluster, static_cast<int32_t>(kept.size()));
    if (is_new) kept.push_back(names[cluster]);
    m.cluster = number->second;
  }
  return kept;
}

}  // namespace

absl::Status CheckCoverTsvNames(absl::Span<const std::string> ids) {
  for (const std::string& id : ids) {
    RETURN_IF_ERROR(CheckTsvName(id));
  }
  return ids.empty() ? absl::OkStatus() : CheckFirstTsvName(ids[0]);
}

absl::Status WriteCoverTsv(const Cover& cover,
                           absl::Span<const std::string> ids,
                           absl::FunctionRef<void(absl::string_view)> write,
                           int num_threads) {
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  RETURN_IF_ERROR(CheckCover(cover, ids.size()));
  const ItemClusters items = FindItemClusters(cover, ids.size());
  bool any_written = false;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (items.offsets[i] == items.offsets[i + 1]) continue;
    RETURN_IF_ERROR(CheckTsvName(ids[i]));
    if (!any_written) {
      RETURN_IF_ERROR(CheckFirstTsvName(ids[i]));
    }
    any_written = true;
  }
  const std::vector<int64_t> blocks =
      RowBlocks(items.offsets, kMembershipsOfBlock);
  return WriteTextBlocks(
      static_cast<int64_t>(blocks.size()) - 1, num_threads,
      [&](int64_t block, int /*slot*/, std::string* text) {
        for (int64_t i = blocks[block]; i < blocks[block + 1]; ++i) {
          for (int64_t k = items.offsets[i]; k < items.offsets[i + 1]; ++k) {
            absl::StrAppend(text, ids[i], "\t", items.clusters[k], "\n");
          }
        }
        return absl::OkStatus();
      },
      write);
}

absl::Status WriteCoverJson(const Cover& cover,
                            absl::Span<const std::string> ids,
                            absl::FunctionRef<void(absl::string_view)> write,
                            AppendClusterFields append_fields) {
  RETURN_IF_ERROR(CheckCover(cover, ids.size()));
  std::string json = "{\"clusters\":[";
  bool is_first = true;
  for (const int32_t cluster : OutputOrder(cover)) {
    json.append(is_first ? "\n" : ",\n");
    is_first = false;
    json.append("{\"members\":[");
    bool is_first_member = true;
    for (const int32_t item : cover.MembersOf(cluster)) {
      if (!is_first_member) json.push_back(',');
      is_first_member = false;
      AppendJsonString(ids[item], &json);
      if (json.size() >= kPieceBytes) {
        write(json);
        json.clear();
      }
    }
    json.push_back(']');
    append_fields(cluster, &json);
    json.push_back('}');
  }
  json.append("]}\n");
  write(json);
  return absl::OkStatus();
}

absl::Status WriteCoverJson(const Cover& cover,
                            absl::Span<const std::string> ids,
                            absl::FunctionRef<void(absl::string_view)> write) {
  return WriteCoverJson(cover, ids, write, [](int32_t, std::string*) {});
}

absl::StatusOr<NamedCover> ReadCover(LineReader& lines, IdMap* ids) {
  IdMap clusters;
  MergedClusters merged;
  std::vector<Membership> memberships;
  absl::string_view line;
  while (lines.Next(&line)) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      if (absl::ConsumePrefix(&line, "#merged\t")) merged.Add(line, &clusters);
      continue;
    }
    const size_t tab = line.find('\t');
    if (tab == absl::string_view::npos || tab == 0 || tab + 1 == line.size() ||
        line.find('\t', tab + 1) != absl::string_view::npos) {
      return lines.Expected("an item, a tab and a cluster", line);
    }
    if (memberships.empty() &&
        IsCoverHeader(line.substr(0, tab), line.substr(tab + 1))) {
      return lines.Expected("no header (before one put #)", line);
    }
    const int32_t item = ids->Add(line.substr(0, tab));
    const int32_t cluster = clusters.Add(line.substr(tab + 1));
    if (item < 0 || cluster < 0) {
      return lines.Annotate(absl::ResourceExhaustedError(
          "expected fewer than 2^31 different items and clusters"));
    }
    memberships.push_back({cluster, item, lines.line_number()});
  }
  if (!lines.status().ok()) return lines.status();

  NamedCover named;
  named.cluster_names = clusters.TakeNames();
  if (merged.any()) {
    named.cluster_names = Merge(merged, named.cluster_names, &memberships);
  }
  std::sort(memberships.begin(), memberships.end());
  if (merged.any()) {
    memberships.erase(std::unique(memberships.begin(), memberships.end(),
                                  [](const Membership& a, const Membership& b) {
                                    return a.cluster == b.cluster &&
                                           a.item == b.item;
                                  }),
                      memberships.end());
  }
  int64_t repeated_line = std::numeric_limits<int64_t>::max();
  const Membership* repeated = nullptr;
  for (size_t i = 0; i < memberships.size(); ++i) {
    const Membership& m = memberships[i];
    const bool opens = i == 0 || memberships[i - 1].cluster != m.cluster;
    if (opens && i > 0) {
      named.cover.offsets.push_back(static_cast<int64_t>(i));
    }
    if (!opens && memberships[i - 1].item == m.item && m.line < repeated_line) {
      repeated_line = m.line;
      repeated = &m;
    }
    named.cover.members.push_back(m.item);
  }
  if (repeated != nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        lines.name(), ":", repeated_line, ": expected each item once in a ",
        "cluster, found ", QuoteInput(ids->name(repeated->item)),
        " again in cluster ",
        QuoteInput(named.cluster_names[repeated->cluster])));
  }
  if (!memberships.empty()) {
    named.cover.offsets.push_back(static_cast<int64_t>(memberships.size()));
  }
  return named;
}

absl::StatusOr<NamedCover> ReadCover(absl::string_view path, IdMap* ids) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadCover(lines, ids);
}

}  // namespace warpclust
