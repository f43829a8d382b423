// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The first bytes of an input, which are not consumed.

#ifndef WARPCLUST_TOOLS_INPUT_INPUT_HEAD_H_
#define WARPCLUST_TOOLS_INPUT_INPUT_HEAD_H_

#include <sys/types.h>

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The most bytes of a head, compressed and inflated. A block of zstd is up to
// 2^17 bytes, and is inflated as a whole.
inline constexpr size_t kHeadBytes = (size_t{1} << 17) + 1024;

// The kind of file at `path`. NotFound or PermissionDenied if stat fails.
absl::StatusOr<mode_t> ModeOf(absl::string_view path);

// By pread of a file, by tee(2) of a pipe, by a peek at a socket. Empty if the
// input is empty or allows none of these (a terminal).
std::string PeekBytes(int descriptor);

// PeekBytes of the file at `path`, which has this mode. InvalidArgument for a
// named pipe, PermissionDenied if it cannot be opened.
absl::StatusOr<std::string> PeekFile(absl::string_view path, mode_t mode);

// `head` inflated if it is compressed; it may be cut short.
std::string Inflated(std::string head);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_INPUT_HEAD_H_
