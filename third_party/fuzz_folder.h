// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FuzzFolder: where fuzz targets write what they read back.

#ifndef WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_
#define WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_

#include <string>

namespace warpclust {

// The path of a folder of this process alone, made at the first call and
// removed with all that is in it when the process exits. Thread-safe.
const std::string& FuzzFolder();

}  // namespace warpclust

#endif  // WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_
