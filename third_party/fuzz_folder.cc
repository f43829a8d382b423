// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "third_party/fuzz_folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace warpclust {
namespace {

// Not named by the process number, which is the same in every sandbox.
std::string Make() {
  const char* const base = std::getenv("TEST_TMPDIR");
  std::string path =
      base != nullptr ? base : std::filesystem::temp_directory_path().string();
  path += "/fuzz.XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return path;
}

struct Folder {
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  const std::string path = Make();
};

}  // namespace

const std::string& FuzzFolder() {
  static const Folder folder;
  return folder.path;
}

}  // namespace warpclust
