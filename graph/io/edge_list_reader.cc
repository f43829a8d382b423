// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_list_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/io/lines/collect_lines.h"
#include "base/status/status_macros.h"
#include "graph/io/edge_line_numbers.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/edge_parts.h"

namespace warpclust {
namespace {

// The nearest float or double; false unless all of `text` is a finite decimal
// number.
template <typename T>
bool ParseWeight(absl::string_view text, T* weight) {
  // from_chars refuses a plus sign and accepts infinities, NaN and
  // hexadecimals.
  const bool legal = std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isdigit(c) || c == '.' || c == '-' || c == '+' ||
           c == 'e' || c == 'E';
  });
  if (!legal) return false;
  if (absl::StartsWith(text, "+") && !absl::StartsWith(text, "+-")) {
    text.remove_prefix(1);
  }
  const char* const end = text.data() + text.size();
  const absl::from_chars_result result =
      absl::from_chars(text.data(), end, *weight);
  if (result.ptr != end) return false;
  if (result.ec == std::errc::result_out_of_range) {
    // Underflow gives the nearest float, 0 or a denormal; overflow does not.
    return std::abs(*weight) < 1;
  }
  if (result.ec != std::errc()) return false;
  *weight += 0;  // -0 becomes 0
  return std::isfinite(*weight);
}

// An edge as the pair of its ends, the smaller one first.
using Pair = std::pair<int32_t, int32_t>;

// Edges are dropped after reading, because conflicting weights are an error at
// any threshold. Also drops those of `light`.
void DropLightEdges(float min_weight, std::vector<Pair> light,
                    CsrGraph* graph) {
  if (std::isinf(min_weight) && min_weight < 0) return;
  std::sort(light.begin(), light.end());
  int64_t kept = 0;
  int64_t begin = 0;
  for (int32_t v = 0; v < graph->num_vertices(); ++v) {
    const int64_t end = graph->offsets[v + 1];
    for (int64_t i = begin; i < end; ++i) {
      if (graph->weights[i] < min_weight) continue;
      if (graph->weights[i] == min_weight &&
          std::binary_search(light.begin(), light.end(),
                             Pair(std::minmax(v, graph->neighbors[i])))) {
        continue;
      }
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

// The edges of a file in its order, with their lines, which errors found at the
// end must name.
class EdgeCollector {
 public:
  explicit EdgeCollector(const EdgeListOptions& options) : options_(options) {}

  absl::Status Add(const LineReader& lines, absl::string_view line) {
    EdgeLine parsed;
    ASSIGN_OR_RETURN(const bool has_edge, parser_.Parse(lines, line, &parsed));
    if (!has_edge) return absl::OkStatus();
    WeightedEdge edge = {0, 0, 1.0f};
    if (!parsed.weight.empty() && !ParseWeight(parsed.weight, &edge.weight)) {
      return lines.Expected("a finite weight", parsed.weight);
    }
    if (edge.weight < 0.0f && !options_.allow_negative_weights) {
      return lines.Expected("a weight of at least 0", parsed.weight);
    }
    if (parsed.u_name == parsed.v_name) return LoopError(lines, parsed);
    line_numbers_.Add(lines.line_number());
    WeightedEdge& added = edges_.Add(edge);
    RETURN_IF_ERROR(parser_.NumberEnds(lines, parsed, &added.u, &added.v));
    // Rounding keeps order, so that only equal floats leave a doubt.
    if (edge.weight == min_weight_) {
      double weight = 1;
      if (!parsed.weight.empty()) ParseWeight(parsed.weight, &weight);
      if (weight < options_.min_weight) {
        parser_.Settle();
        light_.push_back(std::minmax(added.u, added.v));
      }
    }
    return absl::OkStatus();
  }

  // For CollectLines.
  bool IsSettled() const { return parser_.IsSettled(); }
  EdgeCollector ForBlock() {
    EdgeCollector block(options_);
    block.parser_ = parser_.ForBlock();
    return block;
  }
  bool CloseBlock(EdgeCollector* block) const {
    block->parser_.Settle();
    block->edges_.ShrinkToFit();
    std::vector<int32_t> ids;
    if (!parser_.FindVertices(&block->parser_, &ids)) return false;
    block->Renumber(ids);
    return true;
  }
  absl::StatusOr<bool> Append(EdgeCollector block,
                              std::function<void()>* rest) {
    std::vector<int32_t> ids;
    if (!parser_.Append(block.parser_, &ids)) return false;
    if (!ids.empty()) RenumberPairs(ids, &block.light_);
    light_.insert(light_.end(), block.light_.begin(), block.light_.end());
    line_numbers_.Append(block.line_numbers_);
    edges_.Append(std::move(block.edges_), std::move(ids), rest);
    return true;
  }

  absl::StatusOr<EdgeList> Build(const LineReader& lines) {
    parser_.Settle();
    RETURN_IF_ERROR(parser_.CheckHeader(lines));
    parser_.ids().KeepOnlyNames(options_.num_threads);
    internal::ConflictingPair conflict;
    absl::StatusOr<CsrGraph> graph = internal::BuildCsrGraph(
        parser_.ids().size(), edges_.Spans(), options_.num_threads, &conflict);
    if (!graph.ok()) {
      return conflict.u >= 0 ? ConflictError(lines, conflict) : graph.status();
    }
    edges_.Clear();
    EdgeList list;
    list.graph = *std::move(graph);
    DropLightEdges(min_weight_, std::move(light_), &list.graph);
    list.ids = parser_.ids().TakeNames();
    return list;
  }

 private:
  // Vertex ~i becomes ids[i].
  void Renumber(absl::Span<const int32_t> ids) {
    edges_.Renumber(ids);
    RenumberPairs(ids, &light_);
  }
  static void RenumberPairs(absl::Span<const int32_t> ids,
                            std::vector<Pair>* pairs) {
    for (Pair& pair : *pairs) {
      pair = std::minmax(
          {Renumbered(ids, pair.first), Renumbered(ids, pair.second)});
    }
  }

  absl::Status ConflictError(const LineReader& lines,
                             const internal::ConflictingPair& pair) const {
    int64_t first = -1;
    float known = 0;
    int64_t i = -1;
    for (const std::vector<WeightedEdge>& part : edges_.parts()) {
      for (const WeightedEdge& edge : part) {
        ++i;
        const bool is_pair = (edge.u == pair.u && edge.v == pair.v) ||
                             (edge.u == pair.v && edge.v == pair.u);
        if (!is_pair) continue;
        if (first < 0) {
          first = i;
          known = edge.weight;
        } else if (edge.weight != known) {
          return absl::InvalidArgumentError(absl::StrCat(
              lines.name(), ":", line_numbers_.LineOf(i),
              ": expected the weight ", known, " that line ",
              line_numbers_.LineOf(first), " gives to ",
              QuoteInput(parser_.ids().name(edge.u)), " and ",
              QuoteInput(parser_.ids().name(edge.v)), ", found ", edge.weight));
        }
      }
    }
    return absl::InternalError("edges in conflict were not found again");
  }

  const EdgeListOptions options_;
  const float min_weight_ = static_cast<float>(options_.min_weight);
  // Edges below options_.min_weight whose weights are min_weight_ as floats.
  std::vector<Pair> light_;
  EdgeLineParser parser_;
  PartsOf<WeightedEdge> edges_;
  EdgeLineNumbers line_numbers_;
};

}  // namespace

absl::StatusOr<EdgeList> ReadEdgeList(LineReader& lines,
                                      const EdgeListOptions& options) {
  if (std::isnan(options.min_weight)) {
    return absl::InvalidArgumentError(
        "EdgeListOptions::min_weight: expected a number, found NaN");
  }
  EdgeCollector collector(options);
  RETURN_IF_ERROR(CollectLines(lines, options.num_threads, &collector));
  return collector.Build(lines);
}

absl::StatusOr<EdgeList> ReadEdgeList(absl::string_view path,
                                      const EdgeListOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadEdgeList(lines, options);
}

}  // namespace warpclust
