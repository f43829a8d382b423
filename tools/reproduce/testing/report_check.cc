// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/reproduce/testing/report_check.h"

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/text/json_reader.h"

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

// Takes a value of the type.
bool TakeValue(Type type, JsonValue& value, std::string* text,
               absl::string_view expected) {
  using Kind = JsonValue::Kind;
  const Kind kind = value.kind();
  const bool may_be_null =
      type == Type::kTextOrNull || type == Type::kNumberOrNull;
  if (may_be_null && kind == Kind::kNull) return value.Skip();
  switch (type) {
    case Type::kText:
    case Type::kTextOrNull:
      return value.String(text, expected);
    case Type::kNumber:
    case Type::kNumberOrNull:
      return value.Number(nullptr, expected);
    case Type::kBool:
      return kind == Kind::kBool ? value.Skip() : value.Fail(expected);
  }
  return false;
}

// Takes the members of an object, in the order of `fields`.
class FieldTaker {
 public:
  explicit FieldTaker(const Fields& fields) : fields_(fields) {}

  bool Take(absl::string_view key, JsonValue& value) {
    const auto& [name, type] = fields_[texts_.size()];
    const std::string expected =
        absl::StrCat("the field ", name, " and its value");
    texts_.emplace_back();
    if (key != name) return value.Fail(expected);
    return TakeValue(type, value, &texts_.back(), expected);
  }

  bool done() const { return texts_.size() == fields_.size(); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  const Fields& fields_;
  std::vector<std::string> texts_;
};

// An array of objects of these fields.
bool TakeArray(const Fields& fields, JsonValue& array, bool is_rows) {
  return array.ForEachElement([&](JsonValue& object) {
    FieldTaker taker(fields);
    if (!object.ForEachMember([&](absl::string_view key, JsonValue& value) {
          if (taker.done()) return value.Fail("no further field");
          return taker.Take(key, value);
        })) {
      return false;
    }
    if (!taker.done()) return object.Fail("all fields in this object");
    // exhibit, row, column and command.
    for (const size_t f : {0, 2, 3, 9}) {
      if (is_rows && taker.texts()[f].empty()) {
        return object.Fail(absl::StrCat("a text in ", fields[f].first));
      }
    }
    return true;
  });
}

}  // namespace

absl::Status CheckReportJson(absl::string_view text) {
  const Fields head = {{"tool", Type::kText},      {"version", Type::kText},
                       {"paper", Type::kText},     {"citation", Type::kText},
                       {"quick", Type::kBool},     {"device", Type::kText},
                       {"threads", Type::kNumber}, {"seed", Type::kNumber}};
  const std::pair<absl::string_view, const Fields*> arrays[] = {
      {"exhibits", &ExhibitFields()},
      {"files", &FileFields()},
      {"rows", &RowFields()}};
  FieldTaker taker(head);
  size_t array = 0;
  const absl::optional<JsonError> error =
      ReadJsonObject(text, [&](absl::string_view key, JsonValue& value) {
        if (!taker.done()) return taker.Take(key, value);
        if (array == std::size(arrays)) return value.Fail("no further field");
        const auto& [name, fields] = arrays[array++];
        if (key != name) return value.Fail(absl::StrCat("the array ", name));
        return TakeArray(*fields, value, name == "rows");
      });
  if (error.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("line ", error->line + 1, ": expected ", error->expected,
                     ", found ", error->found));
  }
  if (array < std::size(arrays)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected the array ", arrays[array].first));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
