// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// IdMap: names from a file, numbered 0, 1, … in order of first appearance, and
// back. Share one map between files about the same things, such as two covers
// to compare.
//
//   IdMap ids;
//   int32_t a = ids.Add("a");  // 0
//   ids.name(a);               // "a"
//
// Plain numbers below 2^24 ("17", not "017") are looked up in an array, other
// names in a hash table; this does not show in the numbering. Memory: the
// names, and up to 64 MiB for numbers.

#ifndef WARPCLUST_GRAPH_IO_ID_MAP_H_
#define WARPCLUST_GRAPH_IO_ID_MAP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class IdMap {
 public:
  IdMap() : IdMap(1 << 24) {}
  // Looks up only plain numbers below `num_numbers` in the array. For
  // short-lived maps.
  explicit IdMap(int32_t num_numbers) : num_numbers_(num_numbers) {}

  // The number of `name`, a new one at its first appearance; -1 if there are
  // 2^31 - 1 names already.
  int32_t Add(absl::string_view name);
  // The number of `name`, or -1.
  int32_t Find(absl::string_view name) const;

  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[id]; }
  const std::vector<std::string>& names() const { return names_; }
  // Frees all except the names: Add and Find must not follow.
  void KeepOnlyNames();
  // Returns the names and empties the map.
  std::vector<std::string> TakeNames();

 private:
  int32_t OfNumber(int32_t number) const {
    return static_cast<size_t>(number) < by_number_.size() ? by_number_[number]
                                                           : -1;
  }
  int32_t OfName(absl::string_view name) const;

  int32_t num_numbers_;
  std::vector<std::string> names_;
  std::vector<int32_t> by_number_;  // -1: not seen
  absl::flat_hash_map<std::string, int32_t> by_name_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_ID_MAP_H_
