// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/io/collect_texts.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

// Fewer documents are not worth a thread.
constexpr int64_t kDocumentsPerThread = 512;

int64_t NumDocuments(const std::vector<TextPart>& parts) {
  int64_t count = 0;
  for (const TextPart& part : parts) {
    count += static_cast<int64_t>(part.documents.ids.size());
  }
  return count;
}

// Each thread looks at the ids of its own share of the hashes.
bool AllDiffer(const std::vector<TextPart>& parts, int threads) {
  const int64_t num_ids = NumDocuments(parts);
  const auto num_parts = static_cast<int64_t>(parts.size());
  std::vector<std::vector<uint32_t>> hashes(parts.size());
  std::atomic<bool> differ{true};
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic, 1)
    for (int64_t p = 0; p < num_parts; ++p) {
      std::vector<uint32_t> found;
      for (const std::string& id : parts[p].documents.ids) {
        // The high bits: a set uses the others.
        found.push_back(absl::Hash<absl::string_view>()(id) >> 32);
      }
      hashes[p] = std::move(found);
    }
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
      absl::flat_hash_set<absl::string_view> seen;
      seen.reserve(num_ids / threads);
      for (int64_t p = 0; p < num_parts; ++p) {
        for (size_t d = 0; d < hashes[p].size(); ++d) {
          const int share =
              static_cast<int>(uint64_t{hashes[p][d]} * threads >> 32);
          if (share == t && !seen.insert(parts[p].documents.ids[d]).second) {
            differ.store(false, std::memory_order_relaxed);
          }
        }
      }
    }
  }
  return differ.load();
}

}  // namespace

absl::Status TextCollector::Add(TextPart part) {
  const bool must_stop =
      !part.status.ok() || (!part.bad.empty() && !options_.skip);
  in_order_ = in_order_ || must_stop || !part.bad.empty();
  parts_.push_back(std::move(part));
  return in_order_ ? AddAllInOrder() : absl::OkStatus();
}

absl::Status TextCollector::AddAllInOrder() {
  for (TextPart& part : parts_) RETURN_IF_ERROR(AddInOrder(std::move(part)));
  parts_.clear();
  return absl::OkStatus();
}

absl::Status TextCollector::AddInOrder(TextPart part) {
  TextDocuments& documents = part.documents;
  documents.titles.resize(documents.ids.size());
  documents.labels.resize(documents.ids.size());
  const auto refuse = [&](int64_t line, const absl::Status& status) {
    if (!options_.skip || !absl::IsInvalidArgument(status)) return status;
    options_.skip(line, status);
    return absl::OkStatus();
  };
  size_t next_bad = 0;
  for (size_t d = 0; d <= documents.ids.size(); ++d) {
    for (;
         next_bad < part.bad.size() && part.bad[next_bad].documents_before == d;
         ++next_bad) {
      RETURN_IF_ERROR(
          refuse(part.bad[next_bad].line, part.bad[next_bad].status));
    }
    if (d == documents.ids.size()) break;
    const absl::Status status =
        Append(part.lines[d].last, std::move(documents.ids[d]),
               &documents.texts[d], &documents.labels[d], &documents.titles[d]);
    if (!status.ok()) RETURN_IF_ERROR(refuse(part.lines[d].first, status));
  }
  return part.status;
}

absl::Status TextCollector::Append(int64_t line, std::string id,
                                   std::string* text,
                                   std::vector<std::string>* labels,
                                   std::string* title) {
  if (id.empty() && options_.number_documents) {
    id = absl::StrCat(documents_.ids.size());
  }
  if (!id.empty()) RETURN_IF_ERROR(unique_.Add(options_.name, line, id));
  documents_.ids.push_back(std::move(id));
  documents_.texts.push_back(std::move(*text));
  if (options_.labels) documents_.labels.push_back(std::move(*labels));
  if (options_.titles) documents_.titles.push_back(std::move(*title));
  return absl::OkStatus();
}

bool TextCollector::MayBeJoined() const {
  const int64_t num_documents = NumDocuments(parts_);
  if (num_documents > INT32_MAX) return false;
  const auto num_parts = static_cast<int64_t>(parts_.size());
  const int threads =
      ThreadsFor(num_documents, kDocumentsPerThread, options_.num_threads);
  int64_t without_id = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : without_id)
  for (int64_t p = 0; p < num_parts; ++p) {
    for (const std::string& id : parts_[p].documents.ids) {
      without_id += id.empty() ? 1 : 0;
    }
  }
  // A number may be the id of another document.
  if (without_id > 0) return without_id == num_documents;
  return AllDiffer(parts_, threads);
}

TextDocuments TextCollector::Join() {
  const auto num_parts = static_cast<int64_t>(parts_.size());
  std::vector<int64_t> begins = {0};
  for (const TextPart& part : parts_) {
    begins.push_back(begins.back() +
                     static_cast<int64_t>(part.documents.ids.size()));
  }
  const int64_t num_documents = begins.back();
  TextDocuments result;
  result.texts.resize(num_documents);
  result.ids.resize(num_documents);
  if (options_.labels) result.labels.resize(num_documents);
  if (options_.titles) result.titles.resize(num_documents);
  const int threads =
      ThreadsFor(num_documents, kDocumentsPerThread, options_.num_threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t p = 0; p < num_parts; ++p) {
    TextPart part = std::move(parts_[p]);
    TextDocuments& documents = part.documents;
    for (int64_t d = begins[p]; d < begins[p + 1]; ++d) {
      std::string& id = documents.ids[d - begins[p]];
      if (id.empty() && options_.number_documents) id = absl::StrCat(d);
    }
    const auto move = [&](auto* from, auto* to) {
      std::move(from->begin(), from->end(), to->begin() + begins[p]);
    };
    move(&documents.texts, &result.texts);
    move(&documents.ids, &result.ids);
    if (options_.labels) move(&documents.labels, &result.labels);
    if (options_.titles) move(&documents.titles, &result.titles);
  }
  parts_.clear();
  return result;
}

absl::StatusOr<TextDocuments> TextCollector::Finish(const absl::Status& end) {
  if (!in_order_) {
    if (end.ok() && MayBeJoined()) return Join();
    RETURN_IF_ERROR(AddAllInOrder());
  }
  RETURN_IF_ERROR(end);
  return std::move(documents_);
}

}  // namespace warpclust
