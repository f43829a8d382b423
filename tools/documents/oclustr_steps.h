// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps that a run of oclustr on documents and its --sweep share.

#ifndef WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_STEPS_H_
#define WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_STEPS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "algorithms/oclustr/oclustr.h"
#include "base/numbers/decimal.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/describe/describe_flags.h"
#include "tools/input/input_format.h"
#include "tools/input/read_dense.h"
#include "tools/input/read_documents.h"
#include "tools/report/report_file.h"

namespace warpclust {

struct OClustRFlags {
  DocumentOptions documents;
  DenseFlags dense;
  DescribeFlags describe;
  // None: chosen.
  absl::optional<Decimal> beta;
  std::string sweep;
  std::string hierarchy;
  ReportFile hierarchy_file;
};

// Where nothing chooses.
inline constexpr Decimal kDefaultBeta = "0.25";

// Reads documents, with titles and words if `describe`. If --beta is not known,
// chooses it, and --weighting unless it was given or they are embeddings.
absl::StatusOr<NamedDocuments> ReadForOClustR(const Input& input, bool describe,
                                              const FlagSet& flags,
                                              OClustRFlags& options,
                                              ToolRun& run);

// Where to cluster documents at this β or above.
absl::StatusOr<Device> ChooseOClustRDevice(const NamedDocuments& named,
                                           const Decimal& beta,
                                           bool clusters_only, ToolRun& run);

// --hierarchy: writes that of the documents, from their graph.
absl::Status WriteHierarchy(const CsrGraph& graph, const NamedDocuments& named,
                            ReportFile& file, ToolRun& run);

// The numbers and the seconds of the summary.
void ReportClusters(const OClustRResult& result, ToolRun& run);
void ReportSeconds(const OClustRResult& result, ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DOCUMENTS_OCLUSTR_STEPS_H_
