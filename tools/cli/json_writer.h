// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: writes one JSON value (RFC 8259) piece by piece, so that output
// of any size streams. Commas, colons and escapes are its business; the caller
// opens and closes objects in a legal order. Arrays are long here, and written
// by who knows their elements (graph/io/cover_io.h).
//
//   JsonWriter json(&sink);
//   json.BeginObject();
//   json.Key("member");
//   json.String("a \"quoted\" id");
//   json.EndObject();       // {"member":"a \"quoted\" id"}
//
// Thread-safety: none. Determinism: the same calls give the same bytes.

#ifndef WARPCLUST_TOOLS_CLI_JSON_WRITER_H_
#define WARPCLUST_TOOLS_CLI_JSON_WRITER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "tools/cli/text_sink.h"

namespace warpclust {

class JsonWriter {
 public:
  // `sink` must outlive the writer. `in_lines` gives every member of the outer
  // object a line of its own, for people to read.
  explicit JsonWriter(TextSink* sink, bool in_lines = false)
      : sink_(sink), in_lines_(in_lines) {}

  void BeginObject();
  void EndObject();
  // A member's name; the next call writes its value.
  void Key(absl::string_view name);

  // Bytes that are not UTF-8 become U+FFFD, since JSON has no way to hold them.
  void String(absl::string_view value);
  void Int(int64_t value);
  // The shortest decimal that reads back as the same double. JSON has no NaN
  // and no infinities: they are written as null.
  void Double(double value);
  void Null();
  // `token` is already JSON (a number as its user wrote it).
  void Raw(absl::string_view token);

 private:
  void BeforeValue();

  TextSink* const sink_;
  const bool in_lines_;
  int depth_ = 0;
  bool needs_comma_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_CLI_JSON_WRITER_H_
