// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_store.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTables[] = {"online_snapshot", "online_blocks"};
constexpr int kSnapshot = 0;
constexpr int kBlocks = 1;

// With its checksum and LMDB's header of a page, a piece fills whole pages.
constexpr size_t kPieceBytes = (size_t{1} << 20) - 20;

// Describes the file at `path`, where a directory is expected.
std::string FoundFile(const std::string& path) {
  char mark[8] = {};
  // Reading anything but a plain file could block.
  if (fs::is_regular_file(path)) {
    std::ifstream(path, std::ios::binary).read(mark, sizeof(mark));
  }
  // Earlier versions kept the state in two files, a snapshot and a journal.
  const absl::string_view found(mark, sizeof(mark));
  return found == "WCONLINE" || found == "WCJOURNL"
             ? "the state file of an earlier version, which this version "
               "cannot read: begin a new state under another name, or continue "
               "this one with that version"
             : "a file";
}

// Deletes all records of a table.
absl::Status Clear(int table, LmdbTransaction* transaction) {
  std::vector<std::string> keys;
  RETURN_IF_ERROR(transaction->ForEachRaw(
      table, "",
      [&keys](absl::string_view key,
              absl::string_view) -> absl::StatusOr<bool> {
        keys.emplace_back(key);
        return true;
      }));
  for (const std::string& key : keys) {
    RETURN_IF_ERROR(transaction->Delete(table, key));
  }
  return absl::OkStatus();
}

// Writes bytes as records of kPieceBytes.
class PieceWriter {
 public:
  explicit PieceWriter(LmdbTransaction* transaction)
      : transaction_(transaction) {}

  void Write(absl::string_view bytes) {
    size_ += static_cast<int64_t>(bytes.size());
    while (piece_.size() + bytes.size() >= kPieceBytes) {
      const size_t room = kPieceBytes - piece_.size();
      absl::StrAppend(&piece_, bytes.substr(0, room));
      bytes.remove_prefix(room);
      Put();
    }
    absl::StrAppend(&piece_, bytes);
  }

  // The status of all writes.
  absl::Status Finish() {
    if (!piece_.empty()) Put();
    return status_;
  }

  int64_t size() const { return size_; }

 private:
  void Put() {
    status_.Update(
        transaction_->Put(kSnapshot, LmdbKey(num_pieces_++), piece_));
    piece_.clear();
  }

  LmdbTransaction* const transaction_;
  std::string piece_;
  uint32_t num_pieces_ = 0;
  int64_t size_ = 0;
  absl::Status status_;
};

absl::Status InDirectory(absl::string_view directory,
                         const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(directory, ": ", status.message()));
}

}  // namespace

absl::StatusOr<OnlineStore> OnlineStore::Open(absl::string_view directory) {
  const std::string path(directory);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": expected a directory for the state, found ", FoundFile(path)));
  }
  ASSIGN_OR_RETURN(LmdbEnvironment environment,
                   LmdbEnvironment::Open(directory, kTables, {}));
  return OnlineStore(directory, std::move(environment));
}

std::vector<std::string> OnlineStore::Files(absl::string_view directory) {
  std::vector<std::string> files;
  for (const absl::string_view name : LmdbEnvironment::kFiles) {
    files.push_back(absl::StrCat(directory, "/", name));
  }
  return files;
}

absl::StatusOr<absl::optional<OnlineSnapshot>> OnlineStore::Load() {
  ASSIGN_OR_RETURN(const LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  std::string bytes;
  RETURN_IF_ERROR(transaction.ForEach(
      kSnapshot, "",
      [&bytes](absl::string_view,
               absl::string_view piece) -> absl::StatusOr<bool> {
        absl::StrAppend(&bytes, piece);
        return true;
      }));
  if (bytes.empty()) return absl::optional<OnlineSnapshot>();
  snapshot_bytes_ = static_cast<int64_t>(bytes.size());
  absl::StatusOr<OnlineSnapshot> snapshot = ParseOnlineSnapshot(bytes);
  if (!snapshot.ok()) return InDirectory(directory_, snapshot.status());
  return absl::make_optional(*std::move(snapshot));
}

absl::Status OnlineStore::ForEachBlock(
    absl::FunctionRef<absl::Status(const OnlineBlock&)> visit) {
  ASSIGN_OR_RETURN(const LmdbTransaction transaction,
                   environment_.Begin(/*write=*/false));
  block_bytes_ = 0;
  return transaction.ForEach(
      kBlocks, "",
      [&](absl::string_view, absl::string_view record) -> absl::StatusOr<bool> {
        const absl::StatusOr<OnlineBlock> block = ParseOnlineBlock(record);
        if (!block.ok()) return InDirectory(directory_, block.status());
        block_bytes_ += static_cast<int64_t>(record.size());
        RETURN_IF_ERROR(visit(*block));
        return true;
      });
}

absl::Status OnlineStore::Append(const OnlineBlock& block) {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/true));
  const auto number = static_cast<uint64_t>(block.documents_before);
  const std::string record = EncodeOnlineBlock(block);
  RETURN_IF_ERROR(transaction.Put(kBlocks,
                                  LmdbKey(static_cast<uint32_t>(number >> 32),
                                          static_cast<uint32_t>(number)),
                                  record));
  RETURN_IF_ERROR(transaction.Commit());
  block_bytes_ += static_cast<int64_t>(record.size());
  return absl::OkStatus();
}

absl::Status OnlineStore::Save(const OnlineSnapshot& snapshot) {
  ASSIGN_OR_RETURN(LmdbTransaction transaction,
                   environment_.Begin(/*write=*/true));
  RETURN_IF_ERROR(Clear(kBlocks, &transaction));
  RETURN_IF_ERROR(Clear(kSnapshot, &transaction));
  PieceWriter pieces(&transaction);
  WriteOnlineSnapshot(
      snapshot, [&pieces](absl::string_view bytes) { pieces.Write(bytes); });
  RETURN_IF_ERROR(pieces.Finish());
  RETURN_IF_ERROR(transaction.Commit());
  snapshot_bytes_ = pieces.size();
  block_bytes_ = 0;
  return absl::OkStatus();
}

}  // namespace warpclust
