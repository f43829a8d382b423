// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

std::string BehindLinks(absl::string_view path) {
  char* resolved = realpath(std::string(path).c_str(), nullptr);
  if (resolved == nullptr) return std::string(path);
  std::string result = resolved;
  std::free(resolved);
  return result;
}

absl::Status Failed(absl::string_view path, absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(
      path, ": expected to ", what, ", found: ", std::strerror(errno)));
}

// All bytes of a plain file, or its first `limit`; nothing if there is no file.
absl::StatusOr<absl::optional<std::string>> ReadPlainFile(
    const std::string& path, int64_t limit) {
  // A named pipe, which is refused, would else be waited for.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) return absl::optional<std::string>();
  if (fd < 0) return Failed(path, "read the state");
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a state, found no plain file"));
  }
  std::string bytes(std::min<int64_t>(info.st_size, limit), '\0');
  size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t count = read(fd, bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    at += count;
  }
  close(fd);
  if (at < bytes.size()) return Failed(path, "read the state");
  return absl::make_optional(std::move(bytes));
}

absl::Status InFile(absl::string_view path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

// A new file being written, in large pieces. Nobody may read it who may not
// read what it will be.
class Output {
 public:
  Output(const std::string& path, mode_t mode)
      : mode_(mode),
        fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) {
    if (fd_ < 0) error_ = errno;
    buffer_.reserve(kBufferBytes);
  }
  ~Output() {
    if (fd_ >= 0) close(fd_);
  }

  void Write(absl::string_view bytes) {
    size_ += static_cast<int64_t>(bytes.size());
    if (buffer_.size() + bytes.size() <= kBufferBytes) {
      buffer_.append(bytes.data(), bytes.size());
      return;
    }
    WriteNow(buffer_);
    buffer_.clear();
    if (bytes.size() > kBufferBytes) {
      WriteNow(bytes);
    } else {
      buffer_.assign(bytes.data(), bytes.size());
    }
  }

  // On the disk, with its mode, whatever the mask; false and errno if anything
  // failed.
  bool Finish() {
    WriteNow(buffer_);
    if (error_ == 0 && fchmod(fd_, mode_) != 0) error_ = errno;
    if (error_ == 0 && fsync(fd_) != 0) error_ = errno;
    if (fd_ >= 0 && close(fd_) != 0 && error_ == 0) error_ = errno;
    fd_ = -1;
    errno = error_;
    return error_ == 0;
  }

  int64_t size() const { return size_; }

 private:
  void WriteNow(absl::string_view bytes) {
    while (!bytes.empty() && error_ == 0) {
      const ssize_t count = write(fd_, bytes.data(), bytes.size());
      if (count < 0) {
        if (errno != EINTR) error_ = errno;
        continue;
      }
      bytes.remove_prefix(count);
    }
  }

  const mode_t mode_;
  int fd_;
  int error_ = 0;
  int64_t size_ = 0;
  std::string buffer_;
};

// The entry of a renamed file is on the disk. Not every file system can.
void SyncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

OnlineStore::OnlineStore(std::string path, OnlineJournal journal)
    : path_(std::move(path)), journal_(std::move(journal)) {}

absl::StatusOr<OnlineStore> OnlineStore::Open(
    absl::string_view path, absl::optional<OnlineSnapshot>* snapshot) {
  const std::string target = BehindLinks(path);
  // Before a journal is made beside what may be somebody else's file.
  ASSIGN_OR_RETURN(const absl::optional<std::string> start,
                   ReadPlainFile(target, 8));
  if (start.has_value() && !LooksLikeOnlineSnapshot(*start)) {
    return InFile(path, ParseOnlineSnapshot(*start).status());
  }
  ASSIGN_OR_RETURN(OnlineJournal journal,
                   OnlineJournal::Open(absl::StrCat(target, ".journal")));
  OnlineStore store(target, std::move(journal));
  RETURN_IF_ERROR(store.Load(snapshot));
  return store;
}

absl::Status OnlineStore::Load(absl::optional<OnlineSnapshot>* snapshot) {
  // After the lock of the journal: nobody changes it now.
  ASSIGN_OR_RETURN(const absl::optional<std::string> bytes,
                   ReadPlainFile(path_, INT64_MAX));
  if (bytes.has_value()) {
    absl::StatusOr<OnlineSnapshot> parsed = ParseOnlineSnapshot(*bytes);
    if (!parsed.ok()) return InFile(path_, parsed.status());
    snapshot_bytes_ = static_cast<int64_t>(bytes->size());
    generation_ = parsed->generation;
    *snapshot = *std::move(parsed);
  } else {
    snapshot->reset();
  }
  if (journal_.generation() > generation_) {
    return absl::DataLossError(absl::StrCat(
        path_, ": expected the state that its journal goes on from, found ",
        bytes.has_value() ? "an older one" : "none",
        ": bring it back, or remove ", path_, ".journal to start without it"));
  }
  journal_is_old_ = journal_.generation() < generation_;
  return absl::OkStatus();
}

absl::StatusOr<bool> OnlineStore::Read(OnlineJournal::Record* record) {
  if (journal_is_old_) return false;
  return journal_.Read(record);
}

absl::Status OnlineStore::Append(const OnlineJournal::Record& record) {
  if (journal_is_old_) {
    RETURN_IF_ERROR(journal_.Begin(generation_));
    journal_is_old_ = false;
  }
  return journal_.Append(record);
}

absl::Status OnlineStore::Save(OnlineSnapshot* snapshot) {
  snapshot->generation = generation_ + 1;
  // The lock makes the name ours alone.
  const std::string temporary = absl::StrCat(path_, ".tmp");
  struct stat info;
  mode_t mode = 0;
  if (stat(path_.c_str(), &info) == 0) {
    mode = info.st_mode & 0777;
  } else {
    const mode_t mask = umask(0);
    umask(mask);
    mode = 0666 & ~mask;
  }
  // What a killed process left, or a link that somebody put there.
  unlink(temporary.c_str());
  Output output(temporary, mode);
  WriteOnlineSnapshot(*snapshot,
                      [&](absl::string_view bytes) { output.Write(bytes); });
  if (!output.Finish() || std::rename(temporary.c_str(), path_.c_str()) != 0) {
    const absl::Status failed = Failed(path_, "write the state");
    unlink(temporary.c_str());
    return failed;
  }
  SyncFolderOf(path_);
  generation_ = snapshot->generation;
  snapshot_bytes_ = output.size();
  // Until it begins anew: if it cannot, nothing may be appended to what is left
  // of it, and nothing of that is to be read again.
  journal_is_old_ = true;
  const absl::Status begun = journal_.Begin(generation_);
  journal_is_old_ = !begun.ok();
  return begun;
}

}  // namespace warpclust
