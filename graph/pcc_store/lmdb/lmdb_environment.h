// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LmdbEnvironment: a directory on disk with named tables of byte strings,
// changed by transactions. All of a transaction is in the file or nothing, even
// if the process or the machine dies. It is LMDB with what our stores need on
// top: a checksum of every value, a count of commits, a lock that answers
// instead of waiting, and absl::Status for all errors.
//
//   auto environment = LmdbEnvironment::Open("store", {"meta", "rows"}, {});
//   auto transaction = environment->Begin(/*write=*/true);
//   transaction->Put(0, "version", "1");
//   transaction->Commit();
//
// One process writes at a time. Readers, in other processes or of the same
// environment, keep the state that they began with. Within one process, open a
// directory only once at a time: LMDB's locks belong to the process.
//
// Complexity: a lookup walks down a tree of memory-mapped pages and computes
// the checksum of the value. Memory: pages of the file, which the system may
// drop, and the pages that a write transaction has changed. The file grows as
// needed and never shrinks: freed pages are used again. Compact makes it
// small.
//
// Damage: values are checked by their checksums when they are read. Lost
// commits are noticed when a directory is opened, by a count of commits inside
// the store and in a file beside it (commit_file.h). The structure of LMDB's
// pages is not checked, except by LMDB: a damaged page header may make LMDB
// return wrong records, or end the process.
//
// Errors: DataLoss if the file or a value is damaged or commits are lost,
// ResourceExhausted if the disk is full, NotFound, PermissionDenied,
// Unavailable, Internal. Each names the directory.
//
// Thread-safety: an environment may be shared. A transaction belongs to one
// thread at a time; several threads may read one at once that does not write.

#ifndef WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_ENVIRONMENT_H_
#define WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_ENVIRONMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace warpclust {

namespace internal {
class LmdbHandles;  // Hides <lmdb.h>.
struct LmdbTransactionState;
}  // namespace internal

// Tables are numbered in the order of their names at Open. Keys have 1 to 511
// bytes. Move-only; a transaction that is not committed is aborted.
class LmdbTransaction {
 public:
  LmdbTransaction(LmdbTransaction&&) noexcept;
  LmdbTransaction& operator=(LmdbTransaction&&) noexcept;
  ~LmdbTransaction();

  // The value of `key`; nullopt if there is none. The view is valid until the
  // next write of this transaction and not aligned. DataLoss names table and
  // key if the checksum is wrong.
  absl::StatusOr<absl::optional<absl::string_view>> Get(
      int table, absl::string_view key) const;
  // `value` may be what Get of this transaction returned, or part of it.
  absl::Status Put(int table, absl::string_view key, absl::string_view value);
  absl::Status Delete(int table, absl::string_view key);  // OK if absent.

  // The same without a checksum, for large values that are read in part and
  // carry checksums of their own. GetRaw reads what PutRaw wrote. `parts` are
  // written one after the other and must not point into values of this
  // transaction. Values of more than 2 KB are aligned to 16 bytes.
  absl::StatusOr<absl::optional<absl::string_view>> GetRaw(
      int table, absl::string_view key) const;
  absl::Status PutRaw(int table, absl::string_view key,
                      absl::Span<const absl::string_view> parts);

  // Visits all values from the first key >= `from` on, in the order of the
  // keys' bytes, until `visit` returns false. `visit` must not write. Checks
  // checksums.
  absl::Status ForEach(int table, absl::string_view from,
                       absl::FunctionRef<absl::StatusOr<bool>(
                           absl::string_view key, absl::string_view value)>
                           visit) const;
  // The same for a table of raw values.
  absl::Status ForEachRaw(int table, absl::string_view from,
                          absl::FunctionRef<absl::StatusOr<bool>(
                              absl::string_view key, absl::string_view value)>
                              visit) const;

  // Makes all changes durable; none if it returns an error. The transaction is
  // over then, and further calls return FailedPrecondition.
  absl::Status Commit();

 private:
  friend class LmdbEnvironment;
  explicit LmdbTransaction(
      std::unique_ptr<internal::LmdbTransactionState> state);

  absl::Status Visit(int table, absl::string_view from, bool checked,
                     absl::FunctionRef<absl::StatusOr<bool>(
                         absl::string_view key, absl::string_view value)>
                         visit) const;

  std::unique_ptr<internal::LmdbTransactionState> state_;
};

// Move-only; closes the files when destroyed.
class LmdbEnvironment {
 public:
  struct Options {
    // Opens the store for reading only. Nothing is created, except LMDB's file
    // of readers.
    bool read_only = false;
    // Creates the store if there is none; NotFound otherwise. Without effect if
    // read_only.
    bool create = true;
    // Waits for the disk at each commit. Without it, a commit is still all or
    // nothing when the process dies, but not when the machine does.
    bool sync = true;
  };

  // The files of a store in its directory, temporary ones included.
  static constexpr const char* kFiles[] = {"data.mdb",    "lock.mdb",
                                           "writer.lock", "commits",
                                           "commits.tmp", "compact.tmp"};

  // Opens or creates `directory` and its data.mdb with the named tables.
  // Unavailable at once if another process, or another environment of this
  // one, has it open for writing. DataLoss also if commits are lost.
  // InvalidArgument, unless read_only, if something else is there: a data.mdb
  // without these tables, or other files and no store. Nothing is created there
  // then.
  static absl::StatusOr<LmdbEnvironment> Open(
      absl::string_view directory, absl::Span<const char* const> tables,
      const Options& options);

  LmdbEnvironment(LmdbEnvironment&&) noexcept;
  LmdbEnvironment& operator=(LmdbEnvironment&&) noexcept;
  ~LmdbEnvironment();

  // The transaction must not outlive the environment. A write transaction waits
  // for the end of an earlier one of this environment, so a thread may have
  // only one. FailedPrecondition to write to a read-only environment.
  absl::StatusOr<LmdbTransaction> Begin(bool write);

  // Replaces data.mdb by a copy without free pages, on the way compact.tmp. No
  // transaction may be open. A process that dies leaves the old file or the new
  // one. After an error the environment may be closed: Begin then returns
  // FailedPrecondition.
  absl::Status Compact();

  // Bytes of the file, free pages included.
  absl::StatusOr<int64_t> FileBytes() const;

 private:
  explicit LmdbEnvironment(std::unique_ptr<internal::LmdbHandles> handles);

  std::unique_ptr<internal::LmdbHandles> handles_;
};

// Keys whose order as bytes is the order of the numbers: big-endian.
std::string LmdbKey(uint32_t a);
std::string LmdbKey(uint32_t a, uint32_t b);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_ENVIRONMENT_H_
