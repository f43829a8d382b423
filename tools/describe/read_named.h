// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadNamed: reads the documents of oclustr and similarity_graph, of any kind,
// with what to call them.

#ifndef WARPCLUST_TOOLS_DESCRIBE_READ_NAMED_H_
#define WARPCLUST_TOOLS_DESCRIBE_READ_NAMED_H_

#include "absl/status/statusor.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"

namespace warpclust {

// The documents of `input`, which is not a graph, with titles and words if
// `describe` is set in `documents`. Notes bad lines that were left out. The
// errors of ReadDocuments, ReadDense and ReadColumnWords; UsageError for
// --vocabulary with texts, and for flags about terms with embeddings.
absl::StatusOr<NamedDocuments> ReadNamed(const Input& input,
                                         const DocumentOptions& documents,
                                         const DenseFlags& dense,
                                         const DescribeFlags& options,
                                         const FlagSet& flags,
                                         const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DESCRIBE_READ_NAMED_H_
