// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/process/visible_gpus.h"

#include <cstdlib>
#include <numeric>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace warpclust {
namespace {

constexpr char kVariable[] = "CUDA_VISIBLE_DEVICES";

}  // namespace

// CUDA goes through the list up to the first GPU that does not exist. So it
// does not matter if there are fewer.
std::string FirstVisibleGpus(std::optional<absl::string_view> visible,
                             int count) {
  if (!visible.has_value()) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return absl::StrJoin(numbers, ",");
  }
  std::vector<std::string> gpus = absl::StrSplit(*visible, ',');
  if (gpus.size() > static_cast<size_t>(count)) gpus.resize(count);
  return absl::StrJoin(gpus, ",");
}

void SeeFirstGpus(int count) {
  const char* const visible = std::getenv(kVariable);
  const std::string first = FirstVisibleGpus(
      visible == nullptr ? std::nullopt
                         : std::optional<absl::string_view>(visible),
      count);
  setenv(kVariable, first.c_str(), /*overwrite=*/1);
}

}  // namespace warpclust
