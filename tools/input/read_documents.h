// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadDocuments: reads the documents of a tool: finds the format, reads, counts
// the terms of texts, weighs.
//
//   ASSIGN_OR_RETURN(const Input input, FindInput(run, false));
//   ASSIGN_OR_RETURN(InputDocuments read,
//                    ReadDocuments(input, options, flags));

#ifndef WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_
#define WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/io/row_watch.h"
#include "base/machine/work_share.h"
#include "sparse/io/json_lines.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "sparse/weighting/weighting.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/csv_documents.h"
#include "tools/input/input_format.h"
#include "tools/input/json_flags.h"
#include "tools/input/text_flags.h"

namespace warpclust {

// The flags for documents, as given. AddDocumentFlags binds them.
struct DocumentOptions {
  std::string weighting = "tf";
  TextOptions text;
  CsvColumns csv;
  JsonFlags json;
  int64_t max_terms = 0;
  std::string ids;
  // No flag: fill InputDocuments::words and titles.
  bool describe = false;
  // No flag: fill InputDocuments::labels of texts.
  bool labels = false;
  // No flag: unless null, chooses the weighting, given the documents before
  // they are weighted, instead of `weighting`.
  std::function<absl::StatusOr<Weighting>(const DocumentMatrix&)> choose;
};

// --weighting, --stop_words, --stem, --language, --max_terms, --ids,
// --text_column, --id_column and those of json_flags.h.
void AddDocumentFlags(FlagSet* flags, DocumentOptions* options);

// --input and its format, or the bundled example, which a note names.
struct Input {
  std::string path;
  InputFormat format = InputFormat::kJsonLines;
  FormatNote note = {};             // Takes how the input is read.
  WorkShare* work = nullptr;        // Follows reading and counting.
  RowWatch<float> watch = nullptr;  // Told the rows of embeddings.
  int num_threads = 0;              // To read with.
  // Whether svmlight and MatrixMarket may have negative weights.
  bool allow_negative = false;
};
absl::StatusOr<Input> FindInput(const ToolRun& run, bool edges_allowed);

struct InputDocuments {
  // Weighted, with the heaviest terms if --max_terms was given.
  DocumentMatrix documents;
  bool has_negative_weights = false;
  // One per document: its name in results.
  std::vector<std::string> ids;
  // If they are wanted, and of vectors: one list per document, empty if the
  // input has none.
  std::vector<std::vector<std::string>> labels;
  // Of texts: the terms, and in how many documents each occurs.
  absl::optional<Vocabulary> vocabulary;
  std::vector<int32_t> frequencies;
  // If they are wanted. Of texts, the word to show for each column
  // (sparse/text/full_words.h). One title per document: its field or column
  // `title`, its first words, or its name.
  std::vector<std::string> words;
  std::vector<std::string> titles;
  // What --skip_bad_lines left out.
  SkippedLines skipped;
};

// Reads `input`, which is not a graph. Documents with negative weights have
// them as they are; a UsageError if they were to be weighted. Errors name file
// and line. UsageError if `flags` have a document flag that has no effect: one
// for texts when the input is vectors, for CSV when it is not, or --language
// without a stemmer.
absl::StatusOr<InputDocuments> ReadDocuments(const Input& input,
                                             const DocumentOptions& options,
                                             const FlagSet& flags = FlagSet());

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_
