// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads any bytes as JSON Lines. The result keeps the promises of TextDocuments
// and is read back from minimal JSON with the same values.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/io/lines/line_reader.h"
#include "base/text/utf8.h"
#include "sparse/io/json_lines.h"
#include "sparse/io/text_documents.h"

namespace {

std::string Quoted(absl::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      absl::StrAppend(&json, "\\u00");
      json.push_back(kHex[byte >> 4]);
      json.push_back(kHex[byte & 15]);
    } else {
      json.push_back(c);
    }
  }
  json.push_back('"');
  return json;
}

bool KeepsPromises(const warpclust::TextDocuments& documents) {
  const size_t size = documents.texts.size();
  if (documents.ids.size() != size || documents.labels.size() != size) {
    return false;
  }
  for (const std::string& text : documents.texts) {
    if (!warpclust::IsValidUtf8(text)) return false;
  }
  for (const std::string& id : documents.ids) {
    if (id.empty() || !warpclust::IsValidUtf8(id)) return false;
    for (char c : id) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
    }
  }
  if (std::set<std::string>(documents.ids.begin(), documents.ids.end())
          .size() != size) {
    return false;
  }
  for (const auto& labels : documents.labels) {
    if (std::set<std::string>(labels.begin(), labels.end()).size() !=
        labels.size()) {
      return false;
    }
    for (const std::string& label : labels) {
      if (!warpclust::IsValidUtf8(label)) return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpclust::JsonLinesOptions options;
  options.text_required = size % 2 == 0;
  options.read_time = size % 4 < 2;
  warpclust::LineReader lines = warpclust::LineReader::FromString(
      std::string(reinterpret_cast<const char*>(data), size));
  const absl::StatusOr<warpclust::TextDocuments> read =
      warpclust::ReadJsonLines(lines, options);
  if (!read.ok()) return 0;
  if (!KeepsPromises(*read)) std::abort();

  std::string json;
  for (size_t d = 0; d < read->texts.size(); ++d) {
    absl::StrAppend(&json, "{\"labels\":[");
    for (size_t i = 0; i < read->labels[d].size(); ++i) {
      absl::StrAppend(&json, i == 0 ? "" : ",", Quoted(read->labels[d][i]));
    }
    absl::StrAppend(&json, "],\"id\":", Quoted(read->ids[d]),
                    ",\"text\":", Quoted(read->texts[d]), "}\n");
  }
  warpclust::LineReader again = warpclust::LineReader::FromString(json);
  const absl::StatusOr<warpclust::TextDocuments> reread =
      warpclust::ReadJsonLines(again);
  if (!reread.ok()) std::abort();
  if (reread->texts != read->texts || reread->ids != read->ids ||
      reread->labels != read->labels) {
    std::abort();
  }
  return 0;
}
