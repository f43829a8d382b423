// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/edge_list_reader.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "graph/id_map.h"

namespace warpclust {
namespace {

constexpr absl::string_view kVertexComment = "#vertex\t";
constexpr int kMostColumns = 3;

bool IsSeparator(char c) { return c == ' ' || c == '\t' || c == ','; }

// The number of columns of `line`, and the first three of them in `columns`. A
// run of separators counts as one.
int SplitColumns(absl::string_view line, absl::string_view* columns) {
  int count = 0;
  size_t i = 0;
  while (true) {
    while (i < line.size() && IsSeparator(line[i])) ++i;
    if (i == line.size()) return count;
    const size_t begin = i;
    while (i < line.size() && !IsSeparator(line[i])) ++i;
    if (count < kMostColumns) columns[count] = line.substr(begin, i - begin);
    ++count;
  }
}

// The nearest float; false unless all of `text` is a finite decimal number.
bool ParseWeight(absl::string_view text, float* weight) {
  // from_chars knows no plus sign, but infinities, NaN and hexadecimals.
  if (text.find_first_not_of("0123456789.eE+-") != absl::string_view::npos) {
    return false;
  }
  if (absl::StartsWith(text, "+") && !absl::StartsWith(text, "+-")) {
    text.remove_prefix(1);
  }
  const char* const end = text.data() + text.size();
  const absl::from_chars_result result =
      absl::from_chars(text.data(), end, *weight);
  if (result.ptr != end) return false;
  if (result.ec == std::errc::result_out_of_range) {
    // Underflow gives the nearest float, 0 or a denormal; overflow does not.
    return std::abs(*weight) < 1.0f;
  }
  if (result.ec != std::errc()) return false;
  *weight += 0.0f;  // -0 becomes 0
  return std::isfinite(*weight);
}

// Not done while reading: edges in conflict are an error at any threshold.
void DropLightEdges(float min_weight, CsrGraph* graph) {
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t v = 0; v < graph->num_vertices(); ++v) {
    const int64_t end = graph->offsets[v + 1];
    for (int64_t i = begin; i < end; ++i) {
      if (graph->weights[i] < min_weight) continue;
      graph->neighbors[kept] = graph->neighbors[i];
      graph->weights[kept] = graph->weights[i];
      ++kept;
    }
    begin = end;
    graph->offsets[v + 1] = kept;
  }
  graph->neighbors.resize(kept);
  graph->weights.resize(kept);
}

// The edges of a file in its order, and the lines they came from, which errors
// found at the end must name.
class EdgeCollector {
 public:
  explicit EdgeCollector(const EdgeListOptions& options) : options_(options) {}

  absl::Status Add(const LineReader& lines, absl::string_view line) {
    if (line.empty()) return absl::OkStatus();
    if (line[0] == '#' || line[0] == '%') {
      if (absl::StartsWith(line, kVertexComment)) {
        return AddVertex(lines, line.substr(kVertexComment.size()));
      }
      return absl::OkStatus();
    }
    absl::string_view columns[kMostColumns];
    const int count = SplitColumns(line, columns);
    if (count == 0) return absl::OkStatus();
    if (num_columns_ == 0 && (count == 2 || count == 3)) {
      num_columns_ = count;
      first_line_ = lines.line_number();
    }
    if (count != num_columns_) {
      return lines.Expected(
          num_columns_ == 0
              ? "2 or 3 columns"
              : absl::StrCat(num_columns_, " columns as in line ", first_line_),
          line);
    }
    return AddEdge(lines, columns);
  }

  absl::StatusOr<EdgeList> Build(const LineReader& lines) {
    internal::ConflictingPair conflict;
    absl::StatusOr<CsrGraph> graph =
        internal::BuildCsrGraph(ids_.size(), edges_, &conflict);
    if (!graph.ok()) {
      return conflict.u >= 0 ? ConflictError(lines, conflict) : graph.status();
    }
    std::vector<WeightedEdge>().swap(edges_);
    EdgeList list;
    list.graph = *std::move(graph);
    DropLightEdges(options_.min_weight, &list.graph);
    list.ids = ids_.TakeNames();
    return list;
  }

 private:
  // From this edge on, line number minus edge index is `lead`.
  struct LineMark {
    int64_t edge;
    int64_t lead;
  };

  absl::Status AddVertex(const LineReader& lines, absl::string_view name) {
    if (name.empty()) return lines.Expected("the name of a vertex", name);
    return ids_.Add(name) < 0 ? TooMany(lines) : absl::OkStatus();
  }

  absl::Status AddEdge(const LineReader& lines,
                       const absl::string_view* columns) {
    WeightedEdge edge;
    if (num_columns_ == 3 && !ParseWeight(columns[2], &edge.weight)) {
      return lines.Expected("a finite weight", columns[2]);
    }
    if (edge.weight < 0.0f && !options_.allow_negative_weights) {
      return lines.Expected("a weight of at least 0", columns[2]);
    }
    edge.u = ids_.Add(columns[0]);
    edge.v = ids_.Add(columns[1]);
    if (edge.u < 0 || edge.v < 0) return TooMany(lines);
    if (edge.u == edge.v) {
      return lines.Expected("two different vertices",
                            absl::StrCat(columns[0], " ", columns[1]));
    }
    const int64_t index = static_cast<int64_t>(edges_.size());
    const int64_t lead = lines.line_number() - index;
    if (marks_.empty() || marks_.back().lead != lead) {
      marks_.push_back({index, lead});
    }
    edges_.push_back(edge);
    return absl::OkStatus();
  }

  static absl::Status TooMany(const LineReader& lines) {
    return lines.Annotate(absl::ResourceExhaustedError(
        "expected fewer than 2^31 different vertices"));
  }

  int64_t LineOf(int64_t edge) const {
    int64_t lead = 0;
    for (const LineMark& mark : marks_) {
      if (mark.edge > edge) break;
      lead = mark.lead;
    }
    return edge + lead;
  }

  absl::Status ConflictError(const LineReader& lines,
                             const internal::ConflictingPair& pair) const {
    int64_t first = -1;
    for (int64_t i = 0; i < static_cast<int64_t>(edges_.size()); ++i) {
      const WeightedEdge& edge = edges_[i];
      const bool is_pair = (edge.u == pair.u && edge.v == pair.v) ||
                           (edge.u == pair.v && edge.v == pair.u);
      if (!is_pair) continue;
      if (first < 0) {
        first = i;
      } else if (edge.weight != edges_[first].weight) {
        return absl::InvalidArgumentError(absl::StrCat(
            lines.name(), ":", LineOf(i), ": expected the weight ",
            edges_[first].weight, " that line ", LineOf(first), " gives to ",
            QuoteInput(ids_.name(edge.u)), " and ",
            QuoteInput(ids_.name(edge.v)), ", found ", edge.weight));
      }
    }
    return absl::InternalError("edges in conflict were not found again");
  }

  const EdgeListOptions options_;
  int num_columns_ = 0;
  int64_t first_line_ = 0;
  IdMap ids_;
  std::vector<WeightedEdge> edges_;
  std::vector<LineMark> marks_;
};

}  // namespace

absl::StatusOr<EdgeList> ReadEdgeList(LineReader& lines,
                                      const EdgeListOptions& options) {
  EdgeCollector collector(options);
  absl::string_view line;
  while (lines.Next(&line)) {
    if (absl::Status s = collector.Add(lines, line); !s.ok()) return s;
  }
  if (!lines.status().ok()) return lines.status();
  return collector.Build(lines);
}

absl::StatusOr<EdgeList> ReadEdgeList(absl::string_view path,
                                      const EdgeListOptions& options) {
  absl::StatusOr<LineReader> lines = LineReader::Open(path);
  if (!lines.ok()) return lines.status();
  return ReadEdgeList(*lines, options);
}

}  // namespace warpclust
