// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/flag_set.h"
#include "tools/cli/same_file.h"

namespace warpclust {
namespace {

// Whether output to `a` would overwrite `b`. Standard input may be a file.
bool WouldOverwrite(const std::string& a, const std::string& b,
                    bool b_is_read) {
  if (a == "-") return b == "-" && !b_is_read;
  if (b == "-") return b_is_read && AreOneFile(a, "/dev/stdin");
  return AreOneFile(a, b);
}

}  // namespace

absl::Status FlagSet::CheckPaths() const {
  const Flag* first_from_input = nullptr;
  for (const Flag& flag : flags_) {
    if (flag.read_path == nullptr || *flag.read_path != "-") continue;
    if (first_from_input != nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--", first_from_input->name, " and --", flag.name,
          " are both standard input, which can be read only once"));
    }
    first_from_input = &flag;
  }
  for (size_t i = 0; i < flags_.size(); ++i) {
    const std::string* written = flags_[i].write_path;
    if (written == nullptr || written->empty()) continue;
    for (const Flag& other : flags_) {
      if (other.read_path != nullptr && !other.read_path->empty() &&
          WouldOverwrite(*written, *other.read_path, true)) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", flags_[i].name, " would overwrite --",
                         other.name, ", ", *other.read_path));
      }
    }
    for (const Flag& other : flags_) {
      if (other.read_path != nullptr &&
          IsDocumentIn(*written, *other.read_path)) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", flags_[i].name, " would become a document of --",
                         other.name, ", ", *other.read_path));
      }
    }
    for (size_t j = 0; j < i; ++j) {
      const std::string* other = flags_[j].write_path;
      if (other != nullptr && !other->empty() &&
          WouldOverwrite(*written, *other, false)) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", flags_[j].name, " and --", flags_[i].name,
                         " are the same file, ", *written));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
