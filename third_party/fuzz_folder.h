// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FuzzFolder: a folder in which fuzz targets write files and read them back.

#ifndef WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_
#define WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_

#include <string>

namespace warpclust {

// The path of a folder that only this process uses, created at the first call
// and removed with its contents when the process exits. Thread-safe.
const std::string& FuzzFolder();

}  // namespace warpclust

#endif  // WARPCLUST_THIRD_PARTY_FUZZ_FOLDER_H_
