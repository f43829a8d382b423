// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/cuda_library_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace warpclust {
namespace {

// Directories to search, in their order, each ending in "/".
std::vector<std::string> Prefixes() {
  std::vector<std::string> prefixes;
  if (const char* folders = std::getenv("WARPCLUST_CUDA_LIBRARIES")) {
    const std::vector<std::string> parts =
        absl::StrSplit(folders, ':', absl::SkipEmpty());
    for (const std::string& folder : parts) {
      prefixes.push_back(folder + "/");
    }
  }
  prefixes.push_back("");  // the loader's own places
  if (const char* home = std::getenv("CUDA_HOME")) {
    prefixes.push_back(absl::StrCat(home, "/lib64/"));
  }
  prefixes.push_back("/usr/local/cuda/lib64/");
  return prefixes;
}

void* OpenFirst(const std::vector<std::string>& prefixes, const char* name,
                std::string* error) {
  for (const std::string& prefix : prefixes) {
    const std::string path = prefix + name;
    // Global: a library that needs this one finds it by name, already open.
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      return handle;
    }
    const char* message = dlerror();
    absl::StrAppend(error, error->empty() ? "" : "; ",
                    message == nullptr ? path : message);
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<SharedLibrary> SharedLibrary::Open(
    std::initializer_list<const char*> names,
    std::initializer_list<const char*> needs) {
  const std::vector<std::string> prefixes = Prefixes();
  std::string error;
  for (const char* need : needs) OpenFirst(prefixes, need, &error);
  error.clear();
  for (const char* name : names) {
    if (void* handle = OpenFirst(prefixes, name, &error)) {
      return SharedLibrary(handle);
    }
  }
  return absl::UnavailableError(absl::StrCat(
      "library not found; name its directory in WARPCLUST_CUDA_LIBRARIES: ",
      error));
}

absl::StatusOr<void*> SharedLibrary::FindSymbol(const char* name) const {
  void* symbol = dlsym(handle_, name);
  if (symbol == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("expected a function ", name, ", found none"));
  }
  return symbol;
}

}  // namespace warpclust
