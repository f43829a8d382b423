// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/edge_words.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace warpclust {

bool HasNoDigit(absl::string_view name) {
  return std::none_of(name.begin(), name.end(), absl::ascii_isdigit);
}

bool IsNumber(absl::string_view name) {
  return std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

int SignOf(absl::string_view weight) {
  if (weight.empty() || absl::ascii_isdigit(weight.back())) return 0;
  for (const absl::string_view name : {"+", "friend", "positive"}) {
    if (absl::EqualsIgnoreCase(weight, name)) return 1;
  }
  for (const absl::string_view name : {"-", "enemy", "negative"}) {
    if (absl::EqualsIgnoreCase(weight, name)) return -1;
  }
  return 0;
}

bool IsWord(absl::string_view weight) {
  // The last one is U+2212.
  for (const absl::string_view sign : {"+", "-", "\xE2\x88\x92"}) {
    if (absl::ConsumePrefix(&weight, sign)) break;
  }
  for (const absl::string_view number : {"nan", "inf", "infinity"}) {
    if (absl::EqualsIgnoreCase(weight, number)) return false;
  }
  return HasNoDigit(weight) &&
         std::any_of(weight.begin(), weight.end(), [](char c) {
           return absl::ascii_isalpha(c) ||
                  static_cast<unsigned char>(c) >= 128;
         });
}

}  // namespace warpclust
