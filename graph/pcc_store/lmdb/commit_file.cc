// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/pcc_store/lmdb/commit_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/numbers/crc32c.h"
#include "base/numbers/little_endian.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace internal {
namespace {

constexpr size_t kNumberBytes = 16;
constexpr size_t kRecordBytes = kNumberBytes + 4;

std::string PathIn(const std::string& directory) {
  return absl::StrCat(directory, "/commits");
}

absl::StatusOr<CommitRecord> ReadRecord(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    // Without a directory there is no store: the caller says so.
    if (errno == ENOENT || errno == ENOTDIR) return CommitRecord();
    return absl::ErrnoToStatus(errno,
                               absl::StrCat(path, ": expected to read it"));
  }
  char bytes[kRecordBytes + 1];
  const ssize_t size = std::max<ssize_t>(read(fd, bytes, sizeof(bytes)), 0);
  close(fd);
  const absl::StatusOr<CommitRecord> record =
      DecodeCommitRecord(absl::string_view(bytes, size));
  if (record.ok()) return record;
  return absl::DataLossError(
      absl::StrCat(path, ": ", record.status().message(),
                   "; if the store is known to be whole, remove this file"));
}

}  // namespace

std::string EncodeCommitRecord(const CommitRecord& record) {
  std::string bytes;
  AppendLittle64(record.commits, &bytes);
  AppendLittle64(record.file_bytes, &bytes);
  AppendLittle32(Crc32c(bytes), &bytes);
  return bytes;
}

absl::StatusOr<CommitRecord> DecodeCommitRecord(absl::string_view bytes) {
  if (bytes.size() != kRecordBytes ||
      Crc32c(bytes.substr(0, kNumberBytes)) !=
          LoadLittle32(bytes.data() + kNumberBytes)) {
    return absl::DataLossError(
        absl::StrCat("expected a number of commits with its checksum, found ",
                     bytes.size(), " damaged bytes"));
  }
  return CommitRecord{LoadLittle64(bytes.data()),
                      LoadLittle64(bytes.data() + 8)};
}

uint64_t FileSize(const std::string& path) {
  struct stat file;
  return stat(path.c_str(), &file) == 0 ? static_cast<uint64_t>(file.st_size)
                                        : 0;
}

absl::StatusOr<CommitRecord> ReadCommitFile(const std::string& directory) {
  const std::string path = PathIn(directory);
  const std::string data = absl::StrCat(directory, "/data.mdb");
  ASSIGN_OR_RETURN(CommitRecord record, ReadRecord(path));
  while (true) {
    const uint64_t least =
        std::max<uint64_t>(record.file_bytes, record.commits > 0 ? 1 : 0);
    const uint64_t found = FileSize(data);
    if (found >= least) return record;
    // A writer may have put a smaller file in place, and said so, in between.
    ASSIGN_OR_RETURN(const CommitRecord again, ReadRecord(path));
    if (again.commits == record.commits &&
        again.file_bytes == record.file_bytes) {
      return absl::DataLossError(absl::StrCat(
          data, ": expected at least ", least, " bytes and ", record.commits,
          " commits, as ", path, " says, found ", found,
          " bytes; restore the store from a backup, or remove it to begin "
          "anew"));
    }
    record = again;
  }
}

absl::Status WriteCommitFile(const std::string& directory,
                             const CommitRecord& record, bool sync) {
  const std::string path = PathIn(directory);
  const std::string temporary = absl::StrCat(path, ".tmp");
  const std::string bytes = EncodeCommitRecord(record);
  const int fd =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool written = fd >= 0 && write(fd, bytes.data(), bytes.size()) ==
                                static_cast<ssize_t>(bytes.size());
  // Synced before it is renamed: a machine that dies leaves the old file or the
  // new one, not an empty one.
  if (written && sync) written = fdatasync(fd) == 0;
  if (fd >= 0) written = close(fd) == 0 && written;
  if (written && rename(temporary.c_str(), path.c_str()) == 0) {
    return absl::OkStatus();
  }
  const int error = errno;
  unlink(temporary.c_str());
  return absl::ErrnoToStatus(error,
                             absl::StrCat(path, ": expected to write it"));
}

}  // namespace internal
}  // namespace warpclust
