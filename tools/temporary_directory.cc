// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/temporary_directory.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<TemporaryDirectory> TemporaryDirectory::Create(
    absl::string_view prefix) {
  const char* const base = std::getenv("TMPDIR");
  std::string path = absl::StrCat(
      base != nullptr && *base != '\0' ? base : "/tmp", "/", prefix, ".XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::UnavailableError(
        absl::StrCat(path, ": expected to create a directory"));
  }
  return TemporaryDirectory(std::move(path));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpclust
