// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/describe/stream_descriptions.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "sparse/matrix/compact_terms.h"

namespace warpclust {
namespace {

// Each is a multiple of the one before, so that intervals can be joined.
constexpr int64_t kIntervals[] = {1,     10,    60,     600,    3600,
                                  21600, 86400, 604800, 2419200};

int64_t NextInterval(int64_t interval) {
  const int64_t* const next =
      std::upper_bound(std::begin(kIntervals), std::end(kIntervals), interval);
  return next != std::end(kIntervals) ? *next : 2 * interval;
}

int64_t StartOf(int64_t time, int64_t interval) {
  const int64_t rest = time % interval;
  return time - rest - (rest < 0 ? interval : 0);
}

// Joins counts, ascending by time, into intervals.
void Join(int64_t interval, std::vector<std::pair<int64_t, int64_t>>* counts) {
  size_t kept = 0;
  for (const auto& [time, count] : *counts) {
    const int64_t start = StartOf(time, interval);
    if (kept > 0 && (*counts)[kept - 1].first == start) {
      (*counts)[kept - 1].second += count;
    } else {
      (*counts)[kept++] = {start, count};
    }
  }
  counts->resize(kept);
}

}  // namespace

bool StreamDescriber::Earlier(const Kept& a, const Kept& b) {
  return std::tie(a.hash, a.number) < std::tie(b.hash, b.number);
}

void StreamDescriber::Widen(int64_t first, int64_t last) {
  const int64_t before = interval_;
  while ((StartOf(last, interval_) - StartOf(first, interval_)) / interval_ >=
         kMaxBins) {
    interval_ = NextInterval(interval_);
  }
  if (interval_ == before) return;
  for (Cluster& cluster : clusters_) Join(interval_, &cluster.timeline.counts);
}

void StreamDescriber::Add(int32_t cluster, int64_t time,
                          const DocumentMatrix& vectors, int32_t row,
                          absl::string_view id, absl::string_view title) {
  if (cluster >= static_cast<int32_t>(clusters_.size())) {
    clusters_.resize(cluster + size_t{1});
  }
  Cluster& target = clusters_[cluster];
  ++target.size;
  if (time != kNoTime) {
    first_ = timed_ == 0 ? time : std::min(first_, time);
    last_ = timed_ == 0 ? time : std::max(last_, time);
    ++timed_;
    Widen(first_, last_);
    ClusterTimeline& timeline = target.timeline;
    timeline.first =
        timeline.timed == 0 ? time : std::min(timeline.first, time);
    timeline.last = timeline.timed == 0 ? time : std::max(timeline.last, time);
    ++timeline.timed;
    const int64_t start = StartOf(time, interval_);
    const auto place =
        std::lower_bound(timeline.counts.begin(), timeline.counts.end(),
                         std::make_pair(start, int64_t{0}));
    if (place != timeline.counts.end() && place->first == start) {
      ++place->second;
    } else {
      timeline.counts.insert(place, {start, 1});
    }
  }

  const int64_t number = num_documents_++;
  const uint64_t hash = Random(0, static_cast<uint64_t>(number)).Next();
  std::vector<Kept>& sample = target.sample;
  if (static_cast<int32_t>(sample.size()) == kSample) {
    if (hash >= sample.front().hash) return;
    std::pop_heap(sample.begin(), sample.end(), Earlier);
    sample.pop_back();
  }
  const absl::Span<const int32_t> terms = vectors.TermsOf(row);
  const absl::Span<const float> weights = vectors.WeightsOf(row);
  sample.push_back({hash,
                    number,
                    std::string(id),
                    std::string(title),
                    {terms.begin(), terms.end()},
                    {weights.begin(), weights.end()}});
  std::push_heap(sample.begin(), sample.end(), Earlier);
}

absl::StatusOr<StreamDescriptions> StreamDescriber::Describe(
    absl::Span<const int32_t> home, absl::Span<const std::string> words,
    const DescribeOptions& options) {
  if (home.size() < clusters_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("describe: expected the homes of ", clusters_.size(),
                     " clusters, found ", home.size()));
  }
  std::vector<Cluster> merged(home.size());
  for (size_t c = 0; c < clusters_.size(); ++c) {
    Cluster& from = clusters_[c];
    Cluster& into = merged[home[c]];
    into.size += from.size;
    std::move(from.sample.begin(), from.sample.end(),
              std::back_inserter(into.sample));
    from.sample = {};
    if (from.timeline.timed == 0) continue;
    ClusterTimeline& timeline = into.timeline;
    timeline.first = timeline.timed == 0
                         ? from.timeline.first
                         : std::min(timeline.first, from.timeline.first);
    timeline.last = timeline.timed == 0
                        ? from.timeline.last
                        : std::max(timeline.last, from.timeline.last);
    timeline.timed += from.timeline.timed;
    timeline.counts.insert(timeline.counts.end(), from.timeline.counts.begin(),
                           from.timeline.counts.end());
  }

  clusters_.clear();

  StreamDescriptions result;
  result.interval = interval_;
  DocumentMatrix documents;
  std::vector<int32_t> members;
  for (Cluster& cluster : merged) {
    std::sort(cluster.timeline.counts.begin(), cluster.timeline.counts.end());
    Join(interval_, &cluster.timeline.counts);
    result.timelines.push_back(std::move(cluster.timeline));
    std::sort(cluster.sample.begin(), cluster.sample.end(), Earlier);
    if (static_cast<int32_t>(cluster.sample.size()) > kSample) {
      cluster.sample.resize(kSample);
    }
    std::sort(cluster.sample.begin(), cluster.sample.end(),
              [](const Kept& a, const Kept& b) { return a.number < b.number; });
    members.clear();
    for (Kept& kept : cluster.sample) {
      members.push_back(documents.num_documents());
      documents.terms.insert(documents.terms.end(), kept.terms.begin(),
                             kept.terms.end());
      documents.weights.insert(documents.weights.end(), kept.weights.begin(),
                               kept.weights.end());
      documents.offsets.push_back(documents.num_entries());
      if (!kept.terms.empty()) {
        documents.num_terms =
            std::max(documents.num_terms, kept.terms.back() + 1);
      }
      result.sample_ids.push_back(std::move(kept.id));
      result.sample_titles.push_back(std::move(kept.title));
    }
    cluster.sample = {};
    result.sample.Append(members);
  }
  // Vectors may have any numbers of columns.
  const std::vector<int32_t> columns = CompactTerms(&documents);
  std::vector<std::string> used_words;
  if (!words.empty()) {
    for (const int32_t column : columns) {
      used_words.push_back(static_cast<size_t>(column) < words.size()
                               ? words[column]
                               : std::string());
    }
  }
  DescribedDocuments described;
  described.documents = &documents;
  described.words = used_words;
  described.titles = result.sample_titles;
  ASSIGN_OR_RETURN(result.descriptions,
                   DescribeClusters(result.sample, {}, described, options));
  for (size_t c = 0; c < merged.size(); ++c) {
    ClusterDescription& cluster = result.descriptions.clusters[c];
    cluster.size = merged[c].size;
    for (ClusterTerm& term : cluster.terms) term.column = columns[term.column];
  }
  return result;
}

}  // namespace warpclust
