// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/id_map.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace warpclust {
namespace {

constexpr int32_t kMostNumbers = 1 << 24;

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

int32_t Load(const std::shared_ptr<int32_t>& numbers, int32_t number) {
  return std::atomic_ref<int32_t>(numbers.get()[number])
             .load(std::memory_order_relaxed) -
         1;
}

void Store(const std::shared_ptr<int32_t>& numbers, int32_t number,
           int32_t id) {
  std::atomic_ref<int32_t>(numbers.get()[number])
      .store(id + 1, std::memory_order_relaxed);
}

}  // namespace

int32_t IdMap::FindAs(int32_t number, absl::string_view name) const {
  if (number < 0 || number >= num_numbers_) {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? -1 : it->second;
  }
  if (shared_numbers_ != nullptr) return Load(shared_numbers_, number);
  return static_cast<size_t>(number) < by_number_.size() ? by_number_[number]
                                                         : -1;
}

int32_t IdMap::Find(absl::string_view name) const {
  return FindAs(PlainNumber(name, num_numbers_), name);
}

int32_t IdMap::Add(absl::string_view name) {
  const bool is_for_others = known_ != nullptr;
  const int32_t number =
      PlainNumber(name, is_for_others ? kMostNumbers : num_numbers_);
  if (is_for_others && number >= 0) {
    const int32_t known = Load(known_, number);
    if (known >= 0) return known;
  }
  int32_t id = FindAs(number, name);
  if (id < 0) {
    if (names_.size() >=
        static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
      return -1;
    }
    id = size();
    names_.emplace_back(name);
    if (number < 0 || number >= num_numbers_) {
      by_name_.emplace(name, id);
    } else if (shared_numbers_ != nullptr) {
      Store(shared_numbers_, number, id);
    } else {
      if (static_cast<size_t>(number) >= by_number_.size()) {
        const size_t grown =
            std::max<size_t>(number + 1, 2 * by_number_.size());
        by_number_.resize(std::min<size_t>(grown, num_numbers_), -1);
      }
      by_number_[number] = id;
    }
  }
  return is_for_others ? ~id : id;
}

IdMap IdMap::ForOthers() {
  if (shared_numbers_ == nullptr) {
    auto* const numbers =
        static_cast<int32_t*>(std::calloc(kMostNumbers, sizeof(int32_t)));
    if (numbers == nullptr) throw std::bad_alloc();
    shared_numbers_.reset(numbers, std::free);
    for (size_t n = 0; n < by_number_.size(); ++n) {
      if (by_number_[n] >= 0) numbers[n] = by_number_[n] + 1;
    }
    std::vector<int32_t>().swap(by_number_);
  }
  // What it looks up by itself lies in an array of at most 1 MiB.
  IdMap others(1 << 18);
  others.known_ = shared_numbers_;
  return others;
}

void IdMap::KeepOnlyNames() {
  shared_numbers_.reset();
  known_.reset();
  std::vector<int32_t>().swap(by_number_);
  absl::flat_hash_map<std::string, int32_t>().swap(by_name_);
}

std::vector<std::string> IdMap::TakeNames() {
  KeepOnlyNames();
  return std::exchange(names_, {});
}

}  // namespace warpclust
