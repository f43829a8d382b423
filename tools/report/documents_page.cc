// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/report/documents_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/html/html_page.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "eval/describe/cluster_descriptions.h"
#include "graph/cover/cover.h"
#include "sparse/matrix/document_matrix.h"
#include "tools/report/assets/report_assets.h"
#include "tools/report/listed_documents.h"

namespace warpclust {
namespace {

// The terms that the page shows for a membership.
constexpr int kReasons = 4;
// Of the histogram of cosines.
constexpr int kBins = 50;
constexpr size_t kTitleBytes = 120;

absl::Status Check(const DocumentsPage& page) {
  RETURN_IF_ERROR(ValidateCover(
      *page.cover, static_cast<int32_t>(page.ids.size()), "documents page"));
  const size_t clusters = page.cover->num_clusters();
  const auto check = [](absl::string_view what, size_t found, size_t expected) {
    if (found == expected) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "documents page: expected ", expected, " ", what, ", found ", found));
  };
  const ClusterDescriptions& descriptions = *page.descriptions;
  RETURN_IF_ERROR(
      check("descriptions", descriptions.clusters.size(), clusters));
  RETURN_IF_ERROR(check("cosines", descriptions.cosines.size(),
                        page.cover->members.size()));
  if (!page.centers.empty()) {
    RETURN_IF_ERROR(check("centers", page.centers.size(), clusters));
  }
  if (!page.timelines.empty()) {
    RETURN_IF_ERROR(check("timelines", page.timelines.size(), clusters));
  }
  const DescribedDocuments& described = page.described;
  if (!described.titles.empty()) {
    RETURN_IF_ERROR(check("titles", described.titles.size(), page.ids.size()));
  }
  if (described.documents != nullptr) {
    RETURN_IF_ERROR(check("rows of documents",
                          described.documents->num_documents(),
                          page.ids.size()));
  }
  return absl::OkStatus();
}

// The beginning of a long text, in whole characters.
std::string Shortened(const std::string& text) {
  if (text.size() <= kTitleBytes) return text;
  size_t end = kTitleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return text.substr(0, end) + "…";
}

// The words that the page shows, numbered by first use.
class Words {
 public:
  explicit Words(absl::Span<const std::string> by_column)
      : by_column_(by_column), numbers_(by_column.size(), -1) {}

  // -1 if the column has no word.
  int32_t NumberOf(int32_t column) {
    if (column >= static_cast<int32_t>(by_column_.size()) ||
        by_column_[column].empty()) {
      return -1;
    }
    if (numbers_[column] < 0) {
      numbers_[column] = static_cast<int32_t>(used_.size());
      used_.push_back(by_column_[column]);
    }
    return numbers_[column];
  }
  const std::vector<std::string>& used() const { return used_; }

 private:
  const absl::Span<const std::string> by_column_;
  std::vector<int32_t> numbers_;
  std::vector<std::string> used_;
};

// The shared terms that make up most of a cosine, and their percentages of it.
struct Reasons {
  std::array<int32_t, kReasons> words;
  std::array<uint8_t, kReasons> percents;
};

Reasons FindReasons(const DocumentMatrix& documents, int32_t a, int32_t b,
                    Words* words) {
  const absl::Span<const int32_t> terms_a = documents.TermsOf(a);
  const absl::Span<const int32_t> terms_b = documents.TermsOf(b);
  std::vector<std::pair<double, int32_t>> shares;
  double sum = 0;
  for (size_t i = 0, j = 0; i < terms_a.size() && j < terms_b.size();) {
    if (terms_a[i] != terms_b[j]) {
      terms_a[i] < terms_b[j] ? ++i : ++j;
      continue;
    }
    const double product = static_cast<double>(documents.WeightsOf(a)[i]) *
                           static_cast<double>(documents.WeightsOf(b)[j]);
    shares.emplace_back(-product, terms_a[i]);
    sum += product;
    ++i;
    ++j;
  }
  const size_t shown = std::min<size_t>(kReasons, shares.size());
  std::partial_sort(shares.begin(), shares.begin() + shown, shares.end());
  Reasons reasons;
  reasons.words.fill(-1);
  reasons.percents.fill(0);
  for (size_t k = 0; k < shown; ++k) {
    reasons.words[k] = words->NumberOf(shares[k].second);
    reasons.percents[k] =
        static_cast<uint8_t>(std::lround(-100 * shares[k].first / sum));
  }
  return reasons;
}

class Writer {
 public:
  Writer(const DocumentsPage& page, PageSink write)
      : page_(page),
        clusters_(page.descriptions->clusters),
        listed_(ListDocuments(page)),
        words_(page.described.words),
        write_(write) {}

  void WriteData() {
    WriteClusters();
    WriteDocuments();
    WriteMemberships();
    WriteHistogram();
    if (!page_.timelines.empty()) WriteTimelines();
    WritePageJson("words", JsonStrings(words_.used()), write_);
    WriteMeta();
  }

 private:
  template <typename T>
  void Array(absl::string_view name, const std::vector<T>& values) {
    WritePageArray(name, absl::MakeConstSpan(values), write_);
  }

  // `value` of each listed cluster.
  template <typename Value>
  void ClusterArray(absl::string_view name, const Value& value) {
    std::vector<decltype(value(int32_t{}))> values;
    values.reserve(listed_.clusters.size());
    for (const int32_t c : listed_.clusters) values.push_back(value(c));
    Array(name, values);
  }

  void WriteClusters() {
    // An empty title stands for that of the center, if it is listed.
    std::vector<std::string> titles;
    for (const int32_t c : listed_.clusters) {
      const int32_t center = clusters_[c].center;
      const bool named_by_center =
          center >= 0 && listed_.document_index[center] >= 0 &&
          !page_.described.titles.empty() &&
          page_.described.titles[center] == clusters_[c].title;
      titles.push_back(named_by_center ? "" : Shortened(clusters_[c].title));
    }
    WritePageJson("cluster-titles", JsonStrings(titles), write_);
    Array("number", listed_.clusters);
    ClusterArray("size", [&](int32_t c) {
      return static_cast<double>(clusters_[c].size);
    });
    ClusterArray("inner", [&](int32_t c) {
      return static_cast<float>(clusters_[c].inner_cosine);
    });
    ClusterArray("center", [&](int32_t c) {
      const int32_t center = clusters_[c].center;
      return center < 0 ? -1 : listed_.document_index[center];
    });
    ClusterArray("neighbors",
                 [&](int32_t c) { return clusters_[c].num_neighbors; });
    std::vector<int32_t> term_starts = {0};
    std::vector<int32_t> terms;
    std::vector<int32_t> neighbor_starts = {0};
    std::vector<int32_t> neighbors;
    std::vector<int32_t> shared;
    for (const int32_t c : listed_.clusters) {
      for (const ClusterTerm& term : clusters_[c].terms) {
        const int32_t word = words_.NumberOf(term.column);
        if (word >= 0) terms.push_back(word);
      }
      term_starts.push_back(static_cast<int32_t>(terms.size()));
      for (const ClusterNeighbor& neighbor : clusters_[c].neighbors) {
        const int32_t index = listed_.cluster_index[neighbor.cluster];
        if (index < 0) continue;
        neighbors.push_back(index);
        shared.push_back(static_cast<int32_t>(neighbor.shared));
      }
      neighbor_starts.push_back(static_cast<int32_t>(neighbors.size()));
    }
    Array("term-start", term_starts);
    Array("term", terms);
    Array("neighbor-start", neighbor_starts);
    Array("neighbor", neighbors);
    Array("shared", shared);
  }

  void WriteDocuments() {
    std::vector<std::string> ids;
    std::vector<std::string> titles;
    for (const int32_t document : listed_.documents) {
      const std::string& id = page_.ids[document];
      ids.push_back(id);
      if (page_.described.titles.empty()) continue;
      const std::string& title = page_.described.titles[document];
      // An empty title stands for the id.
      titles.push_back(title == id ? "" : Shortened(title));
    }
    WritePageJson("ids", JsonStrings(ids), write_);
    WritePageJson("titles", JsonStrings(titles), write_);
  }

  // By listed cluster: the listed members, with cosines and reasons.
  void WriteMemberships() {
    const DocumentMatrix* documents = page_.described.documents;
    const bool reasoned = documents != nullptr && !page_.centers.empty() &&
                          !page_.described.words.empty();
    std::vector<int32_t> starts = {0};
    std::vector<int32_t> members;
    std::vector<float> cosines;
    std::vector<int32_t> words;
    std::vector<uint8_t> percents;
    for (const int32_t c : listed_.clusters) {
      const absl::Span<const int32_t> all = page_.cover->MembersOf(c);
      for (size_t k = 0; k < all.size(); ++k) {
        const int32_t index = listed_.document_index[all[k]];
        if (index < 0) continue;
        members.push_back(index);
        cosines.push_back(static_cast<float>(
            page_.descriptions->cosines[page_.cover->offsets[c] + k]));
        if (!reasoned) continue;
        const Reasons reasons =
            FindReasons(*documents, all[k], page_.centers[c], &words_);
        words.insert(words.end(), reasons.words.begin(), reasons.words.end());
        percents.insert(percents.end(), reasons.percents.begin(),
                        reasons.percents.end());
      }
      starts.push_back(static_cast<int32_t>(members.size()));
    }
    Array("member-start", starts);
    Array("member", members);
    Array("cosine", cosines);
    if (!reasoned) return;
    Array("why", words);
    Array("percent", percents);
  }

  // Of all memberships, except those of the centers themselves.
  void WriteHistogram() {
    std::vector<double> counts(kBins);
    for (int32_t c = 0; c < page_.cover->num_clusters(); ++c) {
      const absl::Span<const int32_t> members = page_.cover->MembersOf(c);
      for (size_t k = 0; k < members.size(); ++k) {
        if (!page_.centers.empty() && members[k] == page_.centers[c]) continue;
        const double cosine =
            page_.descriptions->cosines[page_.cover->offsets[c] + k];
        const auto bin = static_cast<int>(cosine * kBins);
        ++counts[std::min(kBins - 1, std::max(0, bin))];
      }
    }
    Array("cosine-counts", counts);
  }

  void WriteTimelines() {
    ClusterArray("first", [&](int32_t c) {
      return static_cast<double>(page_.timelines[c].first);
    });
    ClusterArray("last", [&](int32_t c) {
      return static_cast<double>(page_.timelines[c].last);
    });
    std::vector<int32_t> starts = {0};
    std::vector<double> times;
    std::vector<int32_t> counts;
    for (const int32_t c : listed_.clusters) {
      for (const auto& [time, count] : page_.timelines[c].counts) {
        times.push_back(static_cast<double>(time));
        counts.push_back(static_cast<int32_t>(count));
      }
      starts.push_back(static_cast<int32_t>(times.size()));
    }
    Array("time-start", starts);
    Array("time", times);
    Array("time-count", counts);
  }

  void WriteMeta() {
    std::string facts;
    for (const auto& [name, value] : page_.facts) {
      absl::StrAppend(&facts, facts.empty() ? "" : ",", "[", JsonQuote(name),
                      ",", JsonQuote(value), "]");
    }
    const auto all = static_cast<int64_t>(page_.ids.size());
    const std::string total = JsonObject(
        {{"documents",
          absl::StrCat(page_.num_documents < 0 ? all : page_.num_documents)},
         {"clusters", absl::StrCat(listed_.num_clusters)}});
    WritePageJson(
        "meta",
        JsonObject(
            {{"command", JsonStrings(page_.command)},
             {"nouns",
              JsonStrings({std::string(page_.noun), std::string(page_.nouns)})},
             {"threshold", JsonStrings({std::string(page_.threshold_name),
                                        page_.threshold})},
             {"facts", absl::StrCat("[", facts, "]")},
             {"total", total},
             {"centers", page_.centers.empty() ? "false" : "true"},
             {"interval", absl::StrCat(page_.interval)}}),
        write_);
  }

  const DocumentsPage& page_;
  const std::vector<ClusterDescription>& clusters_;
  const ListedDocuments listed_;
  Words words_;
  PageSink write_;
};

}  // namespace

absl::Status WriteDocumentsPage(const DocumentsPage& page, PageSink write) {
  RETURN_IF_ERROR(Check(page));
  std::string data;
  DocumentsPage fitting = page;
  while (true) {
    Writer(fitting, [&data](absl::string_view text) {
      absl::StrAppend(&data, text);
    }).WriteData();
    const auto size = static_cast<int64_t>(data.size());
    if (size <= page.max_bytes || fitting.max_documents == 1) break;
    // What is listed decides the size. A little less than the share that fits.
    fitting.max_documents = std::max<int32_t>(
        1, static_cast<int32_t>(fitting.max_documents * (0.9 * page.max_bytes) /
                                size));
    data.clear();
  }
  WriteHtmlPage(
      {.title = page.title,
       .kind = "clusters",
       .style = ReportPageStyle(),
       .body = DocumentsPageBody(),
       .script = DocumentsPageScript()},
      [&] { write(data); }, write);
  return absl::OkStatus();
}

}  // namespace warpclust
