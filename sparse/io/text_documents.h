// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TextDocuments: texts as a file has them, with their names and labels.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_
#define WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_

#include <string>
#include <vector>

namespace warpclust {

struct TextDocuments {
  // Well-formed UTF-8: readers replace ill-formed parts by U+FFFD. May be
  // empty.
  std::vector<std::string> texts;
  // One a text, unique, not empty, without control characters: what results
  // call it.
  std::vector<std::string> ids;
  // One list a text, empty where the source gives none.
  std::vector<std::vector<std::string>> labels;
};

}  // namespace warpclust

#endif  // WARPCLUST_SPARSE_IO_TEXT_DOCUMENTS_H_
