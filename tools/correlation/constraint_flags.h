// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --must_link, --cannot_link, --initial and --fixed of correlation_cluster.

#ifndef WARPCLUST_TOOLS_CORRELATION_CONSTRAINT_FLAGS_H_
#define WARPCLUST_TOOLS_CORRELATION_CONSTRAINT_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"

namespace warpclust {

// Paths; empty: none.
struct ConstraintFlags {
  std::string must_link;
  std::string cannot_link;
  std::string initial;
  std::string fixed;
};

void AddConstraintFlags(ConstraintFlags* flags, FlagSet* set);

// Sets options->initial and options->constraints from the files; `names` has
// the name of each vertex. Notes vertices without an initial cluster, and
// names that the network does not have. InvalidArgument for names in
// constraints that it does not have, a vertex in two initial clusters, and
// constraints that contradict each other.
absl::Status ReadConstraints(const ConstraintFlags& flags,
                             absl::Span<const std::string> names,
                             const ToolRun& run, CorrelationOptions* options);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CORRELATION_CONSTRAINT_FLAGS_H_
