// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --bound and --certificate of correlation_cluster.

#ifndef WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_
#define WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"

namespace warpclust {

struct LowerBoundFlags {
  bool bound = false;
  std::string certificate;  // Its path; empty: none.
};

void AddLowerBoundFlags(LowerBoundFlags* options, FlagSet* flags);

// Computes the bound if a flag asks for it, guided by the partition `labels` of
// this imbalance. Adds it to the report, and writes the certificate in the
// format of eval/bound_certificate.h. Call it once the report is filled.
absl::Status ReportLowerBound(const LowerBoundFlags& options,
                              const SignedGraph& graph,
                              absl::Span<const int32_t> labels,
                              int64_t imbalance, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_BOUND_LOWER_BOUND_H_
