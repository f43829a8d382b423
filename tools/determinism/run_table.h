// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunTable: the runs of the determinism report, and whether their results
// agree.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_
#define WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpclust {

// What decides a result. Runs with equal groups must have equal digests.
struct RunGroup {
  std::string algorithm;
  std::string data;
  std::string setting;

  friend auto operator<=>(const RunGroup&, const RunGroup&) = default;
};

struct TableRun {
  RunGroup group;
  // What must not decide it; "-" if there is no choice.
  std::string method = "-";
  std::string backend = "-";
  std::string threads = "-";
  std::string batch = "-";
  // Of all fields of the result.
  uint64_t digest = 0;
  double seconds = 0;
};

class RunTable {
 public:
  void Add(TableRun run);

  int64_t num_runs() const { return num_runs_; }
  int64_t num_groups() const { return static_cast<int64_t>(groups_.size()); }
  // Groups whose runs have more than one digest.
  int64_t num_different() const;

  // A header line and one line per run, in aligned columns two blanks apart.
  // Groups are in order of their first run, with an empty line between them.
  // Then one line for each digest of a group that has several, with the runs
  // that gave it. The last line is "9 runs in 2 groups: all equal", or "...: 1
  // group differs".
  std::string Text() const;

 private:
  std::string Differences() const;

  int64_t num_runs_ = 0;
  // In order of the first run.
  std::vector<std::vector<TableRun>> groups_;
  std::map<RunGroup, size_t> number_of_;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_
