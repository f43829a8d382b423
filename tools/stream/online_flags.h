// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of online_cluster beside those of all tools: defaults, help, which
// exclude each other, and what they mean to the library.

#ifndef WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_
#define WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "algorithms/online/online_methods.h"
#include "algorithms/online/state/online_options.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/input/csv_documents.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_dense.h"
#include "tools/stream/online_session.h"
#include "tools/stream/online_store.h"

namespace warpclust {

struct OnlineFlags {
  Decimal threshold = OnlineOptions().threshold;
  int64_t terms = OnlineOptions().terms;
  std::string expire_after = "0";
  int64_t merge_every = OnlineOptions().merge_every;
  Decimal merge_threshold = OnlineOptions().merge_threshold;
  bool truncated_mean = false;

  std::string weighting = "tf";
  std::string vocabulary;
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";
  JsonFlags json;
  CsvColumns csv;
  DenseFlags dense;

  std::string method = "auto";
  int64_t batch = 0;
  // Empty: the method's.
  std::string epsilon;

  std::string state;
  bool resume = false;
  int64_t journal_bytes = 0;

  bool final = false;
  bool suggest = false;
  DescribeFlags describe;
};

// `options` outlives `flags`.
void AddOnlineFlags(OnlineFlags* options, FlagSet* flags);

// The flag --final, in the group that is open.
void AddFinalFlag(OnlineFlags* options, FlagSet* flags);

// Gives --threshold and --merge_every their values for mdc1 and mdc2, unless
// they were given.
void SetPaperDefaults(const FlagSet& flags, OnlineFlags* options);

// Gives --threshold and the flags of merging their values for embeddings,
// unless they were given.
void SetEmbeddingDefaults(const FlagSet& flags, OnlineFlags* options);

// The errors of these are UsageError. The first: flags that need or exclude one
// another.
absl::Status CheckOnlineFlags(const OnlineFlags& options, const FlagSet& flags,
                              const ToolRun& run);
// Flags that an input of dense documents excludes.
absl::Status CheckDenseOnlineFlags(const OnlineFlags& options,
                                   const FlagSet& flags, InputFormat format);
absl::StatusOr<OnlineOptions> ClusteringOptions(const OnlineFlags& options);
absl::StatusOr<OnlineMethodOptions> MethodOptions(const OnlineFlags& options,
                                                  const ToolRun& run);

OnlineSessionOptions SessionOptions(const OnlineFlags& options,
                                    const OnlineMethodOptions& method,
                                    const ToolRun& run);

// The flags that decide the clusters, with their values. `vocabulary` is
// GivenVocabulary::identity.
OnlineSnapshot::Options DecidingFlags(const OnlineFlags& options,
                                      const OnlineOptions& clustering,
                                      const OnlineMethodOptions& method,
                                      InputFormat format,
                                      absl::string_view vocabulary);

// UsageError naming the first flag that was another when `saved` was made.
absl::Status CheckSameFlags(absl::string_view state,
                            const OnlineSnapshot::Options& saved,
                            const OnlineSnapshot::Options& now);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_STREAM_ONLINE_FLAGS_H_
