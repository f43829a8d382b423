// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/lmdb_handles.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/lmdb/commit_file.h"

namespace warpclust {
namespace internal {
namespace {

// Address space, not memory: the file grows as it is used.
constexpr size_t kLargestMap = size_t{1} << (sizeof(size_t) > 4 ? 40 : 30);
constexpr size_t kSmallestMap = size_t{1} << 24;
constexpr mode_t kFileMode = 0666;
constexpr absl::string_view kCommitCountKey = "commits";

MDB_val ToVal(absl::string_view bytes) {
  return MDB_val{bytes.size(), const_cast<char*>(bytes.data())};
}

// Takes the writer's lock. Unavailable at once if another process has it.
absl::StatusOr<int> LockForWriting(const std::string& directory) {
  const std::string path = directory + "/writer.lock";
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (fd < 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat(path, ": expected to open it for writing"));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int error = errno;
  close(fd);
  if (error == EWOULDBLOCK) {
    return absl::UnavailableError(
        absl::StrCat("another process is updating ", directory));
  }
  return absl::ErrnoToStatus(error,
                             absl::StrCat(path, ": expected to lock it"));
}

// Opens `handles->env`, with as much address space as the system grants.
absl::Status OpenEnvironment(LmdbHandles* handles,
                             unsigned int more_flags = 0) {
  handles->tables.clear();
  // Readers belong to transactions, not to threads: several threads may read
  // in one, and one thread may read while it writes.
  unsigned int flags = MDB_NOTLS | more_flags;
  if (handles->options.read_only) flags |= MDB_RDONLY;
  if (!handles->options.sync) flags |= MDB_NOSYNC;
  for (size_t map = kLargestMap;; map /= 2) {
    int code = mdb_env_create(&handles->env);
    if (code != 0) return handles->Error("expected to open it", code);
    mdb_env_set_mapsize(handles->env, map);
    mdb_env_set_maxdbs(handles->env,
                       static_cast<MDB_dbi>(handles->names.size()));
    code = mdb_env_open(handles->env, handles->directory.c_str(), flags,
                        kFileMode);
    if (code == 0) break;
    mdb_env_close(handles->env);
    handles->env = nullptr;
    if (code == ENOMEM && map / 2 >= kSmallestMap) continue;
    return handles->Error("expected to open the store's data.mdb", code);
  }
  // Forgets readers whose process has died, so that their pages are free.
  int dead = 0;
  mdb_reader_check(handles->env, &dead);
  return absl::OkStatus();
}

absl::Status ForeignError(absl::string_view directory,
                          absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat(
      directory, ": expected a store or an empty directory, found ", found,
      "; give the store a directory of its own"));
}

// InvalidArgument if `directory` has a file that is none of a store.
absl::Status CheckNoOtherFiles(const std::string& directory) {
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (std::none_of(std::begin(LmdbEnvironment::kFiles),
                     std::end(LmdbEnvironment::kFiles),
                     [&](const char* file) { return name == file; })) {
      return ForeignError(directory, absl::StrCat("the file ", name));
    }
  }
  return absl::OkStatus();
}

// With `only_look`, an empty database stays as it is.
absl::Status OpenTablesIn(MDB_txn* txn, LmdbHandles* handles,
                          bool only_look = false) {
  int code = mdb_dbi_open(txn, nullptr, 0, &handles->main_table);
  MDB_stat stat = {};
  if (code == 0) code = mdb_stat(txn, handles->main_table, &stat);
  if (code != 0) return handles->Error("expected to read its tables", code);
  const bool read_only = handles->options.read_only;
  // All tables are made at once.
  const unsigned int flags =
      !read_only && stat.ms_entries == 0 ? MDB_CREATE : 0;
  if (only_look && flags == MDB_CREATE) return absl::OkStatus();
  for (const std::string& name : handles->names) {
    MDB_dbi table = 0;
    code = mdb_dbi_open(txn, name.c_str(), flags, &table);
    if (code == MDB_NOTFOUND && !read_only) {
      return ForeignError(
          handles->directory,
          absl::StrCat("a database without the table '", name, "'"));
    }
    if (code == MDB_NOTFOUND) {
      return absl::NotFoundError(absl::StrCat(handles->directory,
                                              ": expected a store with table '",
                                              name, "', found none"));
    }
    if (code != 0) {
      return handles->Error(absl::StrCat("expected table '", name, "'"), code);
    }
    handles->tables.push_back(table);
  }
  return absl::OkStatus();
}

// Refuses the database of somebody else where opening it would leave lock files
// behind. It reads without locks: nobody writes to a store without lock files.
absl::Status CheckUnlockedDatabase(const LmdbHandles& handles) {
  if (std::filesystem::exists(handles.directory + "/lock.mdb") &&
      std::filesystem::exists(handles.directory + "/writer.lock")) {
    return absl::OkStatus();
  }
  LmdbHandles look;
  look.directory = handles.directory;
  look.names = handles.names;
  look.options = handles.options;
  RETURN_IF_ERROR(OpenEnvironment(&look, MDB_RDONLY | MDB_NOLOCK));
  MDB_txn* txn = nullptr;
  const int code = mdb_txn_begin(look.env, nullptr, MDB_RDONLY, &txn);
  if (code != 0) return look.Error("expected to read its tables", code);
  const absl::Status status = OpenTablesIn(txn, &look, /*only_look=*/true);
  mdb_txn_abort(txn);
  return status;
}

// Opens the tables. DataLoss if there were fewer than `least` commits.
absl::Status OpenTables(uint64_t least, LmdbHandles* handles) {
  const bool read_only = handles->options.read_only;
  MDB_txn* txn = nullptr;
  int code =
      mdb_txn_begin(handles->env, nullptr, read_only ? MDB_RDONLY : 0, &txn);
  if (code != 0) return handles->Error("expected to read its tables", code);
  absl::Status status = OpenTablesIn(txn, handles);
  const absl::StatusOr<uint64_t> count =
      status.ok() ? handles->CommitCount(txn) : status;
  status.Update(count.status());
  if (status.ok() && *count < least) {
    status = absl::DataLossError(absl::StrCat(
        handles->directory, ": expected ", least, " commits, as ",
        handles->directory, "/commits says, found ", *count,
        ": the newest are lost; restore the store from a backup, or remove "
        "that file to use what is left"));
  }
  if (!status.ok()) {
    mdb_txn_abort(txn);
    return status;
  }
  code = mdb_txn_commit(txn);
  if (code != 0) return handles->Error("expected to keep its tables", code);
  // Left behind by a process that died after its commit, or by an older
  // release.
  if (!read_only && *count > least) handles->WriteCommits(*count);
  return absl::OkStatus();
}

}  // namespace

absl::Status CreateDirectory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return absl::OkStatus();
  return absl::Status(
      absl::ErrnoToStatusCode(error.value()),
      absl::StrCat(directory, ": expected a directory that exists or can be ",
                   "created (", error.message(), ")"));
}

absl::Status LmdbHandles::Error(absl::string_view what, int code) const {
  const std::string message =
      absl::StrCat(directory, ": ", what, " (", mdb_strerror(code), ")");
  switch (code) {
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
    case MDB_PANIC:
    case MDB_CURSOR_FULL:  // A tree that is deeper than any may be.
    case MDB_PAGE_FULL:
      return absl::DataLossError(message);
    case MDB_MAP_FULL:
    case MDB_TXN_FULL:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ENOMEM:
      return absl::ResourceExhaustedError(message);
    case MDB_READERS_FULL:
    case MDB_MAP_RESIZED:
    case EAGAIN:
    case EBUSY:
      return absl::UnavailableError(message);
    case EROFS:
      return absl::PermissionDeniedError(message);
    case EIO:
      // LMDB also returns it if the system writes only a part of what it was
      // given, as on a disk that becomes full. LMDB reads by mapped memory, so
      // EIO never comes from reading.
      return absl::ResourceExhaustedError(
          absl::StrCat(message, ": is the disk full?"));
    default:
      break;
  }
  if (code > 0) return absl::Status(absl::ErrnoToStatusCode(code), message);
  return absl::InternalError(message);
}

absl::StatusOr<uint64_t> LmdbHandles::CommitCount(MDB_txn* txn) const {
  MDB_val key = ToVal(kCommitCountKey);
  MDB_val value;
  const int code = mdb_get(txn, main_table, &key, &value);
  if (code == MDB_NOTFOUND) return 0;
  if (code != 0) return Error("expected to read its number of commits", code);
  const absl::StatusOr<CommitRecord> record =
      DecodeCommitRecord(absl::string_view(
          static_cast<const char*>(value.mv_data), value.mv_size));
  if (record.ok()) return record->commits;
  return absl::DataLossError(
      absl::StrCat(directory, ": ", record.status().message()));
}

absl::Status LmdbHandles::CommitCounted(MDB_txn* txn) {
  const std::lock_guard<std::mutex> lock(commit_mutex);
  absl::StatusOr<uint64_t> count = CommitCount(txn);
  if (!count.ok()) {
    mdb_txn_abort(txn);
    return count.status();
  }
  const std::string bytes = EncodeCommitRecord({++*count, 0});
  MDB_val key = ToVal(kCommitCountKey);
  MDB_val value = ToVal(bytes);
  int code = mdb_put(txn, main_table, &key, &value, 0);
  if (code != 0) {
    mdb_txn_abort(txn);
  } else {
    code = mdb_txn_commit(txn);  // Frees it, also when it fails.
  }
  if (code != 0) return Error("expected to commit an update", code);
  WriteCommits(*count);
  return absl::OkStatus();
}

void LmdbHandles::WriteCommits(uint64_t count) const {
  const CommitRecord record = {count, FileSize(DataPath())};
  // If it fails the store is as good, only less protected, as after a crash
  // before it is written.
  WriteCommitFile(directory, record, options.sync).IgnoreError();
}

absl::Status LmdbHandles::Compact() {
  // Processes that have the store open share the number of the last
  // transaction, and the two meta pages are used by turns: by its parity. LMDB
  // writes a compacted copy as transaction 1, so our number must be odd: with
  // an even one, LMDB would see the empty state of the copy's other meta page.
  MDB_envinfo info;
  int code = mdb_env_info(env, &info);
  if (code != 0) return Error("expected to read its state", code);
  MDB_txn* txn = nullptr;
  if (info.me_last_txnid % 2 == 0) {
    code = mdb_txn_begin(env, nullptr, 0, &txn);
    if (code != 0) return Error("expected to begin", code);
    RETURN_IF_ERROR(CommitCounted(txn));
  }
  code = mdb_txn_begin(env, nullptr, MDB_RDONLY, &txn);
  if (code != 0) return Error("expected to begin", code);
  const absl::StatusOr<uint64_t> count = CommitCount(txn);
  mdb_txn_abort(txn);
  RETURN_IF_ERROR(count.status());

  const std::string copy = absl::StrCat(directory, "/compact.tmp");
  const auto failed = [&](absl::string_view what, int error) {
    unlink(copy.c_str());
    return Error(what, error);
  };
  std::error_code ignored;
  std::filesystem::remove_all(copy, ignored);
  const int fd =
      open(copy.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode);
  if (fd < 0) return failed("expected to create compact.tmp", errno);
  code = mdb_env_copyfd2(env, fd, MDB_CP_COMPACT);
  if (code == 0 && options.sync && fdatasync(fd) != 0) code = errno;
  if (close(fd) != 0 && code == 0) code = errno;
  if (code != 0) return failed("expected to write compact.tmp", code);
  // From here on data.mdb may be smaller than it was.
  absl::Status status = WriteCommitFile(directory, {*count, 0}, options.sync);
  if (status.ok() && rename(copy.c_str(), DataPath().c_str()) != 0) {
    status = Error("expected to rename compact.tmp to data.mdb", errno);
  }
  if (!status.ok()) {
    unlink(copy.c_str());
    return status;
  }
  mdb_env_close(env);
  env = nullptr;
  RETURN_IF_ERROR(OpenEnvironment(this));
  RETURN_IF_ERROR(OpenTables(*count, this));
  WriteCommits(*count);
  return absl::OkStatus();
}

std::string LmdbHandles::DataPath() const {
  return absl::StrCat(directory, "/data.mdb");
}

LmdbHandles::~LmdbHandles() {
  if (env != nullptr) mdb_env_close(env);
  if (lock_fd >= 0) close(lock_fd);
}

absl::StatusOr<std::unique_ptr<LmdbHandles>> LmdbHandles::Open(
    absl::string_view directory, absl::Span<const char* const> tables,
    const LmdbEnvironment::Options& options) {
  auto handles = std::make_unique<LmdbHandles>();
  handles->directory = std::string(directory);
  handles->names.assign(tables.begin(), tables.end());
  handles->options = options;
  // Before anything is created.
  RETURN_IF_ERROR(ReadCommitFile(handles->directory).status());
  // A process that dies while it creates a store may leave an empty file.
  if (FileSize(handles->DataPath()) == 0) {
    if (!options.read_only) {
      RETURN_IF_ERROR(CheckNoOtherFiles(handles->directory));
    }
    if (options.read_only || !options.create) {
      return absl::NotFoundError(
          absl::StrCat(directory, ": expected a store, found no data.mdb"));
    }
  } else {
    RETURN_IF_ERROR(CheckUnlockedDatabase(*handles));
  }
  if (!options.read_only) {
    RETURN_IF_ERROR(CreateDirectory(handles->directory));
    ASSIGN_OR_RETURN(handles->lock_fd, LockForWriting(handles->directory));
  }
  // Read before the store: a commit of another process in between only raises
  // the number inside.
  ASSIGN_OR_RETURN(const CommitRecord record,
                   ReadCommitFile(handles->directory));
  RETURN_IF_ERROR(OpenEnvironment(handles.get()));
  RETURN_IF_ERROR(OpenTables(record.commits, handles.get()));
  return handles;
}

}  // namespace internal
}  // namespace warpclust
