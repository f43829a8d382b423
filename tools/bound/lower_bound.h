// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --bound and --certificate of correlation_cluster.
//
//   ASSIGN_OR_RETURN(LowerBound bound, LowerBound::Open(flags));
//   ... search ...
//   RETURN_IF_ERROR(bound.Prove(graph, options, control, &result, run));
//   bound.Report(graph, result, &run.report);
//   RETURN_IF_ERROR(bound.Write(graph));

#ifndef WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_
#define WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/bound/imbalance_bound.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/run_report.h"
#include "tools/report/report_file.h"

namespace warpclust {

struct LowerBoundFlags {
  bool bound = false;
  std::string certificate;  // Its path; empty: none.
};

void AddLowerBoundFlags(LowerBoundFlags* flags, FlagSet* set);

// Does nothing if no flag asks for the bound.
class LowerBound {
 public:
  // Opens the certificate before the work. Unavailable naming the path.
  static absl::StatusOr<LowerBound> Open(const LowerBoundFlags& flags);

  bool wanted() const { return wanted_; }
  const ImbalanceBound& proof() const { return proof_; }

  // Computes the bound over the partitions that meet the constraints, guided by
  // the result. If they meet, the result becomes proven optimal. A request to
  // `control` ends it early.
  absl::Status Prove(const SignedGraph& graph,
                     const CorrelationOptions& options,
                     const SearchControl& control, CorrelationResult* result,
                     ToolRun& run);
  // Adds the bound and the gap.
  void Report(const SignedGraph& graph, const CorrelationResult& result,
              RunReport* report) const;
  // Writes the certificate, in the format of eval/bound_certificate.h.
  absl::Status Write(const SignedGraph& graph);

 private:
  bool wanted_ = false;
  ReportFile certificate_;
  ImbalanceBound proof_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_
