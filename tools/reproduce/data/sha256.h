// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPCLUST_TOOLS_REPRODUCE_DATA_SHA256_H_
#define WARPCLUST_TOOLS_REPRODUCE_DATA_SHA256_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The SHA-256 of the bytes of a file, in hexadecimal. Unavailable naming the
// path if it cannot be read.
absl::StatusOr<std::string> FileSha256(absl::string_view path);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_DATA_SHA256_H_
