// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/input_share.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace warpclust {
namespace {

constexpr double kUnknown = -1;

// Of an open file. The descriptor may be closed meanwhile: then it fails, or
// it is that of another file, and one line of progress is wrong.
double ShareOf(int descriptor, off_t size) {
  const off_t position = lseek(descriptor, 0, SEEK_CUR);
  if (position < 0 || size <= 0) return kUnknown;
  return static_cast<double>(position) / static_cast<double>(size);
}

}  // namespace

double InputFileShare(const std::string& path) {
  struct stat file;
  const int found =
      path == "-" ? fstat(STDIN_FILENO, &file) : stat(path.c_str(), &file);
  if (found != 0 || !S_ISREG(file.st_mode)) return kUnknown;
  if (path == "-") return ShareOf(STDIN_FILENO, file.st_size);
  // A tool has few files open. Descriptors without FD_CLOEXEC were inherited:
  // the tool does not read them.
  constexpr int kMostDescriptors = 256;
  for (int i = STDERR_FILENO + 1; i < kMostDescriptors; ++i) {
    const int flags = fcntl(i, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) == 0) continue;
    if ((fcntl(i, F_GETFL) & O_ACCMODE) != O_RDONLY) continue;
    struct stat open_file;
    if (fstat(i, &open_file) != 0 || open_file.st_dev != file.st_dev ||
        open_file.st_ino != file.st_ino) {
      continue;
    }
    return ShareOf(i, file.st_size);
  }
  return kUnknown;
}

}  // namespace warpclust
