// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_compact.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "graph/pcc_store/documents/document_store.h"
#include "graph/pcc_store/lmdb/pcc_tables.h"
#include "graph/pcc_store/pcc_store.h"

namespace warpclust {

absl::Status CompactCollection(const std::string& directory,
                               LmdbEnvironment* environment) {
  {
    absl::StatusOr<LmdbTransaction> transaction =
        environment->Begin(/*write=*/true);
    if (!transaction.ok()) return transaction.status();
    absl::StatusOr<PccStore> graph = PccStore::Open(&*transaction);
    if (!graph.ok()) return graph.status();
    absl::StatusOr<DocumentStore> documents =
        DocumentStore::Open(&*transaction);
    if (!documents.ok()) return documents.status();
    absl::Status status = graph->Rewrite();
    if (status.ok()) status = documents->Rewrite();
    if (status.ok()) status = graph->Flush();
    if (status.ok()) status = documents->Flush();
    if (status.ok()) status = transaction->Commit();
    if (!status.ok()) return status;
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
