// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/text_writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

bool internal::only_named_files = false;

namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;
constexpr absl::string_view kTemporaryMark = ".warpclust-tmp-";

absl::Status OpenError(absl::string_view path, int error) {
  const std::string message = absl::StrCat(path, ": expected a writable file (",
                                           std::strerror(error), ")");
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  if (error == EACCES || error == EROFS) {
    return absl::PermissionDeniedError(message);
  }
  return absl::InvalidArgumentError(message);
}

// The file behind symbolic links, so that a rename replaces it and not the
// link; `path` itself if there is none yet.
std::string ResolveLinks(const std::string& path) {
  char* resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

// Whether `path` itself names the file of `info`. The link /dev/stdout leads to
// a file that may have lost its name: then nothing may take the link's place.
bool IsFile(const std::string& path, const struct stat& info) {
  struct stat found;
  return lstat(path.c_str(), &found) == 0 && found.st_dev == info.st_dev &&
         found.st_ino == info.st_ino;
}

// The path of an unnamed file, as linkat takes it.
std::string DescriptorPath(int fd) {
  return absl::StrCat("/proc/self/fd/", fd);
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// Removes the temporaries of `target` whose process has ended.
void RemoveAbandoned(const std::string& target) {
  DIR* const folder = opendir(FolderOf(target).c_str());
  if (folder == nullptr) return;
  const std::string mark =
      absl::StrCat(target.substr(target.rfind('/') + 1), kTemporaryMark);
  while (const dirent* entry = readdir(folder)) {
    if (!absl::StartsWith(entry->d_name, mark)) continue;
    const int pid = std::atoi(entry->d_name + mark.size());
    if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) {
      unlinkat(dirfd(folder), entry->d_name, 0);
    }
  }
  closedir(folder);
}

// A name beside `target` that no other writer uses.
std::string TemporaryName(const std::string& target) {
  static std::atomic<int> counter{0};
  return absl::StrCat(target, kTemporaryMark, getpid(), "-",
                      counter.fetch_add(1));
}

}  // namespace

struct TextWriter::State {
  std::string path;       // As the caller named it, for messages.
  std::string target;     // Where Close puts the file; empty: written directly.
  std::string temporary;  // Empty when unnamed, written directly, or in place.
  int fd = -1;
  bool unnamed = false;
  bool owns_fd = false;
  bool gzip = false;
  z_stream deflater = {};
  std::string pending;
  std::string zipped;
  int error = 0;

  ~State() {
    if (gzip) deflateEnd(&deflater);
    if (owns_fd && fd >= 0) close(fd);
    if (!temporary.empty()) unlink(temporary.c_str());
  }

  void WriteRaw(const char* data, size_t size) {
    while (size > 0 && error == 0) {
      const ssize_t count = write(fd, data, size);
      if (count < 0 && errno == EAGAIN) {
        // The descriptor is non-blocking: wait here.
        struct pollfd room = {fd, POLLOUT, 0};
        poll(&room, 1, -1);
      } else if (count < 0) {
        if (errno != EINTR) error = errno;
      } else {
        data += count;
        size -= count;
      }
    }
  }

  void Flush(bool finish) {
    if (!gzip) {
      WriteRaw(pending.data(), pending.size());
    } else {
      deflater.next_in = reinterpret_cast<Bytef*>(pending.data());
      deflater.avail_in = static_cast<uInt>(pending.size());
      int code;
      do {
        deflater.next_out = reinterpret_cast<Bytef*>(zipped.data());
        deflater.avail_out = static_cast<uInt>(zipped.size());
        code = deflate(&deflater, finish ? Z_FINISH : Z_NO_FLUSH);
        WriteRaw(zipped.data(), zipped.size() - deflater.avail_out);
      } while (deflater.avail_out == 0 && error == 0 && code != Z_STREAM_END);
    }
    pending.clear();
  }

  // A fresh file with the mode that a plain open would give it; 0 or an errno.
  int OpenTemporary() {
    owns_fd = true;
    if (!internal::only_named_files) {
      fd = open(FolderOf(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC,
                0666);
      unnamed = fd >= 0 && access(DescriptorPath(fd).c_str(), F_OK) == 0;
      if (unnamed) return 0;
      if (fd >= 0) close(fd);
    }
    RemoveAbandoned(target);
    do {
      temporary = TemporaryName(target);
      fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                0666);
    } while (fd < 0 && errno == EEXIST);
    if (fd >= 0) return 0;
    const int failure = errno;
    temporary.clear();
    return failure;
  }

  // Names the unnamed file `path`; 0 or an errno.
  int Link(const std::string& path) {
    return linkat(AT_FDCWD, DescriptorPath(fd).c_str(), AT_FDCWD, path.c_str(),
                  AT_SYMLINK_FOLLOW) == 0
               ? 0
               : errno;
  }

  // Gives the unnamed file its name. A link does not replace a file: if the
  // name is taken, the file gets a temporary one, which Close renames.
  int NameUnnamed() {
    if (const int failure = Link(target); failure != EEXIST) return failure;
    RemoveAbandoned(target);
    for (;;) {
      temporary = TemporaryName(target);
      if (const int failure = Link(temporary); failure != EEXIST) {
        return failure;
      }
    }
  }
};

TextWriter::TextWriter(std::unique_ptr<State> state)
    : state_(std::move(state)) {
  state_->pending.reserve(kBufferBytes);
}
TextWriter::TextWriter(TextWriter&&) = default;
TextWriter& TextWriter::operator=(TextWriter&&) = default;
TextWriter::~TextWriter() = default;

absl::StatusOr<TextWriter> TextWriter::Open(absl::string_view path) {
  auto state = std::make_unique<State>();
  state->path = std::string(path);
  if (path == "-") {
    state->path = "standard output";
    state->fd = STDOUT_FILENO;
    return TextWriter(std::move(state));
  }
  struct stat info;
  const bool exists = stat(state->path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return OpenError(path, EISDIR);
  state->target = ResolveLinks(state->path);
  if (exists && (!S_ISREG(info.st_mode) || !IsFile(state->target, info))) {
    state->target.clear();
    state->fd = open(state->path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (state->fd < 0) return OpenError(path, errno);
    state->owns_fd = true;
    return TextWriter(std::move(state));
  }
  // A rename would replace a file that may not be written.
  if (exists && access(state->target.c_str(), W_OK) != 0) {
    return OpenError(path, errno);
  }
  const int failure = state->OpenTemporary();
  if (failure != 0) return OpenError(path, failure);
  if (exists) fchmod(state->fd, info.st_mode & 0777);
  if (absl::EndsWith(path, ".gz")) {
    // 15 window bits, + 16: gzip. The header zlib writes holds no time.
    if (deflateInit2(&state->deflater, 6, Z_DEFLATED, 15 + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path, ": not enough memory to compress"));
    }
    state->gzip = true;
    state->zipped.resize(kBufferBytes);
  }
  return TextWriter(std::move(state));
}

void TextWriter::Write(absl::string_view text) {
  State& state = *state_;
  if (state.error != 0) return;
  while (!text.empty()) {
    // Large pieces are not copied first.
    if (state.pending.empty() && !state.gzip && text.size() >= kBufferBytes) {
      state.WriteRaw(text.data(), text.size());
      return;
    }
    const absl::string_view part =
        text.substr(0, kBufferBytes - state.pending.size());
    state.pending.append(part.data(), part.size());
    text.remove_prefix(part.size());
    if (state.pending.size() == kBufferBytes) state.Flush(false);
  }
}

void TextWriter::Flush() {
  if (!state_->gzip && state_->error == 0) state_->Flush(false);
}

bool TextWriter::ok() const { return state_->error == 0; }

absl::Status TextWriter::Close() {
  State& state = *state_;
  if (state.error == 0) state.Flush(true);
  if (state.error == 0 && state.unnamed) state.error = state.NameUnnamed();
  if (state.owns_fd) {
    if (close(state.fd) != 0 && state.error == 0) state.error = errno;
    state.fd = -1;
  }
  if (state.error == 0 && !state.temporary.empty()) {
    if (std::rename(state.temporary.c_str(), state.target.c_str()) == 0) {
      state.temporary.clear();
    } else {
      state.error = errno;
    }
  }
  if (state.error == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(state.path,
                                             ": expected to write the file (",
                                             std::strerror(state.error), ")"));
}

}  // namespace warpclust
