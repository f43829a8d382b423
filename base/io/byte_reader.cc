// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/byte_reader.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/io/zstd_stream.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int64_t kInputBytes = int64_t{1} << 18;

absl::Status OpenError(absl::string_view path, int error) {
  const std::string message = absl::StrCat(path, ": expected a readable file (",
                                           std::strerror(error), ")");
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(message);
    case EACCES:
      return absl::PermissionDeniedError(message);
    default:
      return absl::InvalidArgumentError(message);
  }
}

// By errno.
absl::Status CannotRead() {
  return absl::UnavailableError(
      absl::StrCat("expected more bytes (", std::strerror(errno), ")"));
}

// What is wrong with a gzip stream, by ISA-L's code.
absl::string_view DamageName(int code) {
  switch (code) {
    case ISAL_INVALID_WRAPPER:
    case ISAL_UNSUPPORTED_METHOD:
      return "invalid gzip header";
    case ISAL_INCORRECT_CHECKSUM:
      return "incorrect checksum";
    default:
      return "invalid compressed data";
  }
}

}  // namespace

struct ByteReader::State {
  enum class Mode { kUnknown, kPlain, kGzip, kZstd };

  std::string name;
  int fd = -1;
  bool owns_fd = false;
  // The source when there is no descriptor, and how much of it was taken.
  std::string content;
  int64_t content_taken = 0;
  // May be null.
  WorkShare* work = nullptr;
  // Counted there by ReadAhead, and not yet passed.
  std::atomic<int64_t> counted_ahead{0};

  Mode mode = Mode::kUnknown;
  // Raw bytes not used yet: [begin, end) of `input`, which has kInputBytes. Not
  // a vector, which would zero what is about to be overwritten.
  std::unique_ptr<char[]> input;
  int64_t begin = 0;
  int64_t end = 0;
  bool source_ended = false;
  // Whether the current call may wait.
  bool may_wait = true;
  // Set at the end of a stream and at an error, which is then repeated.
  bool done = false;
  absl::Status status;

  // Made for the first gzip member: it takes 240 KB.
  std::unique_ptr<inflate_state> inflater;
  bool inside_member = false;
  // The inflater may hold output that found no room.
  bool output_left = false;
  // Made for a zstd stream.
  std::unique_ptr<ZstdStream> zstd;

  ~State() {
    if (owns_fd) close(fd);
    if (work != nullptr) work->End();
  }

  int64_t available() const { return end - begin; }

  // Whether read(2) would not wait.
  bool SourceIsReady(int milliseconds) const {
    if (fd < 0 || source_ended) return true;
    struct pollfd source = {fd, POLLIN, 0};
    // An error of poll, such as EINTR, is not readiness; an error of the source
    // is.
    return poll(&source, 1, milliseconds) > 0;
  }

  // Appends raw bytes, or sets source_ended at the end. Returns false if it
  // would have to wait and may not.
  absl::StatusOr<bool> Fill() {
    if (!may_wait && !SourceIsReady(0)) return false;
    if (begin == end) begin = end = 0;
    if (begin > 0) {
      std::memmove(input.get(), input.get() + begin, available());
      end -= begin;
      begin = 0;
    }
    if (input == nullptr) input.reset(new char[kInputBytes]);
    ASSIGN_OR_RETURN(const int64_t count,
                     ReadSource(input.get() + end, kInputBytes - end));
    if (count == kNotYet) return false;
    end += count;
    return true;
  }

  // Puts raw bytes at `to`. 0 at the end, which sets source_ended; kNotYet.
  absl::StatusOr<int64_t> ReadSource(char* to, int64_t room) {
    if (fd < 0) {
      const int64_t count =
          std::min<int64_t>(room, content.size() - content_taken);
      std::memcpy(to, content.data() + content_taken, count);
      content_taken += count;
      source_ended = count == 0;
      return count;
    }
    ssize_t count;
    while ((count = read(fd, to, room)) < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) break;
      // The descriptor is non-blocking: wait here.
      if (!may_wait) return kNotYet;
      SourceIsReady(-1);
    }
    if (count < 0) return CannotRead();
    if (work != nullptr) work->Add(count);
    source_ended = count == 0;
    return count;
  }

  // The bytes behind the descriptor's position; -1 unless it is that of a file.
  int64_t FileBytesLeft() const {
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return -1;
    const off_t position = lseek(fd, 0, SEEK_CUR);
    return position < 0 ? -1 : std::max<int64_t>(0, info.st_size - position);
  }

  // Moves the descriptor by up to `size` bytes, if it is that of a file.
  absl::StatusOr<int64_t> Pass(int64_t size) {
    const int64_t passed = std::min(size, FileBytesLeft());
    if (passed <= 0) return 0;
    if (lseek(fd, passed, SEEK_CUR) < 0) return CannotRead();
    if (work != nullptr) {
      work->Add(std::max<int64_t>(0, passed - counted_ahead.exchange(0)));
    }
    return passed;
  }

  // Begins to count what is read from the descriptor.
  void CountIn(WorkShare* share) {
    struct stat info;
    const bool is_file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    share->Begin(is_file ? info.st_size : 0);
    const off_t position = is_file ? lseek(fd, 0, SEEK_CUR) : 0;
    if (position > 0) share->Add(position);
    work = share;
  }

  absl::StatusOr<int64_t> ReadPlain(char* data, int64_t size) {
    if (available() == 0) {
      if (!may_wait && !SourceIsReady(0)) return kNotYet;
      return ReadSource(data, size);
    }
    const int64_t count = std::min(size, available());
    std::memcpy(data, input.get() + begin, count);
    begin += count;
    return count;
  }

  enum class Border { kMember, kEnd, kNotYet };

  // At a member's border: whether another member follows.
  absl::StatusOr<Border> NextMember() {
    for (;;) {
      while (available() > 0 && input[begin] == '\0') ++begin;
      if (available() >= 2) break;
      if (source_ended) break;
      ASSIGN_OR_RETURN(const bool filled, Fill());
      if (!filled) return Border::kNotYet;
    }
    if (available() == 0) return Border::kEnd;
    if (available() < 2 || input[begin] != '\x1f' ||
        input[begin + 1] != '\x8b') {
      return absl::DataLossError(
          "expected another gzip member or the end of the file, found other "
          "bytes");
    }
    return Border::kMember;
  }

  void StartMember() {
    if (inflater == nullptr) {
      inflater.reset(new inflate_state);
      isal_inflate_init(inflater.get());
    } else {
      isal_inflate_reset(inflater.get());
    }
    inflater->crc_flag = ISAL_GZIP;
    inside_member = true;
  }

  absl::StatusOr<int64_t> ReadGzip(char* data, int64_t size) {
    const auto room = static_cast<uint32_t>(std::min(size, int64_t{1} << 30));
    for (;;) {
      if (!inside_member) {
        ASSIGN_OR_RETURN(const Border border, NextMember());
        if (border == Border::kEnd) return 0;
        if (border == Border::kNotYet) return kNotYet;
        StartMember();
      }
      if (available() == 0 && !output_left) {
        ASSIGN_OR_RETURN(const bool filled, Fill());
        if (!filled) return kNotYet;
        if (source_ended) {
          return absl::DataLossError(
              "expected the rest of the gzip stream, found the end of the "
              "file: it is truncated");
        }
      }
      inflater->next_in = reinterpret_cast<uint8_t*>(input.get() + begin);
      inflater->avail_in = static_cast<uint32_t>(available());
      inflater->next_out = reinterpret_cast<uint8_t*>(data);
      inflater->avail_out = room;
      const int code = isal_inflate(inflater.get());
      begin = end - inflater->avail_in;
      if (code != ISAL_DECOMP_OK) {
        return absl::DataLossError(
            absl::StrCat("expected an intact gzip stream, found damage (",
                         DamageName(code), ")"));
      }
      inside_member = inflater->block_state != ISAL_BLOCK_FINISH;
      output_left = inside_member && inflater->avail_out == 0;
      const int64_t produced = room - inflater->avail_out;
      if (produced > 0) return produced;
    }
  }

  absl::StatusOr<int64_t> ReadZstd(char* data, int64_t size) {
    for (;;) {
      if (available() == 0 && !zstd->output_left()) {
        ASSIGN_OR_RETURN(const bool filled, Fill());
        if (!filled) return kNotYet;
        if (source_ended && !zstd->inside_frame()) return 0;
        if (source_ended) {
          return absl::DataLossError(
              "expected the rest of the zstd stream, found the end of the "
              "file: it is truncated");
        }
      }
      int64_t taken = available();
      int64_t produced = size;
      RETURN_IF_ERROR(
          zstd->Decompress(input.get() + begin, &taken, data, &produced));
      begin += taken;
      if (produced > 0) return produced;
    }
  }

  // The mode by the first bytes; kUnknown if there are too few.
  Mode FindMode() const {
    const absl::string_view start(input.get() + begin, available());
    if (start.empty()) return source_ended ? Mode::kPlain : Mode::kUnknown;
    constexpr absl::string_view kGzipMark = "\x1f\x8b";
    if (absl::StartsWith(start, kGzipMark)) return Mode::kGzip;
    if (absl::StartsWith(kGzipMark, start)) {
      return source_ended ? Mode::kPlain : Mode::kUnknown;
    }
    if (!ZstdStream::MayStart(start)) return Mode::kPlain;
    if (available() >= ZstdStream::kMarkBytes) return Mode::kZstd;
    return source_ended ? Mode::kPlain : Mode::kUnknown;
  }

  absl::StatusOr<int64_t> Read(char* data, int64_t size) {
    while (mode == Mode::kUnknown && (mode = FindMode()) == Mode::kUnknown) {
      ASSIGN_OR_RETURN(const bool filled, Fill());
      if (!filled) return kNotYet;
    }
    switch (mode) {
      case Mode::kGzip:
        return ReadGzip(data, size);
      case Mode::kZstd:
        if (zstd == nullptr) zstd = std::make_unique<ZstdStream>();
        return ReadZstd(data, size);
      default:
        return ReadPlain(data, size);
    }
  }
};

ByteReader::ByteReader(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ByteReader::ByteReader(ByteReader&&) = default;
ByteReader& ByteReader::operator=(ByteReader&&) = default;
ByteReader::~ByteReader() = default;

absl::StatusOr<ByteReader> ByteReader::Open(absl::string_view path,
                                            WorkShare* work) {
  auto state = std::make_unique<State>();
  if (path == "-") {
    state->name = "standard input";
    state->fd = STDIN_FILENO;
    if (work != nullptr) state->CountIn(work);
    return ByteReader(std::move(state));
  }
  state->name = std::string(path);
  state->fd = open(state->name.c_str(), O_RDONLY | O_CLOEXEC);
  if (state->fd < 0) return OpenError(path, errno);
  state->owns_fd = true;
  struct stat info;
  if (fstat(state->fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected a file, found a directory"));
  }
  if (work != nullptr) state->CountIn(work);
  return ByteReader(std::move(state));
}

absl::StatusOr<ByteReader> ByteReader::OpenAt(absl::string_view path,
                                              int64_t offset) {
  ASSIGN_OR_RETURN(ByteReader bytes, Open(path));
  bytes.state_->mode = State::Mode::kPlain;
  ASSIGN_OR_RETURN(const int64_t skipped, bytes.Skip(offset));
  if (skipped == offset) return bytes;
  return absl::UnavailableError(absl::StrCat(
      path, ": expected at least ", offset, " bytes, found ", skipped));
}

ByteReader ByteReader::FromString(std::string content, absl::string_view name) {
  auto state = std::make_unique<State>();
  state->name = std::string(name);
  state->content = std::move(content);
  return ByteReader(std::move(state));
}

absl::StatusOr<int64_t> ByteReader::Read(char* data, int64_t size) {
  state_->may_wait = true;
  return ReadAsAllowed(data, size);
}

absl::StatusOr<int64_t> ByteReader::ReadNow(char* data, int64_t size) {
  state_->may_wait = false;
  return ReadAsAllowed(data, size);
}

absl::StatusOr<int64_t> ByteReader::Skip(int64_t size) {
  int64_t skipped = 0;
  if (state_->mode == State::Mode::kPlain && state_->fd >= 0) {
    skipped = std::min(size, state_->available());
    state_->begin += skipped;
    ASSIGN_OR_RETURN(const int64_t passed, state_->Pass(size - skipped));
    skipped += passed;
  }
  std::vector<char> chunk(std::min(size - skipped, kInputBytes));
  while (skipped < size) {
    ASSIGN_OR_RETURN(const int64_t count,
                     ReadUpTo(*this, chunk.data(),
                              std::min<int64_t>(chunk.size(), size - skipped)));
    if (count == 0) break;
    skipped += count;
  }
  return skipped;
}

int64_t ByteReader::PlainBytesLeft() const {
  if (state_->mode != State::Mode::kPlain) return -1;
  const int64_t left = state_->FileBytesLeft();
  return left < 0 ? -1 : state_->available() + left;
}

int64_t ByteReader::FileBytesLeft() const { return state_->FileBytesLeft(); }

absl::Status ByteReader::ReadAhead(int64_t offset, char* data,
                                   int64_t size) const {
  // Bytes that were read but not used are in the file too.
  int64_t at = lseek(state_->fd, 0, SEEK_CUR) - state_->available() + offset;
  while (size > 0) {
    const ssize_t count = pread(state_->fd, data, size, at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotRead();
    if (count == 0) {
      return absl::UnavailableError(
          "expected more bytes, found the end of a file that was longer");
    }
    if (state_->work != nullptr) {
      state_->work->Add(count);
      state_->counted_ahead += count;
    }
    data += count;
    at += count;
    size -= count;
  }
  return absl::OkStatus();
}

void ByteReader::Wait(int milliseconds) {
  if (state_->done || !state_->status.ok()) return;
  state_->SourceIsReady(milliseconds);
}

absl::StatusOr<int64_t> ByteReader::ReadAsAllowed(char* data, int64_t size) {
  if (!state_->status.ok()) return state_->status;
  if (state_->done) return 0;
  absl::StatusOr<int64_t> count = state_->Read(data, size);
  if (!count.ok()) {
    state_->status = count.status();
  } else if (*count == 0) {
    state_->done = true;
  }
  return count;
}

const std::string& ByteReader::name() const { return state_->name; }

absl::StatusOr<int64_t> ReadUpTo(ByteReader& bytes, char* data, int64_t size) {
  int64_t filled = 0;
  while (filled < size) {
    ASSIGN_OR_RETURN(const int64_t count,
                     bytes.Read(data + filled, size - filled));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

absl::StatusOr<std::string> ReadWholeFile(absl::string_view path,
                                          int64_t limit) {
  ASSIGN_OR_RETURN(ByteReader reader, ByteReader::Open(path));
  // Not read into `bytes`, which would be zeroed and longer than the file.
  char chunk[1 << 16];
  std::string bytes;
  for (;;) {
    absl::StatusOr<int64_t> count = reader.Read(chunk, sizeof(chunk));
    if (!count.ok()) {
      return absl::Status(count.status().code(),
                          absl::StrCat(path, ": ", count.status().message()));
    }
    if (*count == 0) return bytes;
    if (bytes.empty()) {
      bytes.reserve(std::min(
          limit, *count + std::max<int64_t>(0, reader.PlainBytesLeft())));
    }
    bytes.append(chunk, *count);
    if (static_cast<int64_t>(bytes.size()) > limit) {
      return absl::ResourceExhaustedError(absl::StrCat(
          path, ": expected at most ", limit, " bytes, found more"));
    }
  }
}

absl::string_view InputName(absl::string_view path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace warpclust
