// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr char kMark[8] = {'W', 'C', 'J', 'O', 'U', 'R', 'N', 'L'};
constexpr uint32_t kVersion = 1;

uint32_t Checksum(const void* data, size_t size) {
  return static_cast<uint32_t>(
      crc32_z(0, static_cast<const Bytef*>(data), size));
}

struct FileHeader {
  char mark[8];
  uint32_t version;
  // Of the generation.
  uint32_t checksum;
  int64_t generation;
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  int64_t lines_bytes;
  int64_t documents_before;
  int64_t documents;
  int32_t format;
  uint32_t lines_checksum;
  uint32_t unused;
  // Of all fields before it.
  uint32_t checksum;
};
static_assert(sizeof(RecordHeader) == 40);

uint32_t HeaderChecksum(const RecordHeader& header) {
  return Checksum(&header, offsetof(RecordHeader, checksum));
}

bool IsSound(const RecordHeader& header) {
  return header.checksum == HeaderChecksum(header) && header.lines_bytes >= 0 &&
         header.documents >= 0 && header.documents_before >= 0 &&
         (header.format == static_cast<int32_t>(InputFormat::kJsonLines) ||
          header.format == static_cast<int32_t>(InputFormat::kLines) ||
          header.format == static_cast<int32_t>(InputFormat::kSvmlight));
}

// False at the end of the file and at errors.
bool ReadAt(int fd, int64_t offset, size_t size, char* data) {
  while (size > 0) {
    const ssize_t count = pread(fd, data, size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    offset += count;
    size -= count;
  }
  return true;
}

// Whether the rest of the file is zeros, which is what a machine that stopped
// can leave of a record.
bool IsZeroFrom(int fd, int64_t offset, int64_t end) {
  char bytes[4096];
  while (offset < end) {
    const size_t count = std::min<int64_t>(sizeof(bytes), end - offset);
    if (!ReadAt(fd, offset, count, bytes)) return false;
    for (size_t i = 0; i < count; ++i) {
      if (bytes[i] != 0) return false;
    }
    offset += count;
  }
  return true;
}

}  // namespace

OnlineJournal::OnlineJournal(absl::string_view path, int fd)
    : path_(path), fd_(fd) {}

OnlineJournal::OnlineJournal(OnlineJournal&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      generation_(other.generation_),
      bytes_(other.bytes_),
      dropped_bytes_(other.dropped_bytes_),
      read_(other.read_) {}

OnlineJournal::~OnlineJournal() {
  if (fd_ >= 0) close(fd_);
}

absl::Status OnlineJournal::Failed(absl::string_view what) const {
  return absl::UnavailableError(absl::StrCat(
      path_, ": expected to ", what, ", found: ", std::strerror(errno)));
}

absl::StatusOr<OnlineJournal> OnlineJournal::Open(absl::string_view path) {
  const int fd =
      open(std::string(path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  OnlineJournal journal(path, fd);
  if (fd < 0) return journal.Failed("open the journal");
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a journal, found no plain file"));
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return journal.Failed("lock the journal");
    return absl::UnavailableError(absl::StrCat(
        path, ": another process is at work on this state: let it end first"));
  }
  journal.bytes_ = info.st_size;
  RETURN_IF_ERROR(journal.ReadHeader());
  return journal;
}

absl::Status OnlineJournal::ReadHeader() {
  // What Begin left when it was killed is no beginning.
  FileHeader header;
  if (bytes_ < static_cast<int64_t>(sizeof(header))) {
    char start[sizeof(kMark)] = {};
    const size_t count = std::min<size_t>(bytes_, sizeof(kMark));
    if (ReadAt(fd_, 0, count, start) && std::memcmp(start, kMark, count) == 0) {
      return absl::OkStatus();
    }
  } else if (ReadAt(fd_, 0, sizeof(header), reinterpret_cast<char*>(&header)) &&
             std::memcmp(header.mark, kMark, sizeof(kMark)) == 0) {
    if (header.version != kVersion) {
      return absl::InvalidArgumentError(absl::StrCat(
          path_, ": expected a journal of version ", kVersion, ", found ",
          header.version, ": another release of online_cluster wrote it"));
    }
    if (header.checksum ==
            Checksum(&header.generation, sizeof(header.generation)) &&
        header.generation >= 1) {
      generation_ = header.generation;
      read_ = sizeof(header);
      return absl::OkStatus();
    }
    return absl::DataLossError(
        absl::StrCat(path_, ": expected a sound journal, found a corrupt one"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path_, ": expected a journal of online_cluster, found another file"));
}

absl::StatusOr<bool> OnlineJournal::Read(Record* record) {
  if (generation_ == 0) return false;
  const int64_t left = bytes_ - read_;
  RecordHeader header;
  const auto drop_rest = [this] {
    dropped_bytes_ += bytes_ - read_;
    bytes_ = read_;
    return false;
  };
  if (left < static_cast<int64_t>(sizeof(header))) return drop_rest();
  if (!ReadAt(fd_, read_, sizeof(header), reinterpret_cast<char*>(&header))) {
    return Failed("read the journal");
  }
  const absl::Status corrupt = absl::DataLossError(
      absl::StrCat(path_, ": expected a sound record at byte ", read_,
                   ", found a corrupt one"));
  if (!IsSound(header)) {
    if (!IsZeroFrom(fd_, read_, bytes_)) return corrupt;
    return drop_rest();
  }
  const int64_t left_for_lines = left - static_cast<int64_t>(sizeof(header));
  if (header.lines_bytes > left_for_lines) return drop_rest();
  record->lines.resize(header.lines_bytes);
  if (!ReadAt(fd_, read_ + static_cast<int64_t>(sizeof(header)),
              record->lines.size(), record->lines.data())) {
    return Failed("read the journal");
  }
  if (header.lines_checksum !=
      Checksum(record->lines.data(), record->lines.size())) {
    if (header.lines_bytes != left_for_lines) return corrupt;
    return drop_rest();
  }
  record->format = static_cast<InputFormat>(header.format);
  record->documents_before = header.documents_before;
  record->documents = header.documents;
  read_ += static_cast<int64_t>(sizeof(header)) + header.lines_bytes;
  return true;
}

absl::Status OnlineJournal::WriteAll(absl::string_view bytes) {
  int64_t at = bytes_;
  while (!bytes.empty()) {
    const ssize_t count = pwrite(fd_, bytes.data(), bytes.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed("write the journal");
    bytes.remove_prefix(count);
    at += count;
  }
  bytes_ = read_ = at;
  return absl::OkStatus();
}

absl::Status OnlineJournal::Begin(int64_t generation) {
  if (ftruncate(fd_, 0) != 0) return Failed("empty the journal");
  bytes_ = 0;
  dropped_bytes_ = 0;
  FileHeader header = {};
  std::memcpy(header.mark, kMark, sizeof(kMark));
  header.version = kVersion;
  header.generation = generation;
  header.checksum = Checksum(&generation, sizeof(generation));
  generation_ = 0;
  absl::Status status =
      WriteAll({reinterpret_cast<const char*>(&header), sizeof(header)});
  if (status.ok()) generation_ = generation;
  return status;
}

absl::Status OnlineJournal::Append(const Record& record) {
  if (dropped_bytes_ > 0) {
    if (ftruncate(fd_, bytes_) != 0) return Failed("cut off half a record");
    dropped_bytes_ = 0;
  }
  RecordHeader header = {};
  header.lines_bytes = static_cast<int64_t>(record.lines.size());
  header.documents_before = record.documents_before;
  header.documents = record.documents;
  header.format = static_cast<int32_t>(record.format);
  header.lines_checksum = Checksum(record.lines.data(), record.lines.size());
  header.checksum = HeaderChecksum(header);
  return WriteAll(absl::StrCat(
      absl::string_view(reinterpret_cast<const char*>(&header), sizeof(header)),
      record.lines));
}

}  // namespace warpclust
