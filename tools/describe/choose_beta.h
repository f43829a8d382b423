// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --beta=auto: chooses --beta, and --weighting unless it was given, while
// documents are read, and says what and why.

#ifndef WARPCLUST_TOOLS_DESCRIBE_CHOOSE_BETA_H_
#define WARPCLUST_TOOLS_DESCRIBE_CHOOSE_BETA_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/numbers/decimal.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"

namespace warpclust {

// For DocumentOptions::choose. It sets `beta` and `weighting`, the variables of
// these flags, notes and reports the choice, and counts its time as computing,
// in a timer of "read". All arguments outlive it.
std::function<absl::StatusOr<Weighting>(const DocumentMatrix& counts)>
BetaChooser(const FlagSet& flags, absl::optional<Decimal>* beta,
            std::string* weighting, ToolRun* run);

// The same for embeddings, which have no weighting, once they are read.
absl::Status ChooseBeta(const DenseDocuments& documents, const FlagSet& flags,
                        absl::optional<Decimal>* beta, ToolRun* run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_CHOOSE_BETA_H_
