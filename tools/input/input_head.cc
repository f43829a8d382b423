// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/input_head.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/byte_reader.h"

namespace warpclust {

std::string PeekBytes(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return "";
  std::string head(kHeadBytes, '\0');
  ssize_t count = 0;
  if (S_ISREG(info.st_mode)) {
    const off_t start = lseek(descriptor, 0, SEEK_CUR);
    count = pread(descriptor, head.data(), head.size(), start < 0 ? 0 : start);
  } else if (S_ISSOCK(info.st_mode)) {
    count = recv(descriptor, head.data(), head.size(), MSG_PEEK);
  } else if (S_ISFIFO(info.st_mode)) {
    int copy[2];
    if (pipe2(copy, O_CLOEXEC) != 0) return "";
    // Waits for the first bytes. A count of 0 is the end of an empty input.
    do {
      count = tee(descriptor, copy[1], head.size(), 0);
    } while (count < 0 && errno == EINTR);
    close(copy[1]);
    if (count > 0) count = read(copy[0], head.data(), head.size());
    close(copy[0]);
  }
  head.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return head;
}

absl::StatusOr<mode_t> ModeOf(absl::string_view path) {
  struct stat info;
  if (stat(std::string(path).c_str(), &info) == 0) return info.st_mode;
  const std::string message = absl::StrCat(
      path, ": expected a file or a directory (", std::strerror(errno), ")");
  return errno == EACCES ? absl::PermissionDeniedError(message)
                         : absl::NotFoundError(message);
}

absl::StatusOr<std::string> PeekFile(absl::string_view path, mode_t mode) {
  // Opening and closing a named pipe would kill its writer. Pipes of the shell,
  // `<(command)`, stay open.
  if (S_ISFIFO(mode) && !absl::StartsWith(path, "/dev/fd/") &&
      !absl::StartsWith(path, "/proc/")) {
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": expected --input_format, since the content of a named "
                     "pipe cannot be examined first"));
  }
  const int descriptor = open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return absl::PermissionDeniedError(absl::StrCat(
        path, ": expected a readable file (", std::strerror(errno), ")"));
  }
  std::string head = PeekBytes(descriptor);
  close(descriptor);
  return head;
}

std::string Inflated(std::string head) {
  ByteReader bytes = ByteReader::FromString(std::move(head), "head");
  std::string inflated(kHeadBytes, '\0');
  size_t size = 0;
  while (size < inflated.size()) {
    const absl::StatusOr<int64_t> count = bytes.Read(
        inflated.data() + size, static_cast<int64_t>(inflated.size() - size));
    if (!count.ok() || *count == 0) break;
    size += static_cast<size_t>(*count);
  }
  inflated.resize(size);
  return inflated;
}

}  // namespace warpclust
