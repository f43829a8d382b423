// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// InputFileShare: how much of an input file this process has read, for the
// progress line. It looks at the position of the open file, so that no reader
// has to report.

#ifndef WARPCLUST_TOOLS_CLI_INPUT_SHARE_H_
#define WARPCLUST_TOOLS_CLI_INPUT_SHARE_H_

#include <string>

namespace warpclust {

// From 0 to 1, in bytes of the file, compressed or not; "-" is standard input.
// -1 if that is unknown: `path` is no plain file (a pipe, a directory), is
// empty, or is not open for reading. Any thread may call it at any time.
double InputFileShare(const std::string& path);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_INPUT_SHARE_H_
