// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of online_cluster, beside those that all tools have: their
// defaults, their help, which go together, and what they mean to the library.
//
// Thread-safety: a plain value; pure functions.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"

namespace warpclust {

struct OnlineFlags {
  Decimal threshold = "0.1";
  int64_t terms = 20;
  std::string expire_after = "0";
  int64_t merge_every = 0;
  Decimal merge_threshold = "0.5";

  std::string weighting = "tf";
  std::string vocabulary;
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";

  std::string method = "auto";
  int64_t batch = 0;
  Decimal epsilon = "0";

  std::string state;
  bool resume = false;
  int64_t journal_bytes = 0;
};

// `options` outlives `flags`.
void AddOnlineFlags(OnlineFlags* options, FlagSet* flags);

// The errors of all of these are UsageError. Here: flags that need others, or
// exclude them.
absl::Status CheckOnlineFlags(const OnlineFlags& options, const FlagSet& flags,
                              const ToolRun& run);
absl::StatusOr<OnlineOptions> ClusteringOptions(const OnlineFlags& options);
absl::StatusOr<OnlineMethodOptions> MethodOptions(const OnlineFlags& options,
                                                  const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_
