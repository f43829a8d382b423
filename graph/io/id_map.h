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

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace warpclust {

class IdMap {
 public:
  // Numbers of names, for one other thread while names are added here. It looks
  // up plain numbers here, and keeps the names that it does not find.
  class Others {
   public:
    // The number of `name` here if it is found, or else ~i for name i of those
    // kept.
    int32_t Add(absl::string_view name);
    // As those of IdMap.
    int32_t AddNumber(int32_t number);
    void PrefetchNumber(int32_t number) const;

    // How many names are kept.
    int32_t size() const { return static_cast<int32_t>(numbers_.size()); }
    // Frees all except the names kept: Add must not follow.
    void KeepOnlyNames();

   private:
    friend class IdMap;

    // Of the IdMap, which adds to it.
    std::shared_ptr<int32_t> known_;
    // By name kept: the plain number, or ~i for text i.
    std::vector<int32_t> numbers_;
    std::vector<std::string> texts_;
    absl::flat_hash_map<int32_t, int32_t> by_number_;
    absl::flat_hash_map<std::string, int32_t> by_text_;
  };

  // The number of `name`, a new one at its first appearance; -1 if there are
  // 2^31 - 1 names already.
  int32_t Add(absl::string_view name);
  // The number of `name`, or -1.
  int32_t Find(absl::string_view name) const;

  // The value of a plain number below 2^24, else -1.
  static int32_t PlainNumber(absl::string_view name);
  // Add of a name with this PlainNumber.
  int32_t AddNumber(int32_t number);
  // Asks for the memory that AddNumber reads. Among millions of names it is in
  // no cache.
  void PrefetchNumber(int32_t number) const;

  // For another thread. Until KeepOnlyNames, name() and names() must not be
  // called.
  Others ForOthers();
  // Add and Find of name i that `others` has kept.
  int32_t AddOf(const Others& others, int32_t i);
  int32_t FindOf(const Others& others, int32_t i) const;

  int32_t size() const {
    return static_cast<int32_t>(is_shared() ? numbers_.size() : names_.size());
  }
  const std::string& name(int32_t id) const { return names_[id]; }
  const std::vector<std::string>& names() const { return names_; }
  // Frees all except the names, on `num_threads` threads (0: all cores): Add
  // and Find must not follow.
  void KeepOnlyNames(int num_threads = 1);
  // Returns the names and empties the map.
  std::vector<std::string> TakeNames();

 private:
  bool is_shared() const { return shared_numbers_ != nullptr; }
  int32_t FindNumber(int32_t number) const;
  int32_t FindText(absl::string_view text) const;
  int32_t AddText(absl::string_view text);

  std::vector<std::string> names_;
  std::vector<int32_t> by_number_;  // -1: not seen
  absl::flat_hash_map<std::string, int32_t> by_name_;
  // Replaces by_number_ once others read it: at a place that stays.
  std::shared_ptr<int32_t> shared_numbers_;
  // Replaces names_ then: the plain number by id; -1: in by_name_.
  std::vector<int32_t> numbers_;
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_ID_MAP_H_
