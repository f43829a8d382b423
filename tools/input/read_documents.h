// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReadDocuments: what every tool that takes documents does between its flags
// and its library call: find the format, read, vectorize texts, weigh.
//
// Thread-safety: one thread at a time. Determinism: a function of the bytes
// read and the options.

#ifndef WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_
#define WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "sparse/matrix/document_matrix.h"
#include "sparse/text/vocabulary.h"
#include "tools/cli/cli.h"
#include "tools/cli/flag_set.h"
#include "tools/input/input_format.h"

namespace warpclust {

// The flags of documents as given; AddDocumentFlags binds them.
struct DocumentOptions {
  std::string weighting = "tf";
  bool stop_words = true;
  bool stem = true;
  std::string language = "english";
  int64_t max_terms = 0;
  std::string ids;
};

// --weighting, --stop_words, --stem, --language, --max_terms, --ids.
void AddDocumentFlags(FlagSet* flags, DocumentOptions* options);

struct InputDocuments {
  // Weighted, and cut to the heaviest terms if asked for.
  DocumentMatrix documents;
  // One a document: what results call it.
  std::vector<std::string> ids;
  // One list a document, empty where the input gives none.
  std::vector<std::vector<std::string>> labels;
  // The terms, if the input was text, and how many documents have each.
  absl::optional<Vocabulary> vocabulary;
  std::vector<int32_t> frequencies;
};

// The path to read, and its format: --input and --input_format, or the bundled
// example, which a note on standard error names.
struct Input {
  std::string path;
  InputFormat format = InputFormat::kJsonLines;
};
absl::StatusOr<Input> FindInput(const ToolRun& run, bool edges_allowed);

// UsageError if a document flag was given that would not be heeded: one of
// texts where the input is vectors, --language without a stemmer.
absl::Status CheckDocumentFlags(const FlagSet& flags,
                                const DocumentOptions& options,
                                InputFormat format);

// Reads `input`, which is not edges. Errors name file and line.
absl::StatusOr<InputDocuments> ReadDocuments(const Input& input,
                                             const DocumentOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_READ_DOCUMENTS_H_
