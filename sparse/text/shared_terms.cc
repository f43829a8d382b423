// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/shared_terms.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// So many that two threads seldom want the same one.
constexpr int kShardBits = 7;

// Half of them are free with 65,000 words; of many more, some find none.
constexpr uint64_t kSlots = uint64_t{1} << 17;
constexpr int kMostProbes = 8;
constexpr size_t kSlotWord = 27;

// The low bits choose the place within the shard.
size_t ShardOf(uint64_t hash) { return hash >> (64 - kShardBits); }

uint64_t HashOf(absl::string_view text) {
  return absl::Hash<absl::string_view>()(text);
}

struct Entry {
  // The first bytes of the text, as a number that compares like them.
  uint64_t key = 0;
  absl::string_view text;
  int32_t number = 0;

  bool operator<(const Entry& other) const {
    return key != other.key ? key < other.key : text < other.text;
  }
};

Entry MakeEntry(absl::string_view text, int32_t number) {
  Entry entry = {0, text, number};
  for (size_t i = 0; i < sizeof(entry.key); ++i) {
    const unsigned char byte = i < text.size() ? text[i] : 0;
    entry.key = entry.key << 8 | byte;
  }
  return entry;
}

// Entries that cut all entries into `ranges` ranges of about equal size: each
// range begins with one, except the first.
std::vector<Entry> RangeBounds(const std::vector<Entry>& entries,
                               size_t ranges) {
  constexpr size_t kSamplesPerRange = 32;
  std::vector<Entry> sample;
  const size_t step =
      std::max<size_t>(1, entries.size() / (ranges * kSamplesPerRange));
  for (size_t i = step / 2; i < entries.size(); i += step) {
    sample.push_back(entries[i]);
  }
  std::sort(sample.begin(), sample.end());
  std::vector<Entry> bounds;
  for (size_t r = 1; r < ranges && !sample.empty(); ++r) {
    bounds.push_back(sample[sample.size() * r / ranges]);
  }
  return bounds;
}

}  // namespace

// Threads write to neighboring ones.
struct alignas(64) SharedTerms::Shard {
  std::mutex mutex;  // Guards both.
  absl::flat_hash_map<std::string, int32_t> term_of_word;
  Vocabulary terms;
};

// Written once, by the thread that makes `state` kTaken.
struct SharedTerms::Slot {
  static constexpr int32_t kEmpty = 0;
  static constexpr int32_t kTaken = 1;
  static constexpr int32_t kFirst = 2;  // Stands for kNone.

  std::atomic<int32_t> state;
  uint8_t length;
  char word[kSlotWord];
};

void SharedTerms::Free::operator()(Slot* slots) const { std::free(slots); }

SharedTerms::SharedTerms(int num_threads)
    : num_shards_(num_threads > 1 ? size_t{1} << kShardBits : 1),
      shards_(new Shard[num_shards_]) {
  if (num_threads <= 1) return;
  // Zeros, which the system makes where they are used.
  slots_.reset(static_cast<Slot*>(std::calloc(kSlots, sizeof(Slot))));
  if (slots_ == nullptr) throw std::bad_alloc();
}

SharedTerms::~SharedTerms() = default;

int32_t SharedTerms::AddTerm(absl::string_view term) {
  const size_t s = num_shards_ > 1 ? ShardOf(HashOf(term)) : 0;
  const std::lock_guard<std::mutex> lock(shards_[s].mutex);
  return static_cast<int32_t>(shards_[s].terms.Add(term) * num_shards_ + s);
}

// Two threads may do this for a word at once, and find the same.
int32_t SharedTerms::FindAnew(absl::string_view word, Analyzer& analyzer) {
  const absl::string_view term = analyzer.TermOf(word);
  return term.empty() ? kNone : AddTerm(term);
}

int32_t SharedTerms::Find(absl::string_view word, Analyzer& analyzer) {
  if (slots_ == nullptr) return FindAnew(word, analyzer);
  const uint64_t hash = HashOf(word);
  for (int probe = 0; probe < kMostProbes && word.size() <= kSlotWord;
       ++probe) {
    Slot& slot = slots_[(hash + probe) % kSlots];
    int32_t state = slot.state.load(std::memory_order_acquire);
    if (state >= Slot::kFirst &&
        word == absl::string_view(slot.word, slot.length)) {
      return state - Slot::kFirst + kNone;
    }
    if (state != Slot::kEmpty) continue;
    const int32_t number = FindAnew(word, analyzer);
    // Another thread may have taken the slot: then the word is found anew when
    // it is asked for again.
    if (number <= INT32_MAX - Slot::kFirst + kNone &&
        slot.state.compare_exchange_strong(state, Slot::kTaken)) {
      slot.length = static_cast<uint8_t>(word.size());
      std::memcpy(slot.word, word.data(), word.size());
      slot.state.store(number - kNone + Slot::kFirst,
                       std::memory_order_release);
    }
    return number;
  }
  return FindInShard(word, hash, analyzer);
}

int32_t SharedTerms::FindInShard(absl::string_view word, uint64_t hash,
                                 Analyzer& analyzer) {
  Shard& shard = shards_[ShardOf(hash)];
  {
    const std::lock_guard<std::mutex> lock(shard.mutex);
    const auto known = shard.term_of_word.find(word);
    if (known != shard.term_of_word.end()) return known->second;
  }
  const int32_t number = FindAnew(word, analyzer);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  shard.term_of_word.emplace(word, number);
  return number;
}

SharedTerms::Numbered SharedTerms::Number(int num_threads) const {
  const auto num_shards = static_cast<int64_t>(num_shards_);
  const int threads = ResolveThreads(num_threads);
  std::vector<int64_t> begins = {0};
  int32_t largest = 0;
  for (int64_t s = 0; s < num_shards; ++s) {
    begins.push_back(begins.back() + shards_[s].terms.size());
    largest = std::max(largest, shards_[s].terms.size());
  }
  std::vector<Entry> entries(begins.back());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t s = 0; s < num_shards; ++s) {
    const Vocabulary& terms = shards_[s].terms;
    for (int32_t t = 0; t < terms.size(); ++t) {
      entries[begins[s] + t] =
          MakeEntry(terms.Term(t), static_cast<int32_t>(t * num_shards_ + s));
    }
  }

  const std::vector<Entry> bounds = RangeBounds(entries, threads);
  const auto num_ranges = static_cast<int64_t>(bounds.size()) + 1;
  std::vector<std::vector<Entry>> ranges(num_ranges);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t r = 0; r < num_ranges; ++r) {
    std::vector<Entry> range;
    for (const Entry& entry : entries) {
      if ((r == 0 || !(entry < bounds[r - 1])) &&
          (r + 1 == num_ranges || entry < bounds[r])) {
        range.push_back(entry);
      }
    }
    std::sort(range.begin(), range.end());
    ranges[r] = std::move(range);
  }

  std::vector<int64_t> first_places = {0};
  for (const std::vector<Entry>& range : ranges) {
    first_places.push_back(first_places.back() +
                           static_cast<int64_t>(range.size()));
  }
  Numbered result;
  result.terms.resize(entries.size());
  result.places.resize(largest * num_shards_);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t r = 0; r < num_ranges; ++r) {
    int64_t place = first_places[r];
    for (const Entry& entry : ranges[r]) {
      result.terms[place] = entry.text;
      result.places[entry.number] = static_cast<int32_t>(place++);
    }
  }
  return result;
}

}  // namespace warpclust
