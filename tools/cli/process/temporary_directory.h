// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TemporaryDirectory: a directory of this process, removed with everything in
// it. A process that is killed leaves it; the next one that creates a directory
// with the same prefix removes it.

#ifndef WARPCLUST_TOOLS_CLI_PROCESS_TEMPORARY_DIRECTORY_H_
#define WARPCLUST_TOOLS_CLI_PROCESS_TEMPORARY_DIRECTORY_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class TemporaryDirectory {
 public:
  // In $TMPDIR, or /tmp, with a name that begins with `prefix`. Unavailable if
  // it cannot be created.
  static absl::StatusOr<TemporaryDirectory> Create(absl::string_view prefix);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")), lock_(other.lock_) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::string& path() const { return path_; }

 private:
  TemporaryDirectory(std::string path, int lock)
      : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // A descriptor of the directory, locked while the owner lives.
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_PROCESS_TEMPORARY_DIRECTORY_H_
