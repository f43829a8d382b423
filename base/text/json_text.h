// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON text (RFC 8259) of values, for writers. json_reader.h reads.
//
//   JsonObject({{"name", JsonQuote(name)}, {"seconds", JsonDouble(0.25)}})
//
// returns `{"name":"a \"quoted\" name","seconds":0.25}`.

#ifndef WARPCLUST_BASE_TEXT_JSON_TEXT_H_
#define WARPCLUST_BASE_TEXT_JSON_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace warpclust {

// Appends `text` as a JSON string, quotes included. Ill-formed UTF-8 becomes
// U+FFFD (base/text/utf8.h).
void AppendJsonString(absl::string_view text, std::string* json);

// The same, returned.
std::string JsonQuote(absl::string_view text);

// The shortest decimal that reads back as the same double; null for NaN and
// infinities, which JSON does not have.
std::string JsonDouble(double value);

// A member of an object. `json` is the text of its value.
struct JsonField {
  std::string name;
  std::string json;
};

// The fields in their order, on one line without blanks.
std::string JsonObject(absl::Span<const JsonField> fields);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TEXT_JSON_TEXT_H_
