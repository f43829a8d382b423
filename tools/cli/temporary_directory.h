// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TemporaryDirectory: a directory of its own, removed with all that is in it,
// also by a signal (tools/cli/interrupt.h).
//
// Thread-safety: one thread at a time. Move-only.

#ifndef WARPCLUST_TOOLS_CLI_TEMPORARY_DIRECTORY_H_
#define WARPCLUST_TOOLS_CLI_TEMPORARY_DIRECTORY_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/cli/interrupt.h"

namespace warpclust {

class TemporaryDirectory {
 public:
  // In TMPDIR, or /tmp, with a name that begins with `prefix`. Unavailable if
  // it cannot be made.
  static absl::StatusOr<TemporaryDirectory> Create(absl::string_view prefix);

  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")),
        remove_on_signal_(std::move(other.remove_on_signal_)) {}
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::string path)
      : path_(std::move(path)), remove_on_signal_(path_) {}

  std::string path_;
  RemoveOnSignal remove_on_signal_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_TEMPORARY_DIRECTORY_H_
