// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The flags of dclustr: what they are, and which of them go together.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_FLAGS_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_FLAGS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/input/csv_documents.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_dense.h"
#include "tools/input/text_flags.h"

namespace warpclust {

// The flags of dclustr, as given.
struct DClustROptions {
  std::string store;
  // Without a store: DClustR in memory, which takes the documents of `add` in
  // batches; 0: all at once.
  bool in_memory = false;
  int32_t batch = 0;
  // Fixed when the store is created.
  Decimal beta = "0.25";
  std::string weighting = "tf";
  std::string mode = "exact";
  TextOptions text;
  // What changes.
  std::string add;
  std::string modify;
  std::string remove;
  std::string input_format = "auto";
  CsvColumns csv;
  std::string ids;
  JsonFlags json;
  DenseFlags dense;
  // Further work.
  bool reweight = false;
  bool compact = false;
  bool verify = false;
  std::string print = "cover";
  DescribeFlags describe;

  bool changes_documents() const {
    return !add.empty() || !modify.empty() || !remove.empty();
  }
};

// Adds them and the flags of all tools to `tool`.
void AddDClustRFlags(Tool* tool, DClustROptions* options);

// UsageError for flags that do not go together, or without an effect.
absl::Status CheckDClustRFlags(const DClustROptions& options,
                               const FlagSet& flags, const ToolRun& run);

// UsageError for flags that need one process, on several ranks; Unavailable for
// a GPU.
absl::Status CheckDClustRRanks(const DClustROptions& options,
                               const ToolRun& run);

// UsageError for flags about terms. `subject` as in CheckNoTextFlags
// (tools/input/text_flags.h).
absl::Status CheckNoTermFlags(const FlagSet& flags, absl::string_view subject);

// UsageError for outputs that would overwrite a file of the store.
absl::Status CheckDClustROutputs(const DClustROptions& options,
                                 const ToolRun& run);

// What the flags say of a new collection. InvalidArgument for names that are
// not known; does not validate the result.
absl::StatusOr<DClustRStoreOptions> CreationOptions(
    const DClustROptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_FLAGS_H_
