// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IdMap: the names that a file gives to things, numbered 0, 1, … in order of
// first appearance, and back. Share one between files that speak of the same
// things, such as two covers to compare.
//
// Whole numbers below 2^24 in plain form ("17", not "017") are looked up in an
// array, other names in a hash table; the numbering does not know the
// difference. Memory: the names, and up to 64 MiB for numbers. Thread-safety:
// concurrent reads are safe.

#ifndef WARPCLUST_GRAPH_IO_ID_MAP_H_
#define WARPCLUST_GRAPH_IO_ID_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class IdMap {
 public:
  // The number of `name`; a new one if it was not seen before. -1 if 2^31 - 1
  // names are taken.
  int32_t Add(absl::string_view name);
  // The number of `name`, or -1.
  int32_t Find(absl::string_view name) const;

  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[id]; }
  const std::vector<std::string>& names() const { return names_; }
  // Leaves the map empty.
  std::vector<std::string> TakeNames();

 private:
  std::vector<std::string> names_;
  std::vector<int32_t> by_number_;  // -1: not seen
  absl::flat_hash_map<std::string, int32_t> by_name_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_ID_MAP_H_
