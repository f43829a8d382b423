// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/bundled_example.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace warpclust {
namespace {

absl::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? absl::string_view() : absl::string_view(value);
}

}  // namespace

std::vector<std::string> BundledExamplePlaces(absl::string_view name,
                                              absl::string_view executable,
                                              absl::string_view runfiles_dir,
                                              absl::string_view test_srcdir) {
  const std::string in_runfiles = absl::StrCat("/warpclust/examples/", name);
  std::vector<std::string> places;
  if (!executable.empty()) {
    places.push_back(absl::StrCat(executable, ".runfiles", in_runfiles));
  }
  for (absl::string_view directory : {runfiles_dir, test_srcdir}) {
    if (directory.empty()) continue;
    places.push_back(absl::StrCat(directory, in_runfiles));
  }
  if (!executable.empty()) {
    const std::filesystem::path folder =
        std::filesystem::path(std::string(executable)).parent_path();
    const std::string above = folder.parent_path().string();
    places.push_back(absl::StrCat(above, "/examples/", name));
    places.push_back(absl::StrCat(above, "/share/warpclust/examples/", name));
    places.push_back(absl::StrCat(above, "/runfiles", in_runfiles));
    places.push_back(absl::StrCat(folder.string(), "/examples/", name));
  }
  return places;
}

absl::StatusOr<std::string> BundledExample(absl::string_view name) {
  std::error_code error;
  const std::string executable =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  const std::vector<std::string> places =
      BundledExamplePlaces(name, executable, Environment("RUNFILES_DIR"),
                           Environment("TEST_SRCDIR"));
  for (const std::string& place : places) {
    if (std::filesystem::exists(place, error)) return place;
  }
  return absl::NotFoundError(absl::StrCat("the bundled example ", name,
                                          " was not found (looked for ",
                                          absl::StrJoin(places, ", "), ")"));
}

}  // namespace warpclust
