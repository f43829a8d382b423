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
                                    std::string* lines,
                                    std::vector<int32_t>* clusters) {
  std::vector<int32_t> decided(prepared.ids.size());
  const int64_t before = clusterer_.num_documents();
  const absl::Status status =
      is_dense_ ? clusterer_.Add(prepared.rows, prepared.times,
                                 absl::MakeSpan(decided))
                : clusterer_.Add(prepared.vectors, prepared.times,
                                 absl::MakeSpan(decided));
  // After an error, only some are decided.
  decided.resize(clusterer_.num_documents() - before);
  const absl::Span<const OnlineMerge> merges = clusterer_.merges();
  for (size_t d = 0; d < decided.size(); ++d) {
    char rest[16] = {'\t'};
    char* const end = std::to_chars(rest + 1, std::end(rest), decided[d]).ptr;
    *end = '\n';
    lines->append(prepared.ids[d]).append(rest, end + 1 - rest);
    const int64_t number = before + static_cast<int64_t>(d) + 1;
    for (; merges_written_ < merges.size() &&
           merges[merges_written_].num_documents == number;
         ++merges_written_) {
      absl::StrAppend(lines, "#merged\t", merges[merges_written_].from, "\t",
                      merges[merges_written_].into, "\n");
    }
  }
  if (clusters != nullptr) {
    clusters->insert(clusters->end(), decided.begin(), decided.end());
  }
  return status;
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
