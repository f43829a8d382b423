// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace warpclust {

AppendedFile::AppendedFile(absl::string_view path, int fd)
    : path_(path), fd_(fd) {}

AppendedFile::AppendedFile(AppendedFile&& other) noexcept
    : path_(std::move(other.path_)),
      real_path_(std::move(other.real_path_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_) {}

AppendedFile::~AppendedFile() {
  if (fd_ >= 0) close(fd_);
}

absl::Status AppendedFile::Failed() const {
  return absl::UnavailableError(absl::StrCat(
      path_, ": expected to write the file (", std::strerror(errno), ")"));
}

absl::StatusOr<AppendedFile> AppendedFile::Open(absl::string_view path) {
  AppendedFile file(path, open(std::string(path).c_str(),
                               O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file.fd_ < 0) return file.Failed();
  struct stat info;
  if (fstat(file.fd_, &info) != 0 || !S_ISREG(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(path, ": expected a plain file to append to"));
  }
  file.size_ = info.st_size;
  char* resolved = realpath(file.path_.c_str(), nullptr);
  file.real_path_ = resolved == nullptr ? file.path_ : resolved;
  std::free(resolved);
  return file;
}

absl::Status AppendedFile::Append(absl::string_view text) {
  int64_t at = size_;
  while (!text.empty()) {
    const ssize_t count = pwrite(fd_, text.data(), text.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const absl::Status failed = Failed();
      // If this fails too, EndWith of the next run cuts the text off.
      if (at > size_ && ftruncate(fd_, size_) != 0) size_ = at;
      return failed;
    }
    text.remove_prefix(count);
    at += count;
  }
  size_ = at;
  return absl::OkStatus();
}

absl::Status AppendedFile::EndWith(int64_t begin, absl::string_view text,
                                   bool may_cut) {
  if (size_ < begin) {
    return absl::DataLossError(
        absl::StrCat(path_, ": expected the output of earlier runs, at least ",
                     begin, " bytes, found ", size_));
  }
  std::string found(
      std::min<int64_t>(size_ - begin, static_cast<int64_t>(text.size())),
      '\0');
  for (size_t at = 0; at < found.size();) {
    const ssize_t count =
        pread(fd_, found.data() + at, found.size() - at, begin + at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Failed();
    at += count;
  }
  if (found != text.substr(0, found.size())) {
    return absl::DataLossError(
        absl::StrCat(path_,
                     ": expected the output of earlier runs, found "
                     "something else from byte ",
                     begin, " on"));
  }
  const int64_t end = begin + static_cast<int64_t>(found.size());
  if (size_ > end) {
    if (!may_cut) {
      return absl::DataLossError(
          absl::StrCat(path_, ": expected the output of earlier runs, ", end,
                       " bytes, found ", size_));
    }
    if (ftruncate(fd_, end) != 0) return Failed();
    size_ = end;
  }
  return Append(text.substr(found.size()));
}

absl::Status AppendedFile::Sync() {
  return fsync(fd_) == 0 ? absl::OkStatus() : Failed();
}

}  // namespace warpclust
