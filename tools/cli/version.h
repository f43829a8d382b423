// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The version that --version and the summaries report.

#ifndef WARPCLUST_TOOLS_CLI_VERSION_H_
#define WARPCLUST_TOOLS_CLI_VERSION_H_

namespace warpclust {

inline constexpr char kVersion[] = "0.1.0";

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_VERSION_H_
