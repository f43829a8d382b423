// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/temporary_directory.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<TemporaryDirectory> TemporaryDirectory::Create(
    absl::string_view prefix) {
  const char* const base = std::getenv("TMPDIR");
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
    return absl::UnavailableError("expected random bytes, found none");
  }
  // Not mkdtemp, which tells the name when the directory is there: a signal
  // between the two would leave it. Nobody else has a name of 64 random bits.
  TemporaryDirectory made(
      absl::StrCat(base != nullptr && *base != '\0' ? base : "/tmp", "/",
                   prefix, ".", absl::Hex(number, absl::kZeroPad16)));
  if (mkdir(made.path_.c_str(), 0700) != 0) {
    return absl::UnavailableError(absl::StrCat(
        std::exchange(made.path_, ""), ": expected to create a directory"));
  }
  return made;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpclust
