// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// oclustr on the ranks of a job, or for an --input that names many files.

#ifndef WARPCLUST_TOOLS_RANKS_OCLUSTR_ON_RANKS_H_
#define WARPCLUST_TOOLS_RANKS_OCLUSTR_ON_RANKS_H_

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "base/numbers/decimal.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"

namespace warpclust {

// Whether the run is for OClustROnRanks.
bool IsForRanks(const ToolRun& run);

// Reads, clusters and writes. A collective call. UsageError for flags and
// formats that need all documents in one process. Without `beta` rank 0 chooses
// it and the weighting, as BetaChooser does (tools/describe/choose_beta.h);
// they are set.
absl::Status OClustROnRanks(const FlagSet& flags, DocumentOptions* documents,
                            const DenseFlags& dense,
                            absl::optional<Decimal>* beta, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_OCLUSTR_ON_RANKS_H_
