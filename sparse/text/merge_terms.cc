// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/text/merge_terms.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/communicator/exchange_strings.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Terms that each rank shows to all: enough that ranges are about equal.
constexpr int64_t kSamples = 64;

// The first term of the range of each rank but the first. The same on all
// ranks.
absl::StatusOr<std::vector<std::string>> RangeBounds(
    Communicator& ranks, absl::Span<const absl::string_view> sorted) {
  std::vector<absl::string_view> mine;
  const int64_t size = static_cast<int64_t>(sorted.size());
  for (int64_t s = 0; s < std::min(size, kSamples); ++s) {
    mine.push_back(sorted[size * s / std::min(size, kSamples)]);
  }
  RankLists<absl::string_view> out;
  for (int r = 0; r < ranks.size(); ++r) out.Append(mine);
  ASSIGN_OR_RETURN(RankLists<std::string> all, ExchangeStrings(ranks, out));
  std::sort(all.values.begin(), all.values.end());
  std::vector<std::string> bounds;
  for (int r = 1; r < ranks.size(); ++r) {
    bounds.push_back(all.values.empty()
                         ? std::string()
                         : all.values[all.values.size() * r / ranks.size()]);
  }
  return bounds;
}

struct NumberedTerm {
  int32_t number;
  int32_t frequency;
};

// What the owner of a range answers: for each term that was sent to it, its
// number and its frequency in all. Sets `num_terms`, of all ranks.
absl::StatusOr<RankLists<NumberedTerm>> NumberTerms(
    Communicator& ranks, const RankLists<std::string>& terms,
    const RankLists<int32_t>& frequencies, int32_t* num_terms) {
  std::vector<int64_t> order(terms.values.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return terms.values[a] < terms.values[b];
  });
  const auto is_new = [&](size_t i) {
    return i == 0 || terms.values[order[i - 1]] != terms.values[order[i]];
  };
  int64_t count = 0;
  for (size_t i = 0; i < order.size(); ++i) count += is_new(i);
  ASSIGN_OR_RETURN(const std::vector<int64_t> begins, ranks.Begins(count));
  if (begins.back() > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(
        "documents: expected at most 2^31 - 1 terms on all ranks, found more");
  }
  *num_terms = static_cast<int32_t>(begins.back());

  RankLists<NumberedTerm> answers;
  answers.offsets = terms.offsets;
  answers.values.resize(terms.values.size());
  int64_t number = begins[ranks.rank()] - 1;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    int32_t frequency = 0;
    do {
      frequency += frequencies.values[order[end++]];
    } while (end < order.size() && !is_new(end));
    ++number;
    for (; begin < end; ++begin) {
      answers.values[order[begin]] = {static_cast<int32_t>(number), frequency};
    }
  }
  return answers;
}

}  // namespace

absl::StatusOr<MergedTerms> MergeTerms(Communicator& ranks,
                                       const Vocabulary& vocabulary,
                                       absl::Span<const int32_t> frequencies) {
  std::vector<int32_t> order(vocabulary.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return vocabulary.Term(a) < vocabulary.Term(b);
  });
  std::vector<absl::string_view> sorted;
  for (const int32_t id : order) sorted.push_back(vocabulary.Term(id));
  ASSIGN_OR_RETURN(const std::vector<std::string> bounds,
                   RangeBounds(ranks, sorted));

  RankLists<absl::string_view> terms;
  RankLists<int32_t> counts;
  for (const absl::string_view term : sorted) terms.values.push_back(term);
  for (const int32_t id : order) counts.values.push_back(frequencies[id]);
  for (const std::string& bound : bounds) {
    terms.offsets.push_back(
        std::lower_bound(sorted.begin(), sorted.end(), bound) - sorted.begin());
  }
  terms.offsets.push_back(static_cast<int64_t>(sorted.size()));
  counts.offsets = terms.offsets;
  ASSIGN_OR_RETURN(const RankLists<std::string> received,
                   ExchangeStrings(ranks, terms));
  ASSIGN_OR_RETURN(counts, ranks.AllToAll(counts));
  MergedTerms merged;
  ASSIGN_OR_RETURN(RankLists<NumberedTerm> answers,
                   NumberTerms(ranks, received, counts, &merged.num_terms));
  ASSIGN_OR_RETURN(answers, ranks.AllToAll(answers));
  merged.numbers.resize(vocabulary.size());
  merged.frequencies.resize(vocabulary.size());
  for (size_t i = 0; i < order.size(); ++i) {
    merged.numbers[order[i]] = answers.values[i].number;
    merged.frequencies[order[i]] = answers.values[i].frequency;
  }
  return merged;
}

}  // namespace warpclust
