// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps that a run of dclustr has with a store and in memory.

#ifndef WARPCLUST_TOOLS_COLLECTION_DCLUSTR_RUN_H_
#define WARPCLUST_TOOLS_COLLECTION_DCLUSTR_RUN_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "algorithms/dclustr/dclustr.h"
#include "base/numbers/decimal.h"
#include "kernels/device/device.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/collection/dclustr_documents.h"
#include "tools/collection/dclustr_flags.h"
#include "tools/describe/describe_flags.h"

namespace warpclust {

// The bundled documents that dclustr runs on without a store.
inline constexpr absl::string_view kDClustRExample = "encyclopedia.jsonl";

DClustRRunOptions RunOptions(Device device, const ToolRun& run);

// Where an update runs, by the work among the documents that it adds; of
// embeddings also by that with the `num_stored` documents before. On several
// ranks: the CPU.
absl::StatusOr<Device> UpdateDevice(const StoreReader::Documents& added,
                                    int64_t num_stored, const Decimal& beta,
                                    ToolRun& run);

// The same for work on the whole collection.
absl::StatusOr<Device> WholeDevice(ToolRun& run);

// Prints what an update did. `sum` collects all updates of a run.
void NoteUpdate(DClustRUpdate update, ToolRun& run,
                absl::optional<DClustRUpdate>* sum);

// The fields of the summary.
void ReportDClustR(const DClustRStoreOptions& options,
                   const DClustRUpdate& update, ToolRun& run);

// `path` is where the names of the documents come from. `named` has the
// documents if they are described.
absl::Status WriteClusters(const DClustRClusters& clusters,
                           const std::string& path, const NamedDocuments& named,
                           const Decimal& beta, const DClustROptions& options,
                           const FlagSet& flags, ToolRun& run);

// --in_memory: DClustR in memory, on the documents of --add.
absl::Status RunInMemory(const DClustROptions& options, const FlagSet& flags,
                         ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_COLLECTION_DCLUSTR_RUN_H_
