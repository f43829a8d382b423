// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/cli/flags/same_file.h"

namespace warpclust {
namespace {

// Whether output to `a` would overwrite `b`. Standard streams may be files:
// `tool --input=f >>f`.
bool WouldOverwrite(const std::string& a, const std::string& b,
                    bool b_is_read) {
  if (!b_is_read && (a == "-" || b == "-")) return a == b;
  return AreOneFile(a == "-" ? "/dev/stdout" : a, b == "-" ? "/dev/stdin" : b);
}

// Texts and tables shrink to about a fourth.
constexpr int64_t kInflation = 4;

}  // namespace

int64_t FlagSet::InputBytes() const {
  int64_t bytes = 0;
  for (const Flag& flag : flags_) {
    struct stat info;
    if (flag.read_path == nullptr ||
        stat(flag.read_path->c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
      continue;
    }
    bytes += absl::EndsWith(*flag.read_path, ".gz") ? kInflation * info.st_size
                                                    : info.st_size;
  }
  return bytes;
}

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
        return absl::InvalidArgumentError(absl::StrCat(
            *written == "-" ? "standard output"
                            : absl::StrCat("--", flags_[i].name),
            " would overwrite --", other.name, ", ", *other.read_path));
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
