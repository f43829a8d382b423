// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/id_map.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpclust {
namespace {

// The value of a plain number below `limit`, at most 10^8, else -1.
int32_t PlainNumber(absl::string_view name, int32_t limit) {
  if (name.empty() || name.size() > 8 || (name[0] == '0' && name.size() > 1)) {
    return -1;
  }
  int32_t value = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value < limit ? value : -1;
}

}  // namespace

int32_t IdMap::Add(absl::string_view name) {
  const int32_t number = PlainNumber(name, num_numbers_);
  const int32_t known = number >= 0 ? OfNumber(number) : OfName(name);
  if (known >= 0) return known;
  if (names_.size() >=
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return -1;
  }
  const int32_t id = size();
  names_.emplace_back(name);
  if (number >= 0) {
    if (static_cast<size_t>(number) >= by_number_.size()) {
      const size_t grown = std::max<size_t>(number + 1, 2 * by_number_.size());
      by_number_.resize(std::min<size_t>(grown, num_numbers_), -1);
    }
    by_number_[number] = id;
  } else {
    by_name_.emplace(name, id);
  }
  return id;
}

int32_t IdMap::Find(absl::string_view name) const {
  const int32_t number = PlainNumber(name, num_numbers_);
  return number >= 0 ? OfNumber(number) : OfName(name);
}

int32_t IdMap::OfName(absl::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? -1 : it->second;
}

void IdMap::KeepOnlyNames() {
  std::vector<int32_t>().swap(by_number_);
  absl::flat_hash_map<std::string, int32_t>().swap(by_name_);
}

std::vector<std::string> IdMap::TakeNames() {
  KeepOnlyNames();
  return std::exchange(names_, {});
}

}  // namespace warpclust
