// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --sweep: a table of what a run with each of many thresholds gives.

#ifndef WARPCLUST_TOOLS_DESCRIBE_THRESHOLD_SWEEP_H_
#define WARPCLUST_TOOLS_DESCRIBE_THRESHOLD_SWEEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/numbers/decimal.h"
#include "graph/cover/cover.h"
#include "graph/stars/star_cover.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/report/sweep_step.h"

namespace warpclust {

void AddSweepFlag(std::string* target, FlagSet* flags);

// The thresholds of `FROM:TO` or `FROM:TO:STEP`: FROM + k * STEP as far as TO,
// exact. Without STEP it is the least of 1, 2, 2.5 and 5 times a power of ten
// that gives at most 17 thresholds. UsageError if these are not decimals with
// at most nine places, FROM is not above 0, TO is below FROM or above 1, STEP
// is not above 0, or there are more than 1,000 thresholds.
absl::StatusOr<std::vector<Decimal>> ParseSweep(absl::string_view text);

// Measures the clusters of one threshold after the other.
class ThresholdSweep {
 public:
  // `named` has documents, and outlives this object.
  ThresholdSweep(const NamedDocuments& named, int num_threads)
      : named_(named), num_threads_(num_threads) {}

  // Adds the clusters of a threshold above those before.
  absl::Status Add(const Decimal& threshold, int64_t num_edges,
                   const StarCover& stars);

  // The agreement of the last one is open.
  const std::vector<SweepStep>& steps() const { return steps_; }

 private:
  const NamedDocuments& named_;
  const int num_threads_;
  Cover previous_;
  std::vector<SweepStep> steps_;
};

// A table with a header, with tabs between the columns; or one JSON object
// `{"sweep":[{"beta":0.1,"edges":20,...}]}`. Shares and means have six decimal
// places; a mean of nothing is empty, or null.
void WriteSweep(absl::Span<const SweepStep> steps, bool as_json,
                absl::FunctionRef<void(absl::string_view)> write);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_THRESHOLD_SWEEP_H_
