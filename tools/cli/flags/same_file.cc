// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/same_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "sparse/io/text_directory.h"

namespace warpclust {
namespace {

namespace fs = std::filesystem;

// The absolute path, without links and dots in its existing part. Empty on
// error.
fs::path FullPath(const std::string& path) {
  std::error_code error;
  // weakly_canonical leaves a path relative if no part of it exists.
  const fs::path absolute = fs::absolute(path, error);
  if (error) return fs::path();
  const fs::path full = fs::weakly_canonical(absolute, error);
  return error ? fs::path() : full;
}

}  // namespace

bool AreOneFile(const std::string& a, const std::string& b) {
  struct stat info_a, info_b;
  const bool has_a = stat(a.c_str(), &info_a) == 0;
  const bool has_b = stat(b.c_str(), &info_b) == 0;
  if (has_a && has_b) {
    return S_ISREG(info_a.st_mode) && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
  }
  if (has_a != has_b) return false;
  if (a == b) return true;
  // Its folder may have several names.
  const fs::path full = FullPath(a);
  return !full.empty() && full == FullPath(b);
}

bool IsDocumentIn(const std::string& path, const std::string& directory) {
  if (!IsTextDocumentName(path)) return false;
  std::error_code error;
  if (!fs::is_directory(directory, error)) return false;
  // "/." removes a slash at the end.
  const fs::path full = FullPath(path), folder = FullPath(directory + "/.");
  return !full.empty() && !folder.empty() &&
         absl::StartsWith(full.string(), folder.parent_path() == folder
                                             ? folder.string()
                                             : folder.string() + "/");
}

}  // namespace warpclust
