// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_compact.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

absl::Status CompactCollection(const std::string& directory,
                               LmdbEnvironment* environment) {
  {
    ASSIGN_OR_RETURN(LmdbTransaction transaction,
                     environment->Begin(/*write=*/true));
    ASSIGN_OR_RETURN(PccStore graph, PccStore::Open(&transaction));
    ASSIGN_OR_RETURN(DocumentStore documents,
                     DocumentStore::Open(&transaction));
    RETURN_IF_ERROR(graph.Rewrite());
    RETURN_IF_ERROR(documents.Rewrite());
    RETURN_IF_ERROR(graph.Flush());
    RETURN_IF_ERROR(documents.Flush());
    RETURN_IF_ERROR(transaction.Commit());
  }

  const std::filesystem::path folder(directory);
  const std::filesystem::path copy = folder / "compact.tmp";
  std::error_code error;
  std::filesystem::remove_all(copy, error);
  absl::Status status = environment->CopyCompacted(copy.string());
  if (!status.ok()) {
    std::filesystem::remove_all(copy, error);
    return status;
  }
  // Renamed while the lock is held, so that no writer comes between.
  std::filesystem::rename(copy / "data.mdb", folder / "data.mdb", error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(
        directory, ": cannot put the packed file in place: ", error.message()));
  }
  std::filesystem::remove_all(copy, error);
  absl::StatusOr<LmdbEnvironment> again =
      absl::UnavailableError("not opened yet");
  {
    // The lock of this process must be let go before it is taken again.
    const LmdbEnvironment closed = std::move(*environment);
  }
  again = LmdbEnvironment::Open(directory, kPccTableNames, {});
  if (!again.ok()) return again.status();
  *environment = *std::move(again);
  return absl::OkStatus();
}

}  // namespace warpclust
