// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/testing/report_check.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/text/json_cursor.h"

namespace warpclust {
namespace {

enum class Type { kText, kTextOrNull, kNumber, kNumberOrNull, kBool };
using Fields = std::vector<std::pair<absl::string_view, Type>>;

const Fields& RowFields() {
  static const auto* const fields = new Fields{{"exhibit", Type::kText},
                                               {"part", Type::kText},
                                               {"row", Type::kText},
                                               {"column", Type::kText},
                                               {"paper", Type::kNumberOrNull},
                                               {"ours", Type::kNumberOrNull},
                                               {"unit", Type::kText},
                                               {"data_set", Type::kTextOrNull},
                                               {"stand_in", Type::kTextOrNull},
                                               {"command", Type::kText},
                                               {"device", Type::kTextOrNull},
                                               {"seconds", Type::kNumberOrNull},
                                               {"note", Type::kText}};
  return *fields;
}

const Fields& FileFields() {
  static const auto* const fields =
      new Fields{{"name", Type::kText},
                 {"source", Type::kText},
                 {"recipe", Type::kText},
                 {"sha256", Type::kText},
                 {"found_sha256", Type::kTextOrNull}};
  return *fields;
}

const Fields& ExhibitFields() {
  static const auto* const fields = new Fields{
      {"name", Type::kText}, {"title", Type::kText}, {"note", Type::kText}};
  return *fields;
}

// Takes a value of the type; false if it is another.
bool TakeValue(Type type, JsonCursor* json, std::string* text) {
  using Kind = JsonCursor::Kind;
  const Kind kind = json->Peek();
  const bool null = kind == Kind::kNull;
  bool right = false;
  switch (type) {
    case Type::kText:
    case Type::kTextOrNull:
      if (kind == Kind::kString) return json->String(text);
      right = null && type == Type::kTextOrNull;
      break;
    case Type::kNumber:
    case Type::kNumberOrNull:
      right = kind == Kind::kNumber || (null && type == Type::kNumberOrNull);
      break;
    case Type::kBool:
      right = kind == Kind::kTrue || kind == Kind::kFalse;
      break;
  }
  absl::string_view literal;
  return right && json->Literal(&literal);
}

bool TakeFields(const Fields& fields, JsonCursor* json,
                std::vector<std::string>* texts) {
  texts->clear();
  for (const auto& [name, type] : fields) {
    std::string key;
    std::string text;
    if (!json->NextMember(&key) || key != name || !TakeValue(type, json, &text))
      return json->Fail(absl::StrCat("the field ", name, " and its value"));
    texts->push_back(text);
  }
  return true;
}

// An array of objects of these fields.
bool TakeArray(absl::string_view name, const Fields& fields, JsonCursor* json,
               bool is_rows) {
  std::string key;
  if (!json->NextMember(&key) || key != name || !json->BeginArray()) {
    return json->Fail(absl::StrCat("the array ", name));
  }
  std::vector<std::string> texts;
  while (json->NextElement()) {
    if (!json->BeginObject() || !TakeFields(fields, json, &texts)) return false;
    if (json->NextMember(&key)) return json->Fail("no further field");
    // exhibit, row, column and command.
    for (const size_t f : {0, 2, 3, 9}) {
      if (is_rows && texts[f].empty()) {
        return json->Fail(absl::StrCat("a text in ", fields[f].first));
      }
    }
  }
  return json->ok();
}

}  // namespace

absl::Status CheckReportJson(absl::string_view text) {
  JsonCursor json(text);
  std::vector<std::string> texts;
  const Fields head = {{"tool", Type::kText},      {"version", Type::kText},
                       {"paper", Type::kText},     {"citation", Type::kText},
                       {"quick", Type::kBool},     {"device", Type::kText},
                       {"threads", Type::kNumber}, {"seed", Type::kNumber}};
  std::string key;
  if (json.BeginObject() && TakeFields(head, &json, &texts) &&
      TakeArray("exhibits", ExhibitFields(), &json, false) &&
      TakeArray("files", FileFields(), &json, false) &&
      TakeArray("rows", RowFields(), &json, true) && !json.NextMember(&key) &&
      json.End()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("line ", json.error_line() + 1, ": expected ",
                   json.expected(), ", found ", json.found().substr(0, 80)));
}

}  // namespace warpclust
