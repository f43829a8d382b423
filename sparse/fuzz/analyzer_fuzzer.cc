// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as lines of text and takes their words. All words are
// well-formed UTF-8; they are the same whether ill-formed parts are repaired
// before or separate words; and each word, as a text, has only itself as a
// word. The first byte chooses the options.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/text/utf8.h"
#include "sparse/io/text_documents.h"
#include "sparse/io/text_lines.h"
#include "sparse/text/analyzer.h"

namespace {

std::vector<std::string> Words(warpclust::Analyzer& analyzer,
                               absl::string_view text) {
  std::vector<std::string> words;
  analyzer.ForEachWord(
      text, [&](absl::string_view word) { words.emplace_back(word); });
  return words;
}

void CheckLines(const std::string& text) {
  warpclust::LineReader lines = warpclust::LineReader::FromString(text);
  const absl::StatusOr<warpclust::TextDocuments> read =
      warpclust::ReadTextLines(lines);
  if (!read.ok()) return;  // Corrupt gzip.
  if (read->ids.size() != read->texts.size() ||
      read->labels.size() != read->texts.size()) {
    std::abort();
  }
  for (const std::string& line : read->texts) {
    if (!warpclust::IsValidUtf8(line)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  constexpr const char* kStemmers[] = {"english", "",       "german", "russian",
                                       "turkish", "french", "arabic", "greek"};
  warpclust::AnalyzerOptions options;
  options.min_letters = 1 + data[0] % 4;
  options.digits = (data[0] & 4) != 0;
  options.stop_words = (data[0] & 8) != 0;
  options.stemmer = kStemmers[data[0] >> 5];
  absl::StatusOr<warpclust::Analyzer> analyzer =
      warpclust::Analyzer::Create(options);
  if (!analyzer.ok()) std::abort();

  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  CheckLines(text);
  const std::vector<std::string> words = Words(*analyzer, text);
  std::string repaired = text;
  warpclust::RepairUtf8(&repaired);
  if (!warpclust::IsValidUtf8(repaired)) std::abort();
  if (Words(*analyzer, repaired) != words) std::abort();
  for (const std::string& word : words) {
    if (!warpclust::IsValidUtf8(word)) std::abort();
    if (Words(*analyzer, word) != std::vector<std::string>{word}) std::abort();
    const std::string term(analyzer->TermOf(word));
    if (!warpclust::IsValidUtf8(term)) std::abort();
    if (!term.empty() && !analyzer->MayBeTerm(term)) std::abort();
  }
  return 0;
}
