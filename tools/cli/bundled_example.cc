// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/bundled_example.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

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
  constexpr absl::string_view kInRunfiles = "/warpclust/examples/";
  std::vector<std::string> places;
  if (!executable.empty()) {
    places.push_back(absl::StrCat(executable, ".runfiles", kInRunfiles, name));
  }
  for (absl::string_view directory : {runfiles_dir, test_srcdir}) {
    if (!directory.empty()) {
      places.push_back(absl::StrCat(directory, kInRunfiles, name));
    }
  }
  if (!executable.empty()) {
    const std::string binary(executable);
    const std::filesystem::path folder =
        std::filesystem::path(binary).parent_path();
    const std::string above = folder.parent_path().string();
    places.push_back(absl::StrCat(above, "/examples/", name));
    places.push_back(absl::StrCat(above, "/runfiles", kInRunfiles, name));
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
  return absl::NotFoundError(absl::StrCat(
      "the bundled example ", name, " is not beside this program (looked for ",
      places.empty() ? std::string("it nowhere") : places.front(),
      " and examples/", name, " next to its folder): say what to read"));
}

}  // namespace warpclust
