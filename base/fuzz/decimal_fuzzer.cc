// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses any bytes as a decimal. An accepted value has the form of a Decimal,
// is the number that the C library reads, and is parsed back from its text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/numbers/decimal.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<warpclust::Decimal> value =
      warpclust::ParseDecimal(text);
  if (!value.ok()) {
    if (!absl::IsInvalidArgument(value.status())) std::abort();
    return 0;
  }
  constexpr int64_t kBillion = 1000000000;
  if (value->denominator < 1 || value->denominator > kBillion) std::abort();
  const int64_t whole = value->numerator / value->denominator;
  if (whole <= -kBillion || whole >= kBillion) std::abort();

  const absl::StatusOr<warpclust::Decimal> again =
      warpclust::ParseDecimal(warpclust::FormatDecimal(*value));
  if (!again.ok() ||
      static_cast<__int128>(again->numerator) * value->denominator !=
          static_cast<__int128>(value->numerator) * again->denominator) {
    std::abort();
  }
  // A fraction has no form that strtod reads.
  if (text.find('/') != text.npos) return 0;

  char* end = nullptr;
  const double expected = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) std::abort();
  // Beyond 2^53 ToDouble promises less.
  constexpr int64_t kExact = int64_t{1} << 53;
  if (value->numerator >= -kExact && value->numerator <= kExact &&
      value->ToDouble() != expected) {
    std::abort();
  }
  return 0;
}
