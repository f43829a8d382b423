// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NewStoreFolder: a path for the store of a test that is not about the disk.
// Nothing is there yet. It is in memory where the machine has /dev/shm, so that
// commits do not wait for a disk, and is removed when the process exits.

#ifndef WARPCLUST_GRAPH_TESTING_STORE_FOLDER_H_
#define WARPCLUST_GRAPH_TESTING_STORE_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {

inline std::string NewStoreFolder() {
  static struct Folders {
    ~Folders() {
      std::error_code ignored;
      for (const std::string& path : paths) {
        std::filesystem::remove_all(path, ignored);
      }
    }
    std::vector<std::string> paths;
  } folders;
  for (const std::string& parent :
       {std::string("/dev/shm"), ::testing::TempDir()}) {
    std::string path = parent + "/warpclust_test_XXXXXX";
    if (mkdtemp(path.data()) == nullptr) continue;
    folders.paths.push_back(path);
    return path + "/store";
  }
  ADD_FAILURE() << "expected a folder for temporary files, found none";
  return "";
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_STORE_FOLDER_H_
