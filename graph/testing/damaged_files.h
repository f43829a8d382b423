// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests of damaged stores: files as strings, and what a child process makes
// of a damaged file. LMDB may end a process that opens one.

#ifndef WARPCLUST_GRAPH_TESTING_DAMAGED_FILES_H_
#define WARPCLUST_GRAPH_TESTING_DAMAGED_FILES_H_

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace warpclust {

inline std::string ReadFileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline void WriteFileBytes(const std::string& path, absl::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

enum class Outcome {
  kRefused,  // With a status that names the damage.
  kWhole,    // Accepted with all commits.
  kLess,     // Accepted with fewer commits; must not happen.
  kCrashed,  // The process ended or hung.
};

// What `run` returns in a child process.
inline Outcome OutcomeInChild(absl::FunctionRef<Outcome()> run) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(static_cast<int>(run()));
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) > static_cast<int>(Outcome::kCrashed)) {
    return Outcome::kCrashed;
  }
  return static_cast<Outcome>(WEXITSTATUS(status));
}

using Outcomes = std::map<Outcome, int>;

inline std::ostream& operator<<(std::ostream& out, const Outcomes& outcomes) {
  const auto count = [&](Outcome outcome) {
    const auto found = outcomes.find(outcome);
    return found == outcomes.end() ? 0 : found->second;
  };
  return out << count(Outcome::kRefused) << " refused, "
             << count(Outcome::kWhole) << " accepted as a whole, "
             << count(Outcome::kLess) << " accepted with less, "
             << count(Outcome::kCrashed) << " crashed";
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_DAMAGED_FILES_H_
