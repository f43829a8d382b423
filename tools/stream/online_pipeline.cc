// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_pipeline.h"

#include <charconv>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<OnlinePipeline::Prepared> OnlinePipeline::Prepare(
    DocumentBlock* block) {
  Prepared prepared;
  prepared.ids = std::move(block->ids);
  prepared.times = std::move(block->times);
  for (std::string& id : prepared.ids) {
    if (id.empty()) id = absl::StrCat(num_prepared_);
    ++num_prepared_;
  }
  if (is_dense_) {
    prepared.rows = std::move(block->rows);
    const int32_t found = prepared.rows.num_dimensions;
    if (num_dimensions_ == 0) num_dimensions_ = found;
    if (prepared.rows.num_rows > 0 && found != num_dimensions_) {
      return absl::InvalidArgumentError(absl::StrCat(
          input_name_, ": expected embeddings of ", num_dimensions_,
          " numbers, as those before, found ", found));
    }
    return prepared;
  }
  ASSIGN_OR_RETURN(prepared.documents, vectorizer_.Vectorize(block));
  RETURN_IF_ERROR(ValidateDocuments(prepared.documents, num_threads_));
  ASSIGN_OR_RETURN(prepared.vectors,
                   MakeUnitVectors(prepared.documents,
                                   clusterer_.options().terms, num_threads_));
  return prepared;
}

absl::Status OnlinePipeline::Decide(const Prepared& prepared,
                                    Decided* decided) {
  std::vector<int32_t>& clusters = decided->clusters;
  clusters.resize(prepared.ids.size());
  decided->documents_before = clusterer_.num_documents();
  const absl::Status status =
      is_dense_ ? clusterer_.Add(prepared.rows, prepared.times,
                                 absl::MakeSpan(clusters))
                : clusterer_.AddMade(prepared.vectors, prepared.times,
                                     absl::MakeSpan(clusters));
  // After an error, only some are decided.
  clusters.resize(clusterer_.num_documents() - decided->documents_before);
  const absl::Span<const OnlineMerge> merges =
      clusterer_.merges().subspan(num_merges_);
  decided->merges.assign(merges.begin(), merges.end());
  num_merges_ += merges.size();
  return status;
}

std::string OnlinePipeline::Lines(const std::vector<std::string>& ids,
                                  const Decided& decided) {
  std::string lines;
  auto merge = decided.merges.begin();
  for (size_t d = 0; d < decided.clusters.size(); ++d) {
    char rest[16] = {'\t'};
    char* const end =
        std::to_chars(rest + 1, std::end(rest), decided.clusters[d]).ptr;
    *end = '\n';
    lines.append(ids[d]).append(rest, end + 1 - rest);
    const int64_t number =
        decided.documents_before + static_cast<int64_t>(d) + 1;
    for (; merge != decided.merges.end() && merge->num_documents == number;
         ++merge) {
      absl::StrAppend(&lines, "#merged\t", merge->from, "\t", merge->into,
                      "\n");
    }
  }
  return lines;
}

absl::Status OnlinePipeline::Fill(OnlineSnapshot* snapshot) {
  ASSIGN_OR_RETURN(OnlineState state, clusterer_.State());
  snapshot->clusters = std::move(state);
  const StreamVectorizer::Knowledge& knowledge = vectorizer_.knowledge();
  snapshot->vocabulary = Vocabulary();
  for (int32_t term = 0; term < knowledge.vocabulary.size(); ++term) {
    snapshot->vocabulary.Add(knowledge.vocabulary.Term(term));
  }
  snapshot->frequencies = knowledge.frequencies;
  return absl::OkStatus();
}

}  // namespace warpclust
