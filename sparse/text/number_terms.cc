// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/number_terms.h"

#include <algorithm>
#include <cstddef>

#include "base/machine/threads.h"

namespace warpclust {
namespace {

struct PartTerm {
  absl::string_view text;
  int32_t part;
  int32_t id;

  bool operator<(const PartTerm& other) const { return text < other.text; }
};

std::vector<PartTerm> Sorted(const Vocabulary& vocabulary, int32_t part) {
  std::vector<PartTerm> terms(vocabulary.size());
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    terms[id] = {vocabulary.Term(id), part, id};
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

// Terms that cut all terms into `ranges` ranges of about equal size: each range
// begins with one, but the first.
std::vector<PartTerm> RangeBounds(
    const std::vector<std::vector<PartTerm>>& parts, size_t ranges) {
  constexpr size_t kStep = 16;
  std::vector<PartTerm> sample;
  for (const std::vector<PartTerm>& part : parts) {
    for (size_t i = kStep / 2; i < part.size(); i += kStep) {
      sample.push_back(part[i]);
    }
  }
  std::sort(sample.begin(), sample.end());
  std::vector<PartTerm> bounds;
  for (size_t r = 1; r < ranges && !sample.empty(); ++r) {
    bounds.push_back(sample[sample.size() * r / ranges]);
  }
  return bounds;
}

// The terms of a range, and how many are different.
struct Range {
  std::vector<PartTerm> terms;
  int32_t num_different = 0;

  bool IsNew(size_t i) const {
    return i == 0 || terms[i - 1].text != terms[i].text;
  }
};

}  // namespace

NumberedTerms NumberTerms(absl::Span<const Vocabulary> parts, int num_threads) {
  const auto num_parts = static_cast<int32_t>(parts.size());
  const int threads = ResolveThreads(num_threads);
  std::vector<std::vector<PartTerm>> sorted(parts.size());
  NumberedTerms result;
  result.numbers.resize(parts.size());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int32_t p = 0; p < num_parts; ++p) {
    sorted[p] = Sorted(parts[p], p);
    result.numbers[p].resize(parts[p].size());
  }

  const std::vector<PartTerm> bounds = RangeBounds(sorted, threads);
  const auto num_ranges = static_cast<int64_t>(bounds.size()) + 1;
  std::vector<Range> ranges(num_ranges);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t r = 0; r < num_ranges; ++r) {
    Range& range = ranges[r];
    for (const std::vector<PartTerm>& part : sorted) {
      const auto begin =
          r == 0 ? part.begin()
                 : std::lower_bound(part.begin(), part.end(), bounds[r - 1]);
      const auto end = r + 1 == num_ranges
                           ? part.end()
                           : std::lower_bound(begin, part.end(), bounds[r]);
      const auto middle = static_cast<int64_t>(range.terms.size());
      range.terms.insert(range.terms.end(), begin, end);
      std::inplace_merge(range.terms.begin(), range.terms.begin() + middle,
                         range.terms.end());
    }
    for (size_t i = 0; i < range.terms.size(); ++i) {
      if (range.IsNew(i)) ++range.num_different;
    }
  }

  std::vector<int32_t> first_numbers = {0};
  for (const Range& range : ranges) {
    first_numbers.push_back(first_numbers.back() + range.num_different);
  }
  result.terms.resize(first_numbers.back());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t r = 0; r < num_ranges; ++r) {
    const Range& range = ranges[r];
    int32_t number = first_numbers[r] - 1;
    for (size_t i = 0; i < range.terms.size(); ++i) {
      const PartTerm& term = range.terms[i];
      if (range.IsNew(i)) result.terms[++number] = term.text;
      result.numbers[term.part][term.id] = number;
    }
  }
  return result;
}

}  // namespace warpclust
