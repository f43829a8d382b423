// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/temporary_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace warpclust {
namespace {

namespace fs = std::filesystem;

// A locked descriptor of a directory; -1 if it is already locked or cannot be
// opened.
int LockDirectory(const std::string& path) {
  const int descriptor =
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

// Removes directories whose process has ended.
void RemoveAbandoned(const std::string& folder, absl::string_view prefix) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path();
    if (!absl::StartsWith(path.filename().string(), prefix)) continue;
    const int lock = LockDirectory(path.string());
    if (lock < 0) continue;
    fs::remove_all(path, ignored);
    close(lock);
  }
}

}  // namespace

absl::StatusOr<TemporaryDirectory> TemporaryDirectory::Create(
    absl::string_view prefix) {
  const char* const base = getenv("TMPDIR");
  const std::string folder = base != nullptr && *base != '\0' ? base : "/tmp";
  const std::string full_prefix = absl::StrCat("warpclust-", prefix, ".");
  RemoveAbandoned(folder, full_prefix);
  // Tries again if another process removed it before it was locked.
  for (int tries = 0; tries < 10; ++tries) {
    std::string path = absl::StrCat(folder, "/", full_prefix, "XXXXXX");
    if (mkdtemp(path.data()) == nullptr) break;
    const int lock = LockDirectory(path);
    if (lock >= 0 && access(path.c_str(), F_OK) == 0) {
      return TemporaryDirectory(std::move(path), lock);
    }
    close(lock);
  }
  return absl::UnavailableError(absl::StrCat(
      folder, ": expected to create a directory (", std::strerror(errno), ")"));
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

}  // namespace warpclust
