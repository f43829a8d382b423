// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LmdbEnvironment: a directory on disk with named tables of byte strings,
// changed by transactions: all of a transaction is in the file or nothing,
// even if the process or the machine dies. Built on LMDB, with what a store of
// ours needs on top: a checksum of every value, a lock that answers instead of
// waiting, absl::Status for all errors.
//
//   auto environment = LmdbEnvironment::Open("store", {"meta", "rows"}, {});
//   auto transaction = environment->Begin(/*write=*/true);
//   transaction->Put(0, "version", "1");
//   transaction->Commit();
//
// One process writes at a time; readers, in other processes or through the
// same environment, go on with the state they began with. Within one process
// open a directory only once at a time (a rule of LMDB's: its locks belong to
// the process).
//
// Opening reads the pages of the trees, without the long values: a damaged page
// is found before LMDB, which trusts its pages, is led astray. About 1 us a
// page of 4 KB.
//
// Cost: a lookup is a walk down a tree of memory-mapped pages (about 0.5 us
// once the pages are cached), and the checksum of the value (0.05 ns a byte).
// Memory: pages of the file, which the system may drop; and the pages that a
// write transaction has changed. The file grows as needed; it never shrinks:
// freed pages are used again, CopyCompacted makes a small copy.
//
// Errors: DataLoss if the file or a value is damaged, ResourceExhausted if
// the disk is full, NotFound, PermissionDenied, Unavailable, Internal; each
// names the directory.
//
// Thread-safety: an environment may be shared. A transaction belongs to one
// thread at a time; one that reads may be read by several at once.

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
class LmdbHandles;  // What hides <lmdb.h>.
struct LmdbTransactionState;
}  // namespace internal

// Tables are numbered in the order of their names at Open. Keys have 1 to 511
// bytes. Move-only; aborts unless committed.
class LmdbTransaction {
 public:
  LmdbTransaction(LmdbTransaction&&) noexcept;
  LmdbTransaction& operator=(LmdbTransaction&&) noexcept;
  ~LmdbTransaction();

  // Value of `key`; nullopt if there is none. Valid until the next write of
  // this transaction. Checks the value's checksum: DataLoss naming table and
  // key. Its address is even, no more: copy numbers out with memcpy.
  absl::StatusOr<absl::optional<absl::string_view>> Get(
      int table, absl::string_view key) const;
  // `value` may be (part of) what Get of this transaction returned.
  absl::Status Put(int table, absl::string_view key, absl::string_view value);
  absl::Status Delete(int table, absl::string_view key);  // OK if absent.

  // The same without a checksum, for large values that are read in part and
  // carry checksums of their own. A key that PutRaw wrote is read by GetRaw.
  // `parts` are written one after the other; they must not point into values
  // of this transaction. Values of more than 2 KB are aligned to 16 bytes.
  absl::StatusOr<absl::optional<absl::string_view>> GetRaw(
      int table, absl::string_view key) const;
  absl::Status PutRaw(int table, absl::string_view key,
                      absl::Span<const absl::string_view> parts);

  // All values from the first key >= `from`, ascending by bytes; stops when
  // `visit` returns false. No writes inside. Checks checksums.
  absl::Status ForEach(int table, absl::string_view from,
                       absl::FunctionRef<absl::StatusOr<bool>(
                           absl::string_view key, absl::string_view value)>
                           visit) const;
  // The same over a table of raw values.
  absl::Status ForEachRaw(int table, absl::string_view from,
                          absl::FunctionRef<absl::StatusOr<bool>(
                              absl::string_view key, absl::string_view value)>
                              visit) const;

  // Makes all changes lasting, or (if not OK) none. The transaction is over
  // then: every further call but the destructor is FailedPrecondition.
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
    // Opens what is there, for reading; nothing is created (but LMDB's file
    // of readers). NotFound if there is no store.
    bool read_only = false;
    // Waits for the disk at each commit. Without it a commit is still all or
    // nothing when the process dies, but not when the machine does.
    bool sync = true;
  };

  // Opens or creates `directory`/data.mdb with the named tables, and
  // `directory` itself. Unavailable, at once, while another process (or
  // another environment of this one) has it open for writing.
  static absl::StatusOr<LmdbEnvironment> Open(
      absl::string_view directory, absl::Span<const char* const> tables,
      const Options& options);

  LmdbEnvironment(LmdbEnvironment&&) noexcept;
  LmdbEnvironment& operator=(LmdbEnvironment&&) noexcept;
  ~LmdbEnvironment();

  // The transaction must not outlive the environment. One that writes waits
  // for the end of an earlier one of this environment, so a thread has one at
  // a time. FailedPrecondition to write to a read-only environment.
  absl::StatusOr<LmdbTransaction> Begin(bool write);

  // Writes the last committed state, without free pages, to
  // `directory`/data.mdb, which must not exist yet; creates `directory`.
  absl::Status CopyCompacted(absl::string_view directory) const;

  // Bytes of the file that the last committed state occupies, free pages
  // included.
  absl::StatusOr<int64_t> FileBytes() const;

 private:
  explicit LmdbEnvironment(std::unique_ptr<internal::LmdbHandles> handles);

  std::unique_ptr<internal::LmdbHandles> handles_;
};

// Keys whose order as bytes is the order of the numbers (big-endian).
std::string LmdbKey(uint32_t a);
std::string LmdbKey(uint32_t a, uint32_t b);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_PCC_STORE_LMDB_LMDB_ENVIRONMENT_H_
