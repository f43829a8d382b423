// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/online_suggest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "algorithms/online/online_suggestion.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/text/json_text.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/run_report.h"

namespace warpclust {
namespace {

constexpr int64_t kFirstDocuments = 2048;

std::vector<JsonField> Fields(const OnlineCandidate& candidate) {
  return {{"threshold", FormatDecimal(candidate.threshold)},
          {"terms", absl::StrCat(candidate.terms)},
          {"clusters", absl::StrCat(candidate.clusters)},
          {"expected_fbcubed", absl::StrFormat("%.6f", candidate.expected.f)}};
}

std::string Table(const std::vector<OnlineCandidate>& candidates) {
  std::string text = "threshold\tterms\tclusters\texpected_fbcubed\n";
  for (const OnlineCandidate& candidate : candidates) {
    char separator = '\0';
    for (const JsonField& field : Fields(candidate)) {
      if (separator != '\0') text += separator;
      text += field.json;
      separator = '\t';
    }
    text += '\n';
  }
  return text;
}

std::string Json(const std::vector<OnlineCandidate>& candidates) {
  std::string text;
  for (const OnlineCandidate& candidate : candidates) {
    absl::StrAppend(&text, text.empty() ? "" : ",\n",
                    JsonObject(Fields(candidate)));
  }
  return absl::StrCat("{\"suggest\":[\n", text, "\n]}\n");
}

}  // namespace

absl::Status Suggest(const OnlineOptions& options,
                     const std::function<bool()>& stop, DocumentStream* input,
                     OnlinePipeline* pipeline, TextWriter* writer,
                     ToolRun& run) {
  OnlinePipeline::Prepared first;
  {
    ToolRun::Timer timer(&run, "read");
    DocumentStream::Limits limits;
    limits.documents = kFirstDocuments;
    limits.fill = true;
    ASSIGN_OR_RETURN(DocumentBlock block, input->Read(limits, stop));
    ASSIGN_OR_RETURN(first, pipeline->Prepare(&block));
  }
  run.report.n = first.documents.num_documents();
  OnlineSuggestion suggestion;
  {
    ToolRun::Timer timer(&run, "compute");
    ASSIGN_OR_RETURN(suggestion,
                     SuggestOnline(first.documents, first.times, options,
                                   {{Weighting::kTf, Weighting::kTfIdf}}));
  }
  const std::string setting =
      absl::StrCat("--threshold=", FormatDecimal(suggestion.threshold),
                   " --terms=", suggestion.terms);
  std::vector<OnlineCandidate>& candidates = suggestion.candidates;
  std::string why =
      candidates.empty()
          ? "by default: too few documents, or none more similar than by "
            "chance"
          : absl::StrFormat(
                "has the highest expected FBCubed, %.3f, of %d settings on the "
                "first %s",
                suggestion.expected.f, candidates.size(),
                Counted(*run.report.n, {"document", "documents"}));
  run.Note(absl::StrCat("--suggest: ", setting, " ", why));
  run.report.extra = {{"suggested", JsonQuote(setting)},
                      {"suggested_why", JsonQuote(why)}};
  // Of equal ones, the earlier: the first is the suggestion.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const OnlineCandidate& a, const OnlineCandidate& b) {
                     return a.expected.f > b.expected.f;
                   });
  writer->Write(run.options.format == "json" ? Json(candidates)
                                             : Table(candidates));
  return writer->Close();
}

}  // namespace warpclust
