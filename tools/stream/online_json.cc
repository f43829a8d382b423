// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_json.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "algorithms/online/state/online_state.h"
#include "base/status/status_macros.h"
#include "graph/cover/cover.h"
#include "graph/io/cover_io.h"
#include "tools/input/stream_vectorizer.h"

namespace warpclust {
namespace {

// The names of a cluster's largest sums, the largest first.
std::vector<std::string> TopTerms(const OnlineState& state, int32_t cluster,
                                  const StreamVectorizer& vectorizer) {
  constexpr size_t kShown = 10;
  const absl::Span<const int32_t> terms = state.TermsOf(cluster);
  const absl::Span<const int64_t> sums = state.SumsOf(cluster);
  std::vector<std::pair<int64_t, int32_t>> largest;
  for (size_t i = 0; i < terms.size(); ++i) {
    largest.emplace_back(-sums[i], terms[i]);
  }
  const size_t shown = std::min(kShown, largest.size());
  std::partial_sort(largest.begin(), largest.begin() + shown, largest.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) {
    names.push_back(vectorizer.TermName(largest[i].second));
  }
  return names;
}

}  // namespace

absl::Status WriteOnlineJson(const OnlineSession& session,
                             OnlinePipeline* pipeline, TextWriter* writer) {
  ASSIGN_OR_RETURN(const OnlineState state, pipeline->clusterer().State());
  // A cluster only ever merges into a smaller number, and once a pass: the last
  // merge of each leads on.
  std::vector<int32_t> home(state.num_clusters());
  for (size_t c = 0; c < home.size(); ++c) home[c] = static_cast<int32_t>(c);
  for (const OnlineMerge& merge : pipeline->clusterer().merges()) {
    home[merge.from] = merge.into;
  }
  for (size_t c = 0; c < home.size(); ++c) home[c] = home[home[c]];
  Cover cover;
  cover.offsets.assign(home.size() + 1, 0);
  for (const int32_t c : session.clusters()) ++cover.offsets[home[c] + 1];
  for (size_t c = 0; c < home.size(); ++c) {
    cover.offsets[c + 1] += cover.offsets[c];
  }
  cover.members.resize(session.clusters().size());
  std::vector<int64_t> next(cover.offsets.begin(), cover.offsets.end() - 1);
  for (size_t d = 0; d < session.clusters().size(); ++d) {
    cover.members[next[home[session.clusters()[d]]]++] =
        static_cast<int32_t>(d);
  }
  return WriteCoverJson(
      cover, session.ids(),
      [writer](absl::string_view text) { writer->Write(text); },
      [&](int32_t cluster, std::string* json) {
        absl::StrAppend(json, ",\"cluster\":", cluster,
                        ",\"size\":", state.sizes[cluster], ",\"top_terms\":[");
        bool first = true;
        for (const std::string& term :
             TopTerms(state, cluster, pipeline->vectorizer())) {
          if (!first) json->push_back(',');
          first = false;
          AppendJsonString(term, json);
        }
        json->push_back(']');
      });
}

}  // namespace warpclust
