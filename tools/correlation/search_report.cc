// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/correlation/search_report.h"

#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/io/byte_reader.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/decimal.h"
#include "base/text/json_text.h"
#include "tools/input/read_signed_graph.h"

namespace warpclust {
namespace {

std::string StartsText(int64_t starts) {
  return Counted(starts, {"start", "starts"});
}

// When the search found what it returned.
double SecondsToBest(const SearchEnd& end) {
  return end.improvements.empty() ? 0 : end.improvements.back().seconds;
}

}  // namespace

std::string WeightText(const SignedGraph& graph, int64_t units) {
  return FormatDecimal({units, graph.units_per_one});
}

void NoteOnNetwork(const SignedEdgeList& network, const std::string& path,
                   const ToolRun& run) {
  if (network.header_line > 0) {
    run.Note(absl::StrCat(
        InputName(path), ":", network.header_line,
        ": taken for a header and skipped: ", QuoteInput(network.header)));
  }
  if (network.skipped_loops > 0) {
    run.Note(
        absl::StrCat("loops left out: ", GroupDigits(network.skipped_loops)));
  }
  if (network.vanished_weights > 0) {
    run.Note(absl::StrCat(
        "weights rounded to 0, whose edges are left out: ",
        GroupDigits(network.vanished_weights),
        " (below 5e-10 in magnitude; multiply all weights by a power of ten)"));
  }
  if (network.rounded_weights > 0) {
    run.Note(absl::StrCat(
        "weights rounded to nine decimal places: ",
        GroupDigits(network.rounded_weights),
        "; I(P) is exact for the rounded weights (to keep more places, "
        "multiply all weights by a power of ten)"));
  }
}

std::string SearchProgress(const SignedGraph& graph,
                           const SearchControl& control) {
  std::string text = StartsText(control.starts());
  const int64_t best = control.best();
  if (best != std::numeric_limits<int64_t>::max()) {
    absl::StrAppend(&text, ", best I(P) ", WeightText(graph, best));
  }
  return text;
}

void NoteOnSearch(const SignedGraph& graph, const CorrelationResult& result,
                  bool constrained, const SearchEnd& end, const ToolRun& run) {
  if (end.stopped == "signal") {
    run.Note(absl::StrFormat(
        "interrupted after %.1f s: writing the best partition found so far",
        end.seconds));
  } else if (end.stopped == "time_limit") {
    run.Note("the time limit ended the search");
  }
  const std::string imbalance = WeightText(graph, result.imbalance);
  run.Note(absl::StrFormat("I(P) = %s, found after %.2f s; %s", imbalance,
                           SecondsToBest(end), StartsText(result.starts)));
  if (run.options.input.empty() && !constrained) {
    const bool reached =
        result.imbalance == kBundledSignedGraphOptimum * graph.units_per_one;
    run.Note(absl::StrCat("the proved optimum of this example is ",
                          kBundledSignedGraphOptimum, ": ",
                          reached ? "reached" : "not reached"));
  } else if (result.proven_optimal) {
    run.Note(absl::StrCat("this is optimal: no partition ",
                          constrained ? "that meets the constraints " : "",
                          "costs less"));
  }
}

void ReportSearch(const SignedGraph& graph, const CorrelationResult& result,
                  absl::string_view method, const SearchEnd& end,
                  RunReport* report) {
  report->n = graph.num_vertices();
  report->n_noun = {"vertex", "vertices"};
  report->edges = graph.num_edges();
  report->clusters = result.num_clusters;
  report->memberships = graph.num_vertices();
  report->objective = WeightText(graph, result.imbalance);
  report->objective_noun = "I(P)";
  const std::string trace = absl::StrJoin(
      end.improvements, ",",
      [&](std::string* text, const SearchControl::Improvement& step) {
        absl::StrAppend(text, "[", JsonDouble(step.seconds), ",",
                        WeightText(graph, step.imbalance), "]");
      });
  report->extra = {
      {"method", absl::StrCat("\"", method, "\"")},
      {"balance",
       WeightText(graph, graph.positive_weight + graph.negative_weight -
                             result.imbalance)},
      {"positive_weight", WeightText(graph, graph.positive_weight)},
      {"negative_weight", WeightText(graph, graph.negative_weight)},
      {"constant_cost", WeightText(graph, graph.constant_cost)},
      {"proven_optimal", result.proven_optimal ? "true" : "false"},
      {"starts", absl::StrCat(result.starts)},
      {"stopped", absl::StrCat("\"", end.stopped, "\"")},
      {"seconds_to_best", JsonDouble(SecondsToBest(end))},
      {"improvements", absl::StrCat("[", trace, "]")},
  };
}

}  // namespace warpclust
