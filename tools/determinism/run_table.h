// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunTable: the runs of the determinism report, and whether those that must be
// equal are.
//
// Thread-safety: one thread at a time.

#ifndef WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_
#define WARPCLUST_TOOLS_DETERMINISM_RUN_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpclust {

// What decides a result: runs that have all of it in common must be equal.
struct RunGroup {
  std::string algorithm;
  std::string data;
  std::string setting;

  friend auto operator<=>(const RunGroup&, const RunGroup&) = default;
};

struct TableRun {
  RunGroup group;
  // What must not decide it; "-" where there is no choice.
  std::string method = "-";
  std::string backend = "-";
  std::string threads = "-";
  std::string batch = "-";
  // Of all fields of the result (digest.h).
  uint64_t digest = 0;
  double seconds = 0;
};

class RunTable {
 public:
  void Add(TableRun run);

  int64_t num_runs() const { return num_runs_; }
  int64_t num_groups() const { return static_cast<int64_t>(groups_.size()); }
  // Groups whose runs do not all have one digest.
  int64_t num_different() const;

  // A header line and a line a run, columns in step and two blanks apart, an
  // empty line between groups, which are in order of their first run. Then a
  // line for every digest of a group that has several, with the runs that gave
  // it; the last line is "9 runs in 2 groups: all equal", or "...: 1 group
  // differs".
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
