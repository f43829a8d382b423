// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_reader.h"

#define SIMDJSON_EXCEPTIONS 0  // It returns error codes.
#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/text/utf8.h"

namespace warpclust {
namespace internal {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr int kDeepest = 256;
// Texts up to this length leave their memory to the next one.
constexpr size_t kKeptBytes = size_t{1} << 20;
// What messages show of a text is shorter.
constexpr size_t kFoundBytes = 100;
constexpr absl::string_view kBlanks = " \t\r\n";

// The four hexadecimal digits of the escape "\uXXXX" at `escape`; 0 if it is
// none.
uint32_t Escaped(absl::string_view escape) {
  uint32_t unit = 0;
  if (escape.size() < 6 || !absl::StartsWith(escape, "\\u")) return 0;
  for (const char c : escape.substr(2, 4)) {
    if (!absl::ascii_isxdigit(c)) return 0;
    unit = unit * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return unit;
}

// Replaces the escapes of lone surrogates in `string` by "\ufffd".
void RepairSurrogates(char* string, size_t size) {
  const absl::string_view text(string, size);
  for (size_t i = text.find('\\'); i < size; i = text.find('\\', i)) {
    const uint32_t unit = Escaped(text.substr(i));
    if (unit < 0xD800 || unit >= 0xE000) {
      i += 2;
      continue;
    }
    const uint32_t low = Escaped(text.substr(i + 6));
    if (unit < 0xDC00 && low >= 0xDC00 && low < 0xE000) {
      i += 12;
      continue;
    }
    std::copy_n("fffd", 4, string + i + 2);
    i += 6;
  }
}

// Where the first control character in a string is, or else where the last
// string begins: of texts that have either, for simdjson does not tell.
size_t FindBadString(absl::string_view text) {
  bool in_string = false;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_string && static_cast<unsigned char>(text[i]) < 0x20) return i;
    if (text[i] == '\\') {
      // A backslash does not escape a control character.
      const absl::string_view next = text.substr(i + 1, 1);
      if (!next.empty() && !absl::ascii_iscntrl(next[0])) ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
      if (in_string) begin = i;
    }
  }
  return begin;
}

}  // namespace

// The texts of one thread, one after the other.
class JsonWalk {
 public:
  using TakeElement = absl::FunctionRef<bool(JsonValue&)>;
  using TakeMember = absl::FunctionRef<bool(absl::string_view, JsonValue&)>;

  absl::optional<JsonError> Read(absl::string_view text, TakeMember take,
                                 size_t columns_before) {
    text_ = text;
    columns_before_ = columns_before;
    repaired_ = false;
    end_ = 0;
    error_.reset();
    Walk(take);
    if (text.size() > kKeptBytes) {
      parser_ = ondemand::parser();
      buffer_ = std::string();
      unescaped_ = std::string();
    }
    return std::move(error_);
  }

  // Notes an error at `at`, in the buffer, unless there is one. Returns false.
  bool Fail(const char* at, absl::string_view expected) {
    if (error_.has_value()) return false;
    const size_t offset = Offset(at);
    const absl::string_view before = text_.substr(0, offset);
    const size_t line_end = before.rfind('\n');
    const size_t column = line_end == absl::string_view::npos
                              ? columns_before_ + offset + 1
                              : offset - line_end;
    const absl::string_view found = text_.substr(offset, kFoundBytes);
    error_ = {absl::StrCat(expected, " at column ", column),
              std::string(found.substr(0, found.find('\n'))),
              std::count(before.begin(), before.end(), '\n')};
    return false;
  }

  bool String(JsonValue& value, absl::string_view* text) {
    ondemand::raw_json_string raw;
    if (Of(value).get_raw_json_string().get(raw) != simdjson::SUCCESS) {
      return value.Fail("a string");
    }
    uint8_t* to = free_;
    return Unescape(raw, value.token().size(), &to, text);
  }

  bool Number(JsonValue& value, double* number) {
    double ignored;
    if (Of(value).get_double().get(number != nullptr ? *number : ignored) ==
        simdjson::SUCCESS) {
      return true;
    }
    return value.Fail("a JSON number that fits in double");
  }

  bool Elements(JsonValue& value, TakeElement take) {
    ondemand::array array;
    if (Of(value).get_array().get(array) != simdjson::SUCCESS) {
      return value.Fail("a JSON array");
    }
    for (simdjson::simdjson_result<ondemand::value> result : array) {
      if (result.error() != simdjson::SUCCESS) {
        return Fail(Location(), "',' or ']'");
      }
      ondemand::value&& element = std::move(result).value_unsafe();
      JsonValue taken = Value(&element);
      if (!take(taken)) return false;
    }
    return true;
  }

  bool Members(ondemand::object object, TakeMember take) {
    const char* after_value = nullptr;
    for (simdjson::simdjson_result<ondemand::field> result : object) {
      if (result.error() != simdjson::SUCCESS) return FailAtKey(after_value);
      // Not a copy, which would wait for what was just written.
      ondemand::field&& field = std::move(result).value_unsafe();
      JsonValue value = Value(&field.value());
      const ondemand::raw_json_string raw = field.key();
      // The colon is between the key and the value.
      const absl::string_view before(raw.raw(),
                                     value.token().data() - raw.raw());
      absl::string_view key;
      if (!Unescape(raw, before.rfind('"') + 2, &free_, &key)) return false;
      if (!take(key, value)) return false;
      after_value = Location();
    }
    return true;
  }

  bool Members(JsonValue& value, TakeMember take) {
    ondemand::object object;
    if (Of(value).get_object().get(object) != simdjson::SUCCESS) {
      return value.Fail("a JSON object");
    }
    return Members(object, take);
  }

  bool Skip(JsonValue& value, int depth) {
    using Kind = JsonValue::Kind;
    const Kind kind = value.kind();
    bool ignored;
    absl::string_view ignored_text;
    bool valid = false;
    switch (kind) {
      case Kind::kString:
        return String(value, &ignored_text);
      case Kind::kNumber:
        return Number(value, nullptr);
      case Kind::kBool:
        valid = Of(value).get_bool().get(ignored) == simdjson::SUCCESS;
        break;
      case Kind::kNull:
        valid = Of(value).is_null().get(ignored) == simdjson::SUCCESS;
        break;
      case Kind::kNone:
        break;
      default:
        if (depth == kDeepest) {
          return value.Fail("at most 256 levels of nesting");
        }
        if (kind == Kind::kArray) {
          return Elements(value, [&](JsonValue& element) {
            return Skip(element, depth + 1);
          });
        }
        return Members(value, [&](absl::string_view, JsonValue& member) {
          return Skip(member, depth + 1);
        });
    }
    return valid || value.Fail("a JSON value");
  }

 private:
  JsonValue Value(ondemand::value* value) {
    const std::string_view raw = value->raw_json_token();
    size_t size = raw.size();
    while (size > 0 && absl::ascii_isspace(raw[size - 1])) --size;
    return JsonValue(this, value, absl::string_view(raw.data(), size));
  }
  static ondemand::value& Of(const JsonValue& value) {
    return *static_cast<ondemand::value*>(value.value_);
  }

  void Walk(TakeMember take) {
    if (text_.size() > simdjson::SIMDJSON_MAXSIZE_BYTES - 1) {
      Fail(buffer_.data(), "a JSON text of less than 4 GiB");
      return;
    }
    ondemand::document document;
    simdjson::error_code code = Start(text_, &document);
    if (code == simdjson::UTF8_ERROR) {
      std::string repaired(text_);
      RepairUtf8(&repaired);
      repaired_ = true;
      code = Start(repaired, &document);
    }
    ondemand::object object;
    if (code == simdjson::SUCCESS) code = document.get_object().get(object);
    // The end of an object is missing, or something follows it. For the sake of
    // the message: which?
    const bool cut_off = code == simdjson::INCOMPLETE_ARRAY_OR_OBJECT;
    if (cut_off) {
      code = Start(absl::StrCat(CopiedText(), "}"), &document);
      --end_;
      if (code == simdjson::SUCCESS) code = document.get_object().get(object);
    }
    switch (code) {
      case simdjson::SUCCESS:
        break;
      case simdjson::UNCLOSED_STRING:
      case simdjson::UNESCAPED_CHARS: {
        const char* const at = buffer_.data() + FindBadString(CopiedText());
        Fail(at, *at == '"' ? "a string with '\"' at its end"
                            : "an escaped control character");
        return;
      }
      case simdjson::EMPTY:
      case simdjson::INCORRECT_TYPE: {
        const size_t first = CopiedText().find_first_not_of(kBlanks);
        Fail(buffer_.data() + std::min(first, size_), "a JSON object");
        return;
      }
      default:
        Fail(buffer_.data(), absl::StrCat("JSON without the error \"",
                                          simdjson::error_message(code), "\""));
        return;
    }
    document_ = &document;
    if (!Members(object, take)) return;
    const char* next;
    if (document.current_location().get(next) == simdjson::SUCCESS) {
      Fail(next, "the end of the line");
    } else if (cut_off) {
      Fail(buffer_.data() + end_, "',' or '}'");
    }
  }

  // Copies `text` to where simdjson may read behind it, and finds its tokens.
  simdjson::error_code Start(absl::string_view text,
                             ondemand::document* document) {
    end_ = size_ = text.size();
    has_escapes_ = absl::StrContains(text, '\\');
    buffer_.assign(text.data(), text.size());
    buffer_.append(simdjson::SIMDJSON_PADDING, ' ');
    if (unescaped_.size() < buffer_.size()) unescaped_.resize(buffer_.size());
    free_ = reinterpret_cast<uint8_t*>(unescaped_.data());
    return parser_.iterate(buffer_.data(), size_, buffer_.size())
        .get(*document);
  }

  absl::string_view CopiedText() const {
    return absl::string_view(buffer_).substr(0, size_);
  }

  // Sets `*string` to a string of `size` bytes with its quotes. If it has
  // escapes, puts it to `*to`, which moves behind it.
  bool Unescape(ondemand::raw_json_string raw, size_t size, uint8_t** to,
                absl::string_view* string) {
    *string = absl::string_view(raw.raw(), size - 2);
    if (!has_escapes_ || !absl::StrContains(*string, '\\')) return true;
    std::string_view unescaped;
    if (parser_.unescape(raw, *to).get(unescaped) != simdjson::SUCCESS) {
      RepairSurrogates(buffer_.data() + (raw.raw() - buffer_.data()), size - 2);
      if (parser_.unescape(raw, *to).get(unescaped) != simdjson::SUCCESS) {
        return Fail(raw.raw() - 1, "a string with JSON's escapes");
      }
    }
    *string = absl::string_view(unescaped.data(), unescaped.size());
    return true;
  }

  // The token that comes next, or that simdjson refused.
  const char* Location() {
    const char* at;
    if (document_->current_location().get(at) == simdjson::SUCCESS) return at;
    return buffer_.data() + size_;
  }

  // Where in the text `at`, in the buffer, comes from.
  size_t Offset(const char* at) const {
    const size_t offset = std::min<size_t>(at - buffer_.data(), end_);
    if (!repaired_) return offset;
    size_t original = 0;
    for (size_t i = 0; i < offset;) {
      i += DecodeUtf8(CopiedText().substr(i)).length;
      original += DecodeUtf8(text_.substr(original)).length;
    }
    return original;
  }

  // `after_value`: the token behind the last value, if there was one.
  bool FailAtKey(const char* after_value) {
    const char* const at = Location();
    if (at == after_value) return Fail(at, "',' or '}'");
    const absl::string_view before = absl::StripTrailingAsciiWhitespace(
        absl::string_view(buffer_.data(), at - buffer_.data()));
    switch (before.back()) {
      case '{':
        return Fail(at, "a key or '}'");
      case ',':
        return Fail(at, "a key");
      default:
        return Fail(at, "':'");
    }
  }

  ondemand::parser parser_;
  absl::string_view text_;
  size_t columns_before_ = 0;
  // The text, or its repaired form, and SIMDJSON_PADDING bytes.
  std::string buffer_;
  size_t size_ = 0;
  // Without what was appended for the sake of a message.
  size_t end_ = 0;
  bool repaired_ = false;
  // Most texts have none, so that nobody has to look into each string.
  bool has_escapes_ = false;
  // Strings without their escapes, from free_ on.
  std::string unescaped_;
  uint8_t* free_ = nullptr;
  ondemand::document* document_ = nullptr;
  absl::optional<JsonError> error_;
};

}  // namespace internal

using internal::JsonWalk;

JsonValue::Kind JsonValue::kind() const {
  if (token_.empty()) return Kind::kNone;
  switch (token_[0]) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
    case 'f':
      return Kind::kBool;
    case 'n':
      return Kind::kNull;
    default:
      return token_[0] == '-' || absl::ascii_isdigit(token_[0]) ? Kind::kNumber
                                                                : Kind::kNone;
  }
}

bool JsonValue::Fail(absl::string_view expected) {
  return walk_->Fail(token_.data(), expected);
}

bool JsonValue::StringView(absl::string_view* text,
                           absl::string_view expected) {
  if (kind() != Kind::kString) return Fail(expected);
  return walk_->String(*this, text);
}

bool JsonValue::String(std::string* text, absl::string_view expected) {
  absl::string_view view;
  if (!StringView(&view, expected)) return false;
  if (text != nullptr) text->assign(view.data(), view.size());
  return true;
}

bool JsonValue::Number(double* number, absl::string_view expected) {
  if (kind() != Kind::kNumber) return Fail(expected);
  return walk_->Number(*this, number);
}

bool JsonValue::ForEachElement(absl::FunctionRef<bool(JsonValue&)> take,
                               absl::string_view expected) {
  if (kind() != Kind::kArray) return Fail(expected);
  return walk_->Elements(*this, take);
}

bool JsonValue::ForEachMember(
    absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take,
    absl::string_view expected) {
  if (kind() != Kind::kObject) return Fail(expected);
  return walk_->Members(*this, take);
}

bool JsonValue::Skip() { return walk_->Skip(*this, 0); }

absl::optional<JsonError> ReadJsonObject(
    absl::string_view text,
    absl::FunctionRef<bool(absl::string_view key, JsonValue& value)> take,
    size_t columns_before) {
  thread_local JsonWalk walk;
  return walk.Read(text, take, columns_before);
}

}  // namespace warpclust
