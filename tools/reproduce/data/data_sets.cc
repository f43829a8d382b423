// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/data/data_sets.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status/status_macros.h"
#include "graph/io/signed_edge_list.h"
#include "sparse/matrix/append_rows.h"
#include "tools/input/input_format.h"
#include "tools/input/read_documents.h"
#include "tools/input/read_points.h"
#include "tools/reproduce/data/embedded.h"
#include "tools/reproduce/data/sha256.h"

namespace warpclust {
namespace {

// The lines of a .tsv file with `columns` columns each.
absl::StatusOr<std::vector<std::vector<std::string>>> Lines(
    absl::string_view text, size_t columns, absl::string_view name) {
  std::vector<std::vector<std::string>> lines;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    lines.push_back(absl::StrSplit(line, '\t'));
    if (lines.back().size() != columns) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ":", number, ": expected ", columns,
                       " columns, found ", lines.back().size()));
    }
  }
  return lines;
}

absl::StatusOr<std::vector<DataSource>> ParseSources(absl::string_view text) {
  std::vector<DataSource> sources;
  if (text == "-") return sources;
  for (const absl::string_view one : absl::StrSplit(text, " or ")) {
    ASSIGN_OR_RETURN(DataSource source, ParseDataSource(one));
    sources.push_back(std::move(source));
  }
  return sources;
}

// The subgraph of the vertices whose names are numbers in [begin, end).
absl::StatusOr<SignedGraph> Induced(const SignedEdgeList& list,
                                    const DataSource& source) {
  const SignedGraph& graph = list.graph;
  const int32_t n = graph.num_vertices();
  std::vector<int32_t> place(n, -1);
  for (int32_t v = 0; v < n; ++v) {
    int32_t id = 0;
    if (!absl::SimpleAtoi(list.ids[v], &id)) {
      return absl::InvalidArgumentError(
          absl::StrCat(source.file, ": expected numbers as vertices, found \"",
                       list.ids[v], "\""));
    }
    if (id >= source.begin && id < source.end) place[v] = id - source.begin;
  }
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < n; ++v) {
    if (place[v] < 0) continue;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      // Each pair is in two rows.
      if (u < v && place[u] >= 0) {
        edges.push_back({place[u], place[v], graph.weights[i]});
      }
    }
  }
  return BuildSignedGraph(source.end - source.begin, edges,
                          graph.units_per_one);
}

}  // namespace

absl::StatusOr<DataSets> DataSets::Open(const DataSetsOptions& options) {
  DataSets sets(options);
  RETURN_IF_ERROR(sets.ReadEntries());
  RETURN_IF_ERROR(sets.FindFiles());
  return sets;
}

absl::Status DataSets::ReadEntries() {
  ASSIGN_OR_RETURN(const auto lines, Lines(DataSetsTsv(), 5, "data_sets.tsv"));
  for (const std::vector<std::string>& line : lines) {
    if (line[0] != options_.paper) continue;
    Entry& entry = entries_[line[1]];
    ASSIGN_OR_RETURN(entry.own, ParseSources(line[2]));
    ASSIGN_OR_RETURN(entry.stand_in, ParseSources(line[3]));
    ASSIGN_OR_RETURN(entry.quick, ParseSources(line[4]));
  }
  return absl::OkStatus();
}

absl::Status DataSets::FindFiles() {
  std::set<std::string> needed;
  for (const auto& [name, entry] : entries_) {
    for (const auto* sources : {&entry.own, &entry.stand_in}) {
      for (const DataSource& source : *sources) needed.insert(source.file);
    }
  }
  namespace fs = std::filesystem;
  if (!options_.folder.empty()) {
    std::error_code error;
    if (!fs::is_directory(options_.folder, error)) {
      return absl::NotFoundError(
          absl::StrCat(options_.folder, ": expected a folder, found none"));
    }
    for (fs::recursive_directory_iterator at(options_.folder, error), end;
         !error && at != end; at.increment(error)) {
      path_of_.emplace(at->path().filename().string(), at->path().string());
    }
  }
  ASSIGN_OR_RETURN(const auto lines, Lines(DataFilesTsv(), 4, "files.tsv"));
  for (const std::vector<std::string>& line : lines) {
    if (!needed.erase(line[0])) continue;
    DataFile file = {line[0], line[2], line[3], line[1], ""};
    const auto path = path_of_.find(file.name);
    if (path != path_of_.end()) {
      ASSIGN_OR_RETURN(file.found_sha256, FileSha256(path->second));
    }
    files_.push_back(std::move(file));
  }
  return absl::OkStatus();
}

absl::StatusOr<DataSets::Found> DataSets::Find(absl::string_view set) {
  const auto found = entries_.find(set);
  if (found == entries_.end()) {
    return absl::InternalError(
        absl::StrCat("data_sets.tsv: there is no ", set));
  }
  const Entry& entry = found->second;
  std::vector<std::pair<const DataSource*, bool>> sources;
  if (options_.quick) {
    for (const DataSource& source : entry.quick)
      sources.push_back({&source, false});
  } else {
    for (const DataSource& source : entry.own)
      sources.push_back({&source, true});
    for (const DataSource& source : entry.stand_in) {
      sources.push_back({&source, false});
    }
  }
  for (const auto& [source, is_own] : sources) {
    if (source->kind == "file") {
      const auto path = path_of_.find(source->file);
      if (path == path_of_.end()) continue;
      return Found{*source, is_own, path->second};
    }
    const std::string path =
        absl::StrCat(options_.scratch, "/", GeneratedFileName(*source));
    RETURN_IF_ERROR(GenerateData(*source, path, options_.num_threads));
    return Found{*source, is_own, path};
  }
  return absl::NotFoundError(absl::StrCat(set, " is not at hand"));
}

template <typename T>
DataSet<T> DataSets::Named(absl::string_view set, const Found& found,
                           T data) const {
  absl::string_view name = found.source.text;
  if (found.source.kind == "file") name.remove_prefix(5);
  return {std::move(data), std::string(name),
          found.is_own ? "" : std::string(set)};
}

absl::StatusOr<DataSet<DocumentMatrix>> DataSets::Documents(
    absl::string_view set) {
  ASSIGN_OR_RETURN(const Found found, Find(set));
  const bool is_file = found.source.kind == "file";
  if (!is_file || held_path_ != found.path) {
    held_path_.clear();
    ASSIGN_OR_RETURN(const InputFormat format,
                     DetectInputFormat(found.path, /*edges_allowed=*/false));
    ASSIGN_OR_RETURN(InputDocuments read,
                     ReadDocuments({found.path, format}, DocumentOptions()));
    held_ = std::make_shared<DocumentMatrix>(std::move(read.documents));
    if (is_file) held_path_ = found.path;
  }
  const int32_t n = held_->num_documents();
  DocumentMatrix part;
  AppendRows(*held_, std::min(found.source.begin, n),
             found.source.end < 0 ? n : std::min(found.source.end, n), &part);
  return Named(set, found, std::move(part));
}

absl::StatusOr<DataSet<PointMatrix>> DataSets::Points(absl::string_view set) {
  ASSIGN_OR_RETURN(const Found found, Find(set));
  ASSIGN_OR_RETURN(PointMatrix points, ReadPoints(found.path, "auto"));
  if (found.source.end >= 0) {
    const int32_t begin = std::min(found.source.begin, points.num_points);
    const int32_t end = std::min(found.source.end, points.num_points);
    PointMatrix part;
    part.num_points = end - begin;
    part.num_dimensions = points.num_dimensions;
    part.values.assign(points.Row(begin), points.Row(end));
    points = std::move(part);
  }
  return Named(set, found, std::move(points));
}

absl::StatusOr<DataSet<SignedGraph>> DataSets::Signed(absl::string_view set) {
  ASSIGN_OR_RETURN(const Found found, Find(set));
  ASSIGN_OR_RETURN(SignedEdgeList read, ReadSignedEdgeList(found.path));
  if (found.source.end >= 0) {
    ASSIGN_OR_RETURN(read.graph, Induced(read, found.source));
  }
  return Named(set, found, std::move(read.graph));
}

}  // namespace warpclust
