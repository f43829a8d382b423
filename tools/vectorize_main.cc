// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// vectorize: texts to document vectors in the svmlight format.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "base/io/text_writer.h"
#include "base/status/status_macros.h"
#include "sparse/io/svmlight.h"
#include "sparse/text/term_frequencies.h"
#include "sparse/text/vocabulary.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/json_flags.h"
#include "tools/input/read_documents.h"

namespace warpclust {
namespace {

struct Options {
  DocumentOptions documents;
  std::string vocabulary;
  bool frequencies = false;
  std::string write_ids;
};

// A svmlight label is one word. Characters that it cannot have become '_'.
std::string SvmlightLabel(std::string label) {
  for (char& c : label) {
    if (absl::ascii_isspace(c) || absl::ascii_iscntrl(c) || c == ':' ||
        c == ',' || c == '#') {
      c = '_';
    }
  }
  return label.empty() ? "_" : label;
}

// An output that cannot be written is not bad input.
absl::Status OutputStatus(const absl::Status& status) {
  return status.ok() ? status : absl::UnavailableError(status.message());
}

absl::Status Vectorize(const Options& options, const FlagSet& flags,
                       ToolRun& run) {
  InputDocuments input;
  {
    ToolRun::Timer timer(&run, "read");
    ASSIGN_OR_RETURN(const Input found,
                     FindInput(run, /*edges_allowed=*/false));
    ASSIGN_OR_RETURN(input, ReadDocuments(found, options.documents, flags));
    NoteSkippedLines(input.skipped, run);
  }
  run.report.n = input.documents.num_documents();
  if (!options.vocabulary.empty() && !input.vocabulary.has_value()) {
    return UsageError("--vocabulary: the input is vectors and has no words");
  }
  if (options.frequencies && options.vocabulary.empty()) {
    return UsageError("--frequencies needs --vocabulary");
  }
  ToolRun::Timer timer(&run, "write");
  // The vocabulary and the names are written first: the reader of a pipe may
  // need them when the vectors arrive.
  if (!options.vocabulary.empty()) {
    RETURN_IF_ERROR(OutputStatus(
        options.frequencies
            ? WriteTermFrequencies(*input.vocabulary, input.frequencies,
                                   input.documents.num_documents(),
                                   options.vocabulary)
            : WriteVocabulary(*input.vocabulary, options.vocabulary)));
  }
  if (!options.write_ids.empty()) {
    ASSIGN_OR_RETURN(TextWriter ids, ToolRun::OpenOutput(options.write_ids));
    for (const std::string& id : input.ids) {
      ids.Write(id);
      ids.Write("\n");
    }
    RETURN_IF_ERROR(ids.Close());
  }
  for (std::vector<std::string>& labels : input.labels) {
    for (std::string& label : labels) label = SvmlightLabel(std::move(label));
  }
  return OutputStatus(
      WriteSvmLight(input.documents, input.labels, run.options.output));
}

}  // namespace
}  // namespace warpclust

int main(int argc, char** argv) {
  warpclust::Tool tool({
      .name = "vectorize",
      .summary = "document vectors from texts",
      .usage = "[--input=PATH|-] [flags]",
      .description =
          "Counts the terms of every document. Writes one line per document "
          "in the svmlight format: its labels (0 if there are none), then "
          "term:weight pairs. Terms are numbered from 1 in alphabetical order; "
          "--vocabulary lists them. Blanks, commas, colons and # in labels "
          "become _.\n\n"
          "Reads JSON Lines with \"text\" (and \"id\", \"labels\"), CSV, plain "
          "lines, a directory of .txt files, or vectors to weigh again.",
      .examples = {"vectorize --input=news.jsonl.gz --vocabulary=terms.txt > "
                   "news.svm",
                   "vectorize --input=texts/ --weighting=tfidf > texts.svm",
                   "vectorize --write_ids=ids | oclustr --input=- --ids=ids"},
      .opens_output = true,
  });
  warpclust::Options options;
  options.documents.labels = true;
  tool.AddInputFlags({"auto", "jsonl", "lines", "csv", "directory", "svmlight",
                      "matrixmarket"});
  warpclust::AddDocumentFlags(&tool.flags(), &options.documents);
  tool.AddOutputFlags({});
  tool.flags().AddWritePath("vocabulary", &options.vocabulary, "PATH",
                            "Also write the terms, one per line, in order.");
  tool.flags().AddBool("frequencies", &options.frequencies,
                       "Write --vocabulary as `term<TAB>documents with it`, "
                       "and a last line `#documents<TAB>number`.");
  tool.flags().AddWritePath("write_ids", &options.write_ids, "PATH",
                            "Also write the names of the documents, one per "
                            "line, for --ids of other tools.");
  tool.AddRunFlags();
  return tool.Run(argc, argv, [&](warpclust::ToolRun& run) {
    return warpclust::Vectorize(options, tool.flags(), run);
  });
}
