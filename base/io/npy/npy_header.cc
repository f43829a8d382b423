// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/io/npy/npy_header.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/io/lines/line_reader.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr int64_t kMostHeaderBytes = int64_t{1} << 20;

// A cursor over the text. A function that fails returns false or an error and
// leaves the cursor where it stopped.
class Cursor {
 public:
  explicit Cursor(absl::string_view text) : rest_(text) {}

  bool Take(absl::string_view token) {
    SkipSpace();
    if (!absl::StartsWith(rest_, token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  // A string in quotes of either kind without escapes.
  bool TakeString(std::string* value) {
    SkipSpace();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return false;
    const size_t end = rest_.find(rest_[0], 1);
    if (end == absl::string_view::npos) return false;
    const absl::string_view inside = rest_.substr(1, end - 1);
    if (absl::StrContains(inside, '\\')) return false;
    *value = std::string(inside);
    rest_.remove_prefix(end + 1);
    return true;
  }

  // 1 to 18 digits.
  bool TakeSize(int64_t* value) {
    SkipSpace();
    size_t digits = 0;
    *value = 0;
    while (digits < rest_.size() && rest_[digits] >= '0' &&
           rest_[digits] <= '9') {
      if (digits == 18) return false;
      *value = *value * 10 + (rest_[digits++] - '0');
    }
    rest_.remove_prefix(digits);
    return digits > 0;
  }

  bool AtEnd() {
    SkipSpace();
    return rest_.empty();
  }

  absl::Status Expected(absl::string_view expected) {
    SkipSpace();
    return absl::InvalidArgumentError(absl::StrCat(
        "expected ", expected, " in the header, found ", QuoteInput(rest_)));
  }

 private:
  void SkipSpace() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  absl::string_view rest_;
};

absl::Status ParseDescr(Cursor& cursor, std::string* descr) {
  if (cursor.Take("[")) {
    return absl::InvalidArgumentError(
        "expected an array of numbers, found an array of records");
  }
  if (!cursor.TakeString(descr)) return cursor.Expected("a type like '<f8'");
  return absl::OkStatus();
}

absl::Status ParseFortranOrder(Cursor& cursor, bool* value) {
  *value = cursor.Take("True");
  if (*value || cursor.Take("False")) return absl::OkStatus();
  return cursor.Expected("True or False");
}

absl::Status ParseShape(Cursor& cursor, std::vector<int64_t>* shape) {
  if (!cursor.Take("(")) return cursor.Expected("a shape like (1000, 3)");
  while (!cursor.Take(")")) {
    int64_t size;
    if (!cursor.TakeSize(&size)) return cursor.Expected("a size or ')'");
    shape->push_back(size);
    if (cursor.Take(",")) continue;
    // To Python, (3) is a number and not a tuple.
    if (shape->size() < 2) return cursor.Expected("','");
    if (!cursor.Take(")")) return cursor.Expected("',' or ')'");
    break;
  }
  return absl::OkStatus();
}

// Reads `size` bytes, which are part of the header.
absl::StatusOr<std::string> ReadHeaderBytes(ByteReader& bytes, int64_t size) {
  std::string text(size, '\0');
  ASSIGN_OR_RETURN(int64_t count, ReadUpTo(bytes, text.data(), size));
  if (count < size) {
    return absl::InvalidArgumentError(
        "expected the rest of the NPY header, found the end of the file");
  }
  return text;
}

}  // namespace

bool IsNpy(absl::string_view head) { return absl::StartsWith(head, kNpyMagic); }

absl::StatusOr<NpyHeader> ReadNpyHeader(ByteReader& bytes) {
  std::string magic(kNpyMagic.size(), '\0');
  ASSIGN_OR_RETURN(int64_t count,
                   ReadUpTo(bytes, magic.data(), kNpyMagic.size()));
  magic.resize(count);
  if (!IsNpy(magic)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an NPY file, which starts with '\\x93NUMPY', "
                     "found ",
                     QuoteInput(magic)));
  }
  ASSIGN_OR_RETURN(std::string version, ReadHeaderBytes(bytes, 2));
  const int major = static_cast<unsigned char>(version[0]);
  const int minor = static_cast<unsigned char>(version[1]);
  if (major < 1 || major > 3 || minor != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected NPY version 1.0, 2.0 or 3.0, found ", major, ".", minor));
  }
  ASSIGN_OR_RETURN(std::string length,
                   ReadHeaderBytes(bytes, major == 1 ? 2 : 4));
  uint32_t size = 0;
  std::memcpy(&size, length.data(), length.size());
  if (size > kMostHeaderBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an NPY header of at most ", kMostHeaderBytes,
                     " bytes, found one of ", size));
  }
  ASSIGN_OR_RETURN(std::string text, ReadHeaderBytes(bytes, size));
  ASSIGN_OR_RETURN(NpyHeader header, ParseNpyHeader(text));
  header.data_offset = static_cast<int64_t>(kNpyMagic.size() + version.size() +
                                            length.size() + text.size());
  return header;
}

std::string FormatNpyShape(const std::vector<int64_t>& shape) {
  return absl::StrCat("(", absl::StrJoin(shape, ", "),
                      shape.size() == 1 ? ",)" : ")");
}

std::string NpyStart(absl::string_view descr,
                     const std::vector<int64_t>& shape) {
  std::string dictionary = absl::StrCat(
      "{'descr': '", descr,
      "', 'fortran_order': False, 'shape': ", FormatNpyShape(shape), ", }");
  // The elements begin at a multiple of 64 bytes, as numpy has it.
  constexpr size_t kFixed = 10;
  while ((kFixed + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string start(kNpyMagic);
  start += {1, 0};
  start += static_cast<char>(dictionary.size() & 0xFF);
  start += static_cast<char>(dictionary.size() >> 8);
  return start + dictionary;
}

absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view text) {
  NpyHeader header;
  Cursor cursor(text);
  bool has_descr = false, has_order = false, has_shape = false;
  if (!cursor.Take("{")) return cursor.Expected("'{'");
  while (!cursor.Take("}")) {
    std::string key;
    if (!cursor.TakeString(&key)) return cursor.Expected("a key or '}'");
    if (!cursor.Take(":")) return cursor.Expected("':'");
    if (key == "descr" && !has_descr) {
      has_descr = true;
      RETURN_IF_ERROR(ParseDescr(cursor, &header.descr));
    } else if (key == "fortran_order" && !has_order) {
      has_order = true;
      RETURN_IF_ERROR(ParseFortranOrder(cursor, &header.fortran_order));
    } else if (key == "shape" && !has_shape) {
      has_shape = true;
      RETURN_IF_ERROR(ParseShape(cursor, &header.shape));
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("expected 'descr', 'fortran_order' and 'shape' once "
                       "each in the header, found ",
                       QuoteInput(key)));
    }
    if (cursor.Take(",")) continue;
    if (!cursor.Take("}")) return cursor.Expected("',' or '}'");
    break;
  }
  if (!cursor.AtEnd()) return cursor.Expected("nothing after '}'");
  if (!has_descr || !has_order || !has_shape) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected 'descr', 'fortran_order' and 'shape' in the header, found "
        "no '",
        !has_descr ? "descr" : (!has_order ? "fortran_order" : "shape"), "'"));
  }
  return header;
}

}  // namespace warpclust
