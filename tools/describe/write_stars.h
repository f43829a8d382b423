// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The output of oclustr and dclustr: star clusters, described if their
// documents are known, or the reasons for the memberships.

#ifndef WARPCLUST_TOOLS_DESCRIBE_WRITE_STARS_H_
#define WARPCLUST_TOOLS_DESCRIBE_WRITE_STARS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "graph/stars/star_cover.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/report/sweep_step.h"

namespace warpclust {

// Whether a run needs titles and words.
bool NeedsDescriptions(const DescribeFlags& options, const FlagSet& flags,
                       const ToolRun& run);

// UsageError if --explain names a document that is not among `ids`. Call it
// before the work.
absl::Status CheckExplained(const DescribeFlags& options,
                            absl::Span<const std::string> ids);

// Writes the clusters of `named` to --output and --titles, or the explanations
// of --explain.
absl::Status WriteStars(const StarCover& stars, const NamedDocuments& named,
                        const DescribeFlags& options, const FlagSet& flags,
                        ToolRun& run);

// Writes the page of --report, if it was asked for. `input` names the page;
// `beta` is marked among its cosines, unless it is 0. `named` of a graph has no
// documents. `sweep` may be empty.
absl::Status WriteStarsReport(const StarCover& stars,
                              const NamedDocuments& named,
                              absl::string_view input, const Decimal& beta,
                              const DescribeFlags& options,
                              const FlagSet& flags, const ToolRun& run,
                              absl::Span<const SweepStep> sweep = {});

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_WRITE_STARS_H_
