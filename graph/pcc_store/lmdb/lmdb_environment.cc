// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/lmdb_environment.h"

#include <lmdb.h>

#include <cstring>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/crc32c.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/lmdb/lmdb_handles.h"

namespace warpclust {
namespace internal {

struct LmdbTransactionState {
  ~LmdbTransactionState() {
    if (txn != nullptr) mdb_txn_abort(txn);
  }
  absl::Status CheckCall(int table, absl::string_view key) const;
  absl::StatusOr<absl::optional<absl::string_view>> Find(
      int table, absl::string_view key) const;
  // Room for `size` bytes under `key`.
  absl::StatusOr<char*> Reserve(int table, absl::string_view key, size_t size);
  // What follows the checksum of a value.
  absl::StatusOr<absl::string_view> Checked(int table, absl::string_view key,
                                            absl::string_view stored) const;

  LmdbHandles* handles = nullptr;
  MDB_txn* txn = nullptr;
  bool has_written = false;
};

}  // namespace internal

namespace {

using ::warpclust::internal::LmdbHandles;
using ::warpclust::internal::LmdbTransactionState;

constexpr size_t kCrcBytes = sizeof(uint32_t);
constexpr size_t kMaxKeyBytes = 511;

MDB_val ToVal(absl::string_view bytes) {
  return MDB_val{bytes.size(), const_cast<char*>(bytes.data())};
}
absl::string_view FromVal(const MDB_val& val) {
  return absl::string_view(static_cast<const char*>(val.mv_data), val.mv_size);
}

absl::Status EndedError() {
  return absl::FailedPreconditionError(
      "expected an open transaction, found a committed one");
}

}  // namespace

namespace internal {

absl::Status LmdbTransactionState::CheckCall(int table,
                                             absl::string_view key) const {
  if (table < 0 || table >= static_cast<int>(handles->tables.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected one of ", handles->tables.size(),
                     " tables, found table ", table));
  }
  if (key.empty() || key.size() > kMaxKeyBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected a key of 1 to ", kMaxKeyBytes, " bytes for table '",
        handles->names[table], "', found ", key.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::optional<absl::string_view>> LmdbTransactionState::Find(
    int table, absl::string_view key) const {
  RETURN_IF_ERROR(CheckCall(table, key));
  MDB_val name = ToVal(key);
  MDB_val value;
  const int code = mdb_get(txn, handles->tables[table], &name, &value);
  if (code == MDB_NOTFOUND) return absl::optional<absl::string_view>();
  if (code != 0) {
    return handles->Error(
        absl::StrCat("expected to read table '", handles->names[table], "'"),
        code);
  }
  return absl::optional<absl::string_view>(FromVal(value));
}

absl::StatusOr<char*> LmdbTransactionState::Reserve(int table,
                                                    absl::string_view key,
                                                    size_t size) {
  RETURN_IF_ERROR(CheckCall(table, key));
  if (size > UINT32_MAX) {
    return absl::ResourceExhaustedError(absl::StrCat(
        handles->directory, ": expected a value below 4 GiB for table '",
        handles->names[table], "', found ", size, " bytes"));
  }
  MDB_val name = ToVal(key);
  MDB_val room{size, nullptr};
  const int code =
      mdb_put(txn, handles->tables[table], &name, &room, MDB_RESERVE);
  if (code != 0) {
    return handles->Error(
        absl::StrCat("expected to write table '", handles->names[table], "'"),
        code);
  }
  has_written = true;
  return static_cast<char*>(room.mv_data);
}

absl::StatusOr<absl::string_view> LmdbTransactionState::Checked(
    int table, absl::string_view key, absl::string_view stored) const {
  if (stored.size() >= kCrcBytes &&
      Crc32c(stored.substr(kCrcBytes), Crc32c(key)) ==
          LoadLittle32(stored.data())) {
    return stored.substr(kCrcBytes);
  }
  return absl::DataLossError(absl::StrCat(
      handles->directory, ": expected a value with its checksum in table '",
      handles->names[table], "' under key ", absl::BytesToHexString(key),
      ", found ", stored.size(), " damaged bytes"));
}

}  // namespace internal

LmdbTransaction::LmdbTransaction(std::unique_ptr<LmdbTransactionState> state)
    : state_(std::move(state)) {}
LmdbTransaction::LmdbTransaction(LmdbTransaction&&) noexcept = default;
LmdbTransaction& LmdbTransaction::operator=(LmdbTransaction&&) noexcept =
    default;
LmdbTransaction::~LmdbTransaction() = default;

absl::StatusOr<absl::optional<absl::string_view>> LmdbTransaction::GetRaw(
    int table, absl::string_view key) const {
  if (state_ == nullptr) return EndedError();
  return state_->Find(table, key);
}

absl::StatusOr<absl::optional<absl::string_view>> LmdbTransaction::Get(
    int table, absl::string_view key) const {
  ASSIGN_OR_RETURN(const absl::optional<absl::string_view> stored,
                   GetRaw(table, key));
  if (!stored.has_value()) return stored;
  ASSIGN_OR_RETURN(const absl::string_view value,
                   state_->Checked(table, key, *stored));
  return absl::optional<absl::string_view>(value);
}

absl::Status LmdbTransaction::Put(int table, absl::string_view key,
                                  absl::string_view value) {
  if (state_ == nullptr) return EndedError();
  char crc[kCrcBytes];
  StoreLittle32(Crc32c(value, Crc32c(key)), crc);
  // The reserved room may overlap `value` if that came from this table.
  const std::string copy(value);
  return PutRaw(table, key, {absl::string_view(crc, kCrcBytes), copy});
}

absl::Status LmdbTransaction::PutRaw(
    int table, absl::string_view key,
    absl::Span<const absl::string_view> parts) {
  if (state_ == nullptr) return EndedError();
  size_t size = 0;
  for (const absl::string_view part : parts) size += part.size();
  ASSIGN_OR_RETURN(char* out, state_->Reserve(table, key, size));
  for (const absl::string_view part : parts) {
    if (part.empty()) continue;
    std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  return absl::OkStatus();
}

absl::Status LmdbTransaction::Delete(int table, absl::string_view key) {
  if (state_ == nullptr) return EndedError();
  RETURN_IF_ERROR(state_->CheckCall(table, key));
  MDB_val name = ToVal(key);
  const int code =
      mdb_del(state_->txn, state_->handles->tables[table], &name, nullptr);
  if (code == 0) state_->has_written = true;
  if (code == 0 || code == MDB_NOTFOUND) return absl::OkStatus();
  return state_->handles->Error(
      absl::StrCat("expected to delete from table '",
                   state_->handles->names[table], "'"),
      code);
}

absl::Status LmdbTransaction::Visit(int table, absl::string_view from,
                                    bool checked,
                                    absl::FunctionRef<absl::StatusOr<bool>(
                                        absl::string_view, absl::string_view)>
                                        visit) const {
  if (state_ == nullptr) return EndedError();
  const LmdbHandles& handles = *state_->handles;
  RETURN_IF_ERROR(state_->CheckCall(table, from.empty() ? "0" : from));
  const std::string what =
      absl::StrCat("expected to read table '", handles.names[table], "'");
  MDB_cursor* opened = nullptr;
  int code = mdb_cursor_open(state_->txn, handles.tables[table], &opened);
  if (code != 0) return handles.Error(what, code);
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> cursor(
      opened, &mdb_cursor_close);
  MDB_val key = ToVal(from);
  MDB_val stored;
  code = mdb_cursor_get(cursor.get(), &key, &stored,
                        from.empty() ? MDB_FIRST : MDB_SET_RANGE);
  while (code == 0) {
    absl::string_view value = FromVal(stored);
    if (checked) {
      ASSIGN_OR_RETURN(value, state_->Checked(table, FromVal(key), value));
    }
    ASSIGN_OR_RETURN(const bool more, visit(FromVal(key), value));
    if (!more) return absl::OkStatus();
    code = mdb_cursor_get(cursor.get(), &key, &stored, MDB_NEXT);
  }
  if (code == MDB_NOTFOUND) return absl::OkStatus();
  return handles.Error(what, code);
}

absl::Status LmdbTransaction::ForEach(int table, absl::string_view from,
                                      absl::FunctionRef<absl::StatusOr<bool>(
                                          absl::string_view, absl::string_view)>
                                          visit) const {
  return Visit(table, from, /*checked=*/true, visit);
}

absl::Status LmdbTransaction::ForEachRaw(
    int table, absl::string_view from,
    absl::FunctionRef<absl::StatusOr<bool>(absl::string_view,
                                           absl::string_view)>
        visit) const {
  return Visit(table, from, /*checked=*/false, visit);
}

absl::Status LmdbTransaction::Commit() {
  if (state_ == nullptr) return EndedError();
  const std::unique_ptr<LmdbTransactionState> state = std::move(state_);
  MDB_txn* const txn = std::exchange(state->txn, nullptr);
  if (state->has_written) return state->handles->CommitCounted(txn);
  mdb_txn_abort(txn);
  return absl::OkStatus();
}

LmdbEnvironment::LmdbEnvironment(std::unique_ptr<LmdbHandles> handles)
    : handles_(std::move(handles)) {}
LmdbEnvironment::LmdbEnvironment(LmdbEnvironment&&) noexcept = default;
LmdbEnvironment& LmdbEnvironment::operator=(LmdbEnvironment&&) noexcept =
    default;
LmdbEnvironment::~LmdbEnvironment() = default;

absl::StatusOr<LmdbEnvironment> LmdbEnvironment::Open(
    absl::string_view directory, absl::Span<const char* const> tables,
    const Options& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<LmdbHandles> handles,
                   LmdbHandles::Open(directory, tables, options));
  return LmdbEnvironment(std::move(handles));
}

absl::StatusOr<LmdbTransaction> LmdbEnvironment::Begin(bool write) {
  if (write && handles_->options.read_only) {
    return absl::FailedPreconditionError(
        absl::StrCat(handles_->directory,
                     ": expected to write, found it open for reading only"));
  }
  if (handles_->env == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat(handles_->directory, ": closed by a failed Compact"));
  }
  auto state = std::make_unique<LmdbTransactionState>();
  state->handles = handles_.get();
  const int code = mdb_txn_begin(handles_->env, nullptr, write ? 0 : MDB_RDONLY,
                                 &state->txn);
  if (code != 0) return handles_->Error("expected to begin", code);
  return LmdbTransaction(std::move(state));
}

absl::Status LmdbEnvironment::Compact() {
  if (handles_->options.read_only || handles_->env == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        handles_->directory, ": expected an environment open for writing"));
  }
  return handles_->Compact();
}

absl::StatusOr<int64_t> LmdbEnvironment::FileBytes() const {
  MDB_envinfo info;
  MDB_stat tree;
  int code = mdb_env_info(handles_->env, &info);
  if (code == 0) code = mdb_env_stat(handles_->env, &tree);
  if (code != 0) return handles_->Error("expected to read its size", code);
  return static_cast<int64_t>((info.me_last_pgno + 1) * tree.ms_psize);
}

std::string LmdbKey(uint32_t a) {
  std::string key(4, '\0');
  for (int i = 0; i < 4; ++i) key[i] = static_cast<char>(a >> (24 - 8 * i));
  return key;
}

std::string LmdbKey(uint32_t a, uint32_t b) { return LmdbKey(a) + LmdbKey(b); }

}  // namespace warpclust
