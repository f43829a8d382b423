// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/same_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

namespace warpclust {

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
  // By other words for its folder. Absolute first: what has no part that is
  // there stays relative.
  namespace fs = std::filesystem;
  const auto full = [](const std::string& path, std::error_code& error) {
    const fs::path absolute = fs::absolute(path, error);
    return error ? fs::path() : fs::weakly_canonical(absolute, error);
  };
  std::error_code bad_a, bad_b;
  const fs::path full_a = full(a, bad_a), full_b = full(b, bad_b);
  return !bad_a && !bad_b && full_a == full_b;
}

}  // namespace warpclust
