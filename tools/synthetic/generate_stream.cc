// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/generate_stream.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/numbers/random.h"
#include "tools/synthetic/words.h"

namespace warpclust {
namespace {

constexpr int64_t kStart = 1767225600;  // 2026-01-01T00:00:00Z
constexpr int32_t kStoryTerms = 20;

struct Report {
  int64_t second = 0;
  int32_t story = 0;
  bool repeats_headline = false;

  friend bool operator<(const Report& a, const Report& b) {
    return std::tie(a.second, a.story, a.repeats_headline) <
           std::tie(b.second, b.story, b.repeats_headline);
  }
};

std::string IsoTime(int64_t second) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(second),
                          absl::UTCTimeZone());
}

}  // namespace

void GenerateStream(const GenerateStreamOptions& options,
                    const TextSink& documents, const TextSink& truth,
                    const DoneCallback& done) {
  const int32_t num_stories =
      options.num_stories > 0
          ? options.num_stories
          : static_cast<int32_t>(std::clamp<int64_t>(options.num_documents / 20,
                                                     1, int64_t{1} << 30));
  const ZipfSampler stories(num_stories, 10);
  const ZipfSampler background(options.vocabulary_size, 10);
  const ZipfSampler story_terms(kStoryTerms, 3);
  // Generators of different purposes must not share a stream number.
  const auto story_stream = [](int32_t story) {
    return (uint64_t{1} << 40) + static_cast<uint64_t>(story);
  };

  Random random(options.seed);
  std::vector<Report> reports(options.num_documents);
  for (Report& report : reports) {
    report.story = stories.Sample(&random);
    Random story_random(options.seed, story_stream(report.story));
    const auto breaks = static_cast<int64_t>(
        story_random.Below(int64_t{options.duration_hours} * 3600));
    const double x = random.Unit();
    const auto delay =
        static_cast<int64_t>(options.burst_hours * 3600.0 * (x * x));
    report.second = kStart + breaks + delay;
    report.repeats_headline = random.Below(8) == 0;
  }
  std::sort(reports.begin(), reports.end());

  std::string line;
  for (size_t d = 0; d < reports.size(); ++d) {
    const Report& report = reports[d];
    line.clear();
    absl::StrAppend(&line, "{\"id\":\"", d, "\",\"time\":\"",
                    IsoTime(report.second), "\",\"labels\":[\"story",
                    report.story, "\"],\"text\":\"");
    Random words(options.seed,
                 report.repeats_headline
                     ? story_stream(report.story) + (uint64_t{1} << 40)
                     : static_cast<uint64_t>(d) + 1);
    const int32_t mean = options.words_per_document;
    const int32_t least = std::max(1, mean - mean / 2);
    const int32_t count =
        least + static_cast<int32_t>(words.Below(2 * (mean - least) + 1));
    for (int32_t w = 0; w < count; ++w) {
      int32_t term;
      if (words.Below(5) < 3) {
        Random own(options.seed,
                   (uint64_t{1} << 50) +
                       static_cast<uint64_t>(report.story) * kStoryTerms +
                       story_terms.Sample(&words));
        term = static_cast<int32_t>(own.Below(options.vocabulary_size));
      } else {
        term = background.Sample(&words);
      }
      if (w > 0) line += ' ';
      AppendPseudoWord(term, &line);
    }
    line += "\"}\n";
    documents(line);
    if (truth != nullptr) {
      truth(absl::StrCat(d, "\tstory", report.story, "\n"));
    }
    if (done != nullptr && (d + 1) % 1024 == 0) {
      done(static_cast<int64_t>(d) + 1);
    }
  }
}

}  // namespace warpclust
