// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What correlation_cluster says of a network and of a search: notes, progress
// and the fields of the summary.

#ifndef WARPCLUST_TOOLS_CORRELATION_SEARCH_REPORT_H_
#define WARPCLUST_TOOLS_CORRELATION_SEARCH_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "tools/cli/cli.h"
#include "tools/cli/run_report.h"

namespace warpclust {

// A sum of weights as an exact decimal.
std::string WeightText(const SignedGraph& graph, int64_t units);

// Notes what was skipped or rounded while the network was read from `path`.
void NoteOnNetwork(const SignedEdgeList& network, const std::string& path,
                   const ToolRun& run);

// "12 starts, best I(P) 345", while the search runs.
std::string SearchProgress(const SignedGraph& graph,
                           const SearchControl& control);

// How a search ended.
struct SearchEnd {
  absl::string_view stopped;  // "no", "signal" or "time_limit".
  double seconds = 0;
  std::vector<SearchControl::Improvement> improvements;
};

// Notes the result, and whether it is known to be optimal.
void NoteOnSearch(const SignedGraph& graph, const CorrelationResult& result,
                  bool constrained, const SearchEnd& end, const ToolRun& run);

// The fields of the summary; `method` is the value of --method.
void ReportSearch(const SignedGraph& graph, const CorrelationResult& result,
                  absl::string_view method, const SearchEnd& end,
                  RunReport* report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CORRELATION_SEARCH_REPORT_H_
