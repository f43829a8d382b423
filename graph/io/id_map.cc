// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/id_map.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

constexpr int32_t kMostNumbers = 1 << 24;
// Numbers that a page of an array holds.
constexpr int32_t kPageNumbers = 1 << 10;
// Fewer names are made by one thread.
constexpr int64_t kNamesPerThread = 1 << 13;

// What others read: by number its id plus 1, or 0; behind all numbers, a bound
// of those that have an id. Beyond it nothing is read, since reading a page
// that nobody has written makes writing it slow.
std::atomic_ref<int32_t> At(const std::shared_ptr<int32_t>& numbers,
                            int32_t number) {
  return std::atomic_ref<int32_t>(numbers.get()[number]);
}

int32_t Load(const std::shared_ptr<int32_t>& numbers, int32_t number) {
  if (number >= At(numbers, kMostNumbers).load(std::memory_order_relaxed)) {
    return -1;
  }
  return At(numbers, number).load(std::memory_order_relaxed) - 1;
}

void Store(const std::shared_ptr<int32_t>& numbers, int32_t number,
           int32_t id) {
  At(numbers, number).store(id + 1, std::memory_order_relaxed);
  if (number >= At(numbers, kMostNumbers).load(std::memory_order_relaxed)) {
    At(numbers, kMostNumbers)
        .store((number / kPageNumbers + 1) * kPageNumbers,
               std::memory_order_relaxed);
  }
}

constexpr size_t kMostNames = std::numeric_limits<int32_t>::max();

}  // namespace

int32_t IdMap::PlainNumber(absl::string_view name) {
  if (name.empty() || name.size() > 8 || (name[0] == '0' && name.size() > 1)) {
    return -1;
  }
  int32_t value = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value < kMostNumbers ? value : -1;
}

void IdMap::PrefetchNumber(int32_t number) const {
  if (is_shared()) {
    __builtin_prefetch(shared_numbers_.get() + number);
  } else if (static_cast<size_t>(number) < by_number_.size()) {
    __builtin_prefetch(&by_number_[number]);
  }
}

int32_t IdMap::FindNumber(int32_t number) const {
  if (is_shared()) return Load(shared_numbers_, number);
  return static_cast<size_t>(number) < by_number_.size() ? by_number_[number]
                                                         : -1;
}

int32_t IdMap::FindText(absl::string_view text) const {
  const auto it = by_name_.find(text);
  return it == by_name_.end() ? -1 : it->second;
}

int32_t IdMap::Find(absl::string_view name) const {
  const int32_t number = PlainNumber(name);
  return number >= 0 ? FindNumber(number) : FindText(name);
}

int32_t IdMap::AddNumber(int32_t number) {
  if (const int32_t known = FindNumber(number); known >= 0) return known;
  if (static_cast<size_t>(size()) >= kMostNames) return -1;
  const int32_t id = size();
  if (is_shared()) {
    numbers_.push_back(number);
    Store(shared_numbers_, number, id);
    return id;
  }
  names_.push_back(absl::StrCat(number));
  if (static_cast<size_t>(number) >= by_number_.size()) {
    const size_t grown = std::max<size_t>(number + 1, 2 * by_number_.size());
    by_number_.resize(std::min<size_t>(grown, kMostNumbers), -1);
  }
  by_number_[number] = id;
  return id;
}

int32_t IdMap::AddText(absl::string_view text) {
  if (const int32_t known = FindText(text); known >= 0) return known;
  if (static_cast<size_t>(size()) >= kMostNames) return -1;
  const int32_t id = size();
  if (is_shared()) {
    numbers_.push_back(-1);
  } else {
    names_.emplace_back(text);
  }
  by_name_.emplace(text, id);
  return id;
}

int32_t IdMap::Add(absl::string_view name) {
  const int32_t number = PlainNumber(name);
  return number >= 0 ? AddNumber(number) : AddText(name);
}

IdMap::Others IdMap::ForOthers() {
  if (!is_shared()) {
    for (const std::string& name : names_) {
      numbers_.push_back(PlainNumber(name));
    }
    // Pages of zeros as long as nobody writes them.
    auto* const numbers =
        static_cast<int32_t*>(std::calloc(kMostNumbers + 1, sizeof(int32_t)));
    if (numbers == nullptr) throw std::bad_alloc();
    shared_numbers_.reset(numbers, std::free);
    for (size_t n = 0; n < by_number_.size(); ++n) {
      if (by_number_[n] < 0) continue;
      Store(shared_numbers_, static_cast<int32_t>(n), by_number_[n]);
    }
    std::vector<int32_t>().swap(by_number_);
    std::vector<std::string>().swap(names_);
  }
  Others others;
  others.known_ = shared_numbers_;
  return others;
}

void IdMap::Others::PrefetchNumber(int32_t number) const {
  __builtin_prefetch(known_.get() + number);
}

int32_t IdMap::Others::AddNumber(int32_t number) {
  const int32_t known = Load(known_, number);
  if (known >= 0) return known;
  const auto [it, is_new] = by_number_.try_emplace(number, size());
  if (is_new) numbers_.push_back(number);
  return ~it->second;
}

int32_t IdMap::Others::Add(absl::string_view name) {
  const int32_t number = PlainNumber(name);
  if (number >= 0) return AddNumber(number);
  const auto known = by_text_.find(name);
  if (known != by_text_.end()) return ~known->second;
  const int32_t i = size();
  by_text_.emplace(name, i);
  numbers_.push_back(~static_cast<int32_t>(texts_.size()));
  texts_.emplace_back(name);
  return ~i;
}

void IdMap::Others::KeepOnlyNames() {
  known_.reset();
  absl::flat_hash_map<int32_t, int32_t>().swap(by_number_);
  absl::flat_hash_map<std::string, int32_t>().swap(by_text_);
}

int32_t IdMap::AddOf(const Others& others, int32_t i) {
  const int32_t number = others.numbers_[i];
  return number >= 0 ? AddNumber(number) : AddText(others.texts_[~number]);
}

int32_t IdMap::FindOf(const Others& others, int32_t i) const {
  const int32_t number = others.numbers_[i];
  return number >= 0 ? FindNumber(number) : FindText(others.texts_[~number]);
}

void IdMap::KeepOnlyNames(int num_threads) {
  if (is_shared()) {
    const auto size = static_cast<int64_t>(numbers_.size());
    names_.resize(size);
    for (const auto& [name, id] : by_name_) names_[id] = name;
    const int threads = ThreadsFor(size, kNamesPerThread, num_threads);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t id = 0; id < size; ++id) {
      if (numbers_[id] >= 0) names_[id] = absl::StrCat(numbers_[id]);
    }
    shared_numbers_.reset();
    std::vector<int32_t>().swap(numbers_);
  }
  std::vector<int32_t>().swap(by_number_);
  absl::flat_hash_map<std::string, int32_t>().swap(by_name_);
}

std::vector<std::string> IdMap::TakeNames() {
  KeepOnlyNames();
  return std::exchange(names_, {});
}

}  // namespace warpclust
