// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The version of everything: tools, summaries, the C interface and the wheel.

#ifndef WARPCLUST_BASE_VERSION_H_
#define WARPCLUST_BASE_VERSION_H_

namespace warpclust {

inline constexpr char kVersion[] = "0.2.0";

}  // namespace warpclust

#endif  // WARPCLUST_BASE_VERSION_H_
