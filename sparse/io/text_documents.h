// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextDocuments: texts with their ids and labels, as readers return them.

#ifndef WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_
#define WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_

#include <string>
#include <vector>

namespace warpclust {

struct TextDocuments {
  // Well-formed UTF-8 (readers replace ill-formed parts by U+FFFD); may be
  // empty.
  std::vector<std::string> texts;
  // One per text: unique, not empty, without control characters.
  std::vector<std::string> ids;
  // One list per text; empty if the source gives none.
  std::vector<std::vector<std::string>> labels;
  // One per text, empty for a text without; empty unless titles are read.
  std::vector<std::string> titles;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_
