// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/lmdb_handles.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "graph/pcc_store/lmdb/lmdb_page_check.h"

namespace warpclust {
namespace internal {
namespace {

// Address space, not memory: the file grows as it is used.
constexpr size_t kLargestMap = size_t{1} << (sizeof(size_t) > 4 ? 40 : 30);
constexpr size_t kSmallestMap = size_t{1} << 24;
constexpr mode_t kFileMode = 0666;

// Takes the lock of the one that writes, or says that it is taken.
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

// Whether LMDB may open the file, if there is one.
absl::Status CheckHeads(const LmdbHandles* handles) {
  const std::string path = absl::StrCat(handles->directory, "/data.mdb");
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return absl::OkStatus();  // LMDB says why.
  const absl::Status status = CheckLmdbHeads(file, kLargestMap);
  close(file);
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

// Whether the file's trees can be walked, in the state that a reader sees. Its
// length alone says nothing: LMDB writes no page that is taken and given back
// within one transaction, also if it is the last one.
absl::Status CheckPages(const LmdbHandles* handles) {
  MDB_stat tree;
  mdb_filehandle_t file;
  MDB_txn* txn = nullptr;
  int code = mdb_env_stat(handles->env, &tree);
  if (code == 0) code = mdb_env_get_fd(handles->env, &file);
  if (code == 0) code = mdb_txn_begin(handles->env, nullptr, MDB_RDONLY, &txn);
  if (code != 0) return handles->Error("expected to read its pages", code);
  const absl::Status status =
      CheckLmdbPages(file, tree.ms_psize, mdb_txn_id(txn));
  mdb_txn_abort(txn);
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      absl::StrCat(handles->directory, "/data.mdb: ", status.message()));
}

// Opens `handles->env`, with as much address space as the system grants.
absl::Status OpenEnvironment(bool sync, LmdbHandles* handles) {
  // Readers belong to transactions, not to threads: several threads may read
  // in one, and one thread may read while it writes.
  unsigned int flags = MDB_NOTLS;
  if (handles->read_only) flags |= MDB_RDONLY;
  if (!sync) flags |= MDB_NOSYNC;
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
  return CheckPages(handles);
}

absl::Status OpenTables(LmdbHandles* handles) {
  MDB_txn* txn = nullptr;
  const unsigned int flags = handles->read_only ? MDB_RDONLY : 0;
  int code = mdb_txn_begin(handles->env, nullptr, flags, &txn);
  if (code != 0) return handles->Error("expected to read its tables", code);
  for (const std::string& name : handles->names) {
    MDB_dbi table = 0;
    code = mdb_dbi_open(txn, name.c_str(), handles->read_only ? 0 : MDB_CREATE,
                        &table);
    if (code != 0) {
      mdb_txn_abort(txn);
      if (code == MDB_NOTFOUND) {
        return absl::NotFoundError(
            absl::StrCat(handles->directory, ": expected a store with table '",
                         name, "', found none"));
      }
      return handles->Error(absl::StrCat("expected table '", name, "'"), code);
    }
    handles->tables.push_back(table);
  }
  code = mdb_txn_commit(txn);
  if (code != 0) return handles->Error("expected to keep its tables", code);
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
                   "made, found: ", error.message()));
}

absl::Status LmdbHandles::Error(absl::string_view what, int code) const {
  const std::string message =
      absl::StrCat(directory, ": ", what, ", found: ", mdb_strerror(code));
  switch (code) {
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
    case MDB_PANIC:
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
      // What LMDB says, too, when the system writes a part of what it was
      // given, as on a disk that becomes full. It reads by mapped memory, never
      // here.
      return absl::ResourceExhaustedError(
          absl::StrCat(message, ": is the disk full?"));
    default:
      break;
  }
  if (code > 0) return absl::Status(absl::ErrnoToStatusCode(code), message);
  return absl::InternalError(message);
}

LmdbHandles::~LmdbHandles() {
  if (env != nullptr) mdb_env_close(env);
  if (lock_fd >= 0) close(lock_fd);
}

absl::StatusOr<std::unique_ptr<LmdbHandles>> LmdbHandles::Open(
    absl::string_view directory, absl::Span<const char* const> tables,
    bool read_only, bool sync) {
  auto handles = std::make_unique<LmdbHandles>();
  handles->directory = std::string(directory);
  handles->names.assign(tables.begin(), tables.end());
  handles->read_only = read_only;
  if (read_only) {
    // LMDB would make a file of readers in whatever directory it is given; an
    // empty file is what a process leaves that dies while it makes a store.
    struct stat file;
    const int code = stat(absl::StrCat(directory, "/data.mdb").c_str(), &file);
    if (code == 0 ? file.st_size == 0 : errno == ENOENT || errno == ENOTDIR) {
      return absl::NotFoundError(
          absl::StrCat(directory, ": expected a store, found no data.mdb"));
    }
  } else {
    RETURN_IF_ERROR(CreateDirectory(handles->directory));
    ASSIGN_OR_RETURN(int lock, LockForWriting(handles->directory));
    handles->lock_fd = lock;
  }
  RETURN_IF_ERROR(CheckHeads(handles.get()));
  RETURN_IF_ERROR(OpenEnvironment(sync, handles.get()));
  RETURN_IF_ERROR(OpenTables(handles.get()));
  return handles;
}

}  // namespace internal
}  // namespace warpclust
