// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a line of CSV. Quoted fields follow RFC 4180: a field that begins
// with a double quote ends with one, and a doubled quote within it is a quote.
// Use it in readers of lines that split them in their own way; CsvReader also
// reads fields of several lines.
//
//   IsQuoted("\"a\"\"b\"")       // true
//   Unquoted("\"a\"\"b\"")       // a"b
//   EndOfQuoted("\"a\",b", 0)    // 3

#ifndef WARPCLUST_BASE_IO_CSV_CSV_QUOTES_H_
#define WARPCLUST_BASE_IO_CSV_CSV_QUOTES_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace warpclust {

// Whether `line`, the first of a file, is what Excel reads as the choice of a
// separator: "sep=;". It holds no data.
bool IsSeparatorLine(absl::string_view line);

// Whether a quoted field of `line` may go on in the next one.
bool HasOpenQuote(absl::string_view line);

// The position behind the quoted field that begins at line[begin], a quote;
// npos if it does not end in this line.
size_t EndOfQuoted(absl::string_view line, size_t begin);

// Whether `field` is one quoted field.
bool IsQuoted(absl::string_view field);

// The content of a quoted field; any other field as it is.
std::string Unquoted(absl::string_view field);

}  // namespace warpclust

#endif  // WARPCLUST_BASE_IO_CSV_CSV_QUOTES_H_
