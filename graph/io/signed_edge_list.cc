// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/signed_edge_list.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "base/io/lines/collect_lines.h"
#include "base/status/status_macros.h"
#include "graph/io/edge_line_parser.h"
#include "graph/io/edge_words.h"
#include "graph/io/signed_edge_collector.h"

namespace warpclust {

namespace {

// Whether `weight` has only digits, points and hyphens, and a digit at the end.
bool IsPlain(absl::string_view weight) {
  return !weight.empty() && absl::ascii_isdigit(weight.back()) &&
         std::all_of(weight.begin(), weight.end(), [](char c) {
           return absl::ascii_isdigit(c) || c == '.' || c == '-';
         });
}

// For CollectLines.
struct Collector {
  EdgeLineParser parser;
  SignedEdgeCollector edges;

  absl::Status Add(const LineReader& lines, absl::string_view line) {
    EdgeLine edge;
    ASSIGN_OR_RETURN(const bool has_edge, parser.Parse(lines, line, &edge));
    if (!has_edge) return absl::OkStatus();
    if (IsPlain(edge.weight)) {
      // Most are.
    } else if (const int sign = SignOf(edge.weight); sign != 0) {
      edge.weight = sign > 0 ? "1" : "-1";
    } else if (absl::StrContains(edge.weight, "\xE2\x88\x92")) {
      // U+2212, as texts and spreadsheets show it.
      return lines.Expected("a weight whose minus sign is a hyphen",
                            edge.weight);
    } else if (IsWord(edge.weight)) {
      return lines.Expected(kExpectedSign, edge.weight);
    }
    const bool is_loop = edge.u_name == edge.v_name;
    ASSIGN_OR_RETURN(SignedEdge* const added, edges.Add(lines, edge, is_loop));
    return parser.NumberEnds(lines, edge,
                             added == nullptr ? nullptr : &added->u,
                             added == nullptr ? nullptr : &added->v);
  }

  bool IsSettled() const { return parser.IsSettled(); }
  Collector ForBlock() { return {parser.ForBlock(), edges.ForBlock()}; }
  bool CloseBlock(Collector* block) const {
    block->parser.Settle();
    block->edges.Close();
    std::vector<int32_t> ids;
    if (!parser.FindVertices(&block->parser, &ids)) return false;
    block->edges.Renumber(ids);
    return true;
  }
  absl::StatusOr<bool> Append(Collector block, std::function<void()>* rest) {
    std::vector<int32_t> ids;
    if (!parser.Append(block.parser, &ids)) return false;
    edges.Append(std::move(block.edges), std::move(ids), rest);
    return true;
  }
};

}  // namespace

absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    LineReader& lines, const SignedEdgeListOptions& options) {
  Collector collector = {
      EdgeLineParser(EdgeLineParser::Columns::kCsv),
      SignedEdgeCollector(options.sign_only, options.skip_loops)};
  RETURN_IF_ERROR(CollectLines(lines, options.num_threads, &collector));
  auto& [parser, edges] = collector;
  parser.Settle();
  RETURN_IF_ERROR(parser.CheckHeader(lines));

  parser.ids().KeepOnlyNames(options.num_threads);
  ASSIGN_OR_RETURN(SignedGraph graph, edges.Build(lines, parser.ids().names(),
                                                  options.num_threads));
  SignedEdgeList list;
  list.graph = std::move(graph);
  list.ids = parser.ids().TakeNames();
  if (parser.skipped_header_line() > 0) {
    list.header_line = parser.skipped_header_line();
    list.header = parser.header();
  }
  list.skipped_loops = edges.skipped_loops();
  list.vanished_weights = edges.vanished_weights();
  list.rounded_weights = edges.rounded_weights();
  return list;
}

absl::StatusOr<SignedEdgeList> ReadSignedEdgeList(
    absl::string_view path, const SignedEdgeListOptions& options) {
  ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  return ReadSignedEdgeList(lines, options);
}

}  // namespace warpclust
