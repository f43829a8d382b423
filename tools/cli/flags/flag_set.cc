// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/flag_set.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace warpclust {
namespace {

constexpr int kHelpWidth = 80;
constexpr int kHelpColumn = 26;

constexpr std::pair<absl::string_view, int> kByteUnits[] = {
    {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};

bool IsNotEmpty(absl::string_view text) { return !text.empty(); }

// Levenshtein distance; names are short.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string WrapText(absl::string_view text, int indent, int width) {
  std::string wrapped;
  const std::string margin(indent, ' ');
  for (absl::string_view paragraph : absl::StrSplit(text, '\n')) {
    std::string line;
    for (absl::string_view word :
         absl::StrSplit(paragraph, ' ', absl::SkipEmpty())) {
      if (!line.empty() &&
          indent + line.size() + 1 + word.size() > static_cast<size_t>(width)) {
        absl::StrAppend(&wrapped, margin, line, "\n");
        line.clear();
      }
      absl::StrAppend(&line, line.empty() ? "" : " ", word);
    }
    absl::StrAppend(&wrapped, line.empty() ? "" : margin, line, "\n");
  }
  return wrapped;
}

void FlagSet::Group(absl::string_view title) { group_ = std::string(title); }

FlagSet::Flag& FlagSet::Add(absl::string_view name,
                            absl::string_view placeholder,
                            absl::string_view help, absl::string_view expected,
                            std::function<bool(absl::string_view)> set,
                            std::function<std::string()> json) {
  Flag flag;
  flag.name = std::string(name);
  flag.group = group_;
  flag.shown = absl::StrCat("--", name, "=", placeholder);
  flag.help = std::string(help);
  flag.default_text = json();
  flag.expected = std::string(expected);
  flag.set = std::move(set);
  flag.json = std::move(json);
  flags_.push_back(std::move(flag));
  return flags_.back();
}

FlagSet::Flag& FlagSet::AddText(
    absl::string_view name, std::string* target, absl::string_view placeholder,
    absl::string_view help, absl::string_view expected,
    std::function<bool(absl::string_view)> is_legal) {
  Flag& flag = Add(
      name, placeholder, help, expected,
      [target, is_legal = std::move(is_legal)](absl::string_view text) {
        if (!is_legal(text)) return false;
        *target = std::string(text);
        return true;
      },
      [target] { return JsonQuote(*target); });
  flag.default_text = *target;
  return flag;
}

void FlagSet::AddString(absl::string_view name, std::string* target,
                        absl::string_view placeholder, absl::string_view help) {
  AddText(name, target, placeholder, help, "",
          [](absl::string_view) { return true; });
}

void FlagSet::AddReadPath(absl::string_view name, std::string* target,
                          absl::string_view placeholder,
                          absl::string_view help) {
  AddText(name, target, placeholder, help, "a path", IsNotEmpty).read_path =
      target;
}

void FlagSet::AddWritePath(absl::string_view name, std::string* target,
                           absl::string_view placeholder,
                           absl::string_view help) {
  AddText(name, target, placeholder, help, "a path", IsNotEmpty).write_path =
      target;
}

void FlagSet::AddOptionalString(absl::string_view name, std::string* target,
                                absl::string_view placeholder,
                                absl::string_view help) {
  AddString(name, target, placeholder, help);
  flags_.back().shown = absl::StrCat("--", name, "[=", placeholder, "]");
  flags_.back().value_optional = true;
}

void FlagSet::AddBool(absl::string_view name, bool* target,
                      absl::string_view help) {
  Flag& flag = Add(
      name, "", help, "true or false",
      [target](absl::string_view text) {
        return absl::SimpleAtob(text, target);
      },
      [target] { return std::string(*target ? "true" : "false"); });
  flag.is_bool = true;
  flag.shown = absl::StrCat(*target ? "--[no]" : "--", name);
  flag.default_text = *target ? "on" : "";
}

template <typename Int>
void FlagSet::AddInteger(absl::string_view name, Int* target, Int least,
                         Int most, absl::string_view help) {
  Add(
      name, "N", help, absl::StrCat("an integer from ", least, " to ", most),
      [target, least, most](absl::string_view text) {
        Int value = 0;
        if (!absl::SimpleAtoi(text, &value) || value < least || value > most) {
          return false;
        }
        *target = value;
        return true;
      },
      [target] { return absl::StrCat(*target); });
}

void FlagSet::AddInt(absl::string_view name, int64_t* target, int64_t least,
                     int64_t most, absl::string_view help) {
  AddInteger(name, target, least, most, help);
}

void FlagSet::AddInt(absl::string_view name, int32_t* target, int32_t least,
                     int32_t most, absl::string_view help) {
  AddInteger(name, target, least, most, help);
}

void FlagSet::AddBytes(absl::string_view name, int64_t* target,
                       absl::string_view help) {
  Add(
      name, "BYTES", help, "bytes, such as 1000000, 512MiB or 4GiB",
      [target](absl::string_view text) {
        int shift = 0;
        for (const auto& [suffix, power] : kByteUnits) {
          if (absl::ConsumeSuffix(&text, suffix)) {
            shift = power;
            break;
          }
        }
        int64_t value = 0;
        if (!absl::SimpleAtoi(text, &value) || value < 0 ||
            value > INT64_MAX >> shift) {
          return false;
        }
        *target = value << shift;
        return true;
      },
      [target] { return absl::StrCat(*target); });
}

void FlagSet::AddDecimal(absl::string_view name, Decimal* target,
                         absl::string_view help, Range range) {
  const absl::string_view expected =
      range == Range::kZeroToOne ? "a number from 0 to 1"
      : range == Range::kAtLeastZero
          ? "a number of at least 0"
          : "a number such as 0.25 or 1/3, with at most nine decimal places";
  Add(
      name, "X", help, expected,
      [target, range](absl::string_view text) {
        const absl::StatusOr<Decimal> value = ParseDecimal(text);
        if (!value.ok() || (range != Range::kAny && value->numerator < 0) ||
            (range == Range::kZeroToOne &&
             value->numerator > value->denominator)) {
          return false;
        }
        *target = *value;
        return true;
      },
      [target] { return FormatDecimal(*target); });
}

void FlagSet::AddDecimalOrAuto(absl::string_view name,
                               absl::optional<Decimal>* target,
                               absl::string_view help) {
  Add(
      name, "X|auto", help,
      "auto, or a number such as 0.25 or 1/3, with at most nine decimal places",
      [target](absl::string_view text) {
        target->reset();
        if (text == "auto") return true;
        const absl::StatusOr<Decimal> value = ParseDecimal(text);
        if (value.ok()) *target = *value;
        return value.ok();
      },
      [target] {
        return target->has_value() ? FormatDecimal(**target) : "\"auto\"";
      });
}

void FlagSet::AddNumber(absl::string_view name, double* target,
                        absl::string_view help) {
  Add(
      name, "X", help, "a number of at least 0",
      [target](absl::string_view text) {
        double value = 0;
        const char* end = text.data() + text.size();
        const std::from_chars_result read =
            std::from_chars(text.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end ||
            !std::isfinite(value) || value < 0) {
          return false;
        }
        *target = value;
        return true;
      },
      [target] { return JsonDouble(*target); });
}

void FlagSet::AddChoice(absl::string_view name, std::string* target,
                        absl::Span<const absl::string_view> choices,
                        absl::string_view help) {
  const std::vector<std::string> allowed(choices.begin(), choices.end());
  AddText(name, target, absl::StrJoin(choices, "|"), help,
          absl::StrCat("one of ", absl::StrJoin(choices, ", ")),
          [allowed](absl::string_view text) {
            return std::find(allowed.begin(), allowed.end(), text) !=
                   allowed.end();
          })
      .choices = allowed;
}

FlagSet::Flag* FlagSet::Find(absl::string_view name) {
  for (Flag& flag : flags_) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

std::string FlagSet::ReadingFlags() const {
  std::string names;
  for (const Flag& flag : flags_) {
    if (flag.read_path == nullptr) continue;
    absl::StrAppend(&names, names.empty() ? " (flags that read files: " : ", ",
                    "--", flag.name);
  }
  return names.empty() ? names : names + ")";
}

absl::Status FlagSet::UnknownFlag(absl::string_view name) const {
  std::string message = absl::StrCat("unknown flag --", name);
  if (name == "input") {
    return absl::InvalidArgumentError(absl::StrCat(message, ReadingFlags()));
  }
  std::string nearest;
  size_t distance = 1 + std::max<size_t>(1, name.size() / 3);
  const std::string last_words = absl::StrCat("_", name);
  const auto compare = [&](const std::string& known) {
    // The first or last words of a flag, such as --format for --input_format.
    const bool is_part = name.size() > 2 && (absl::StartsWith(known, name) ||
                                             absl::EndsWith(known, last_words));
    const size_t d = is_part ? 1 : EditDistance(known, name);
    if (d < distance) {
      distance = d;
      nearest = known;
    }
  };
  for (const Flag& flag : flags_) {
    compare(flag.name);
    if (flag.is_bool) compare(absl::StrCat("no", flag.name));
  }
  if (!nearest.empty()) {
    absl::StrAppend(&message, " (did you mean --", nearest, "?)");
  }
  return absl::InvalidArgumentError(message);
}

absl::Status FlagSet::Parse(absl::Span<const absl::string_view> arguments) {
  arguments_ = std::vector<std::string>(arguments.begin(), arguments.end());
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-' || argument == "--") {
      return absl::InvalidArgumentError(absl::StrCat(
          "unexpected argument \"", argument, "\"",
          argument.empty() || argument[0] == '-' ? ""
          : Find("input") == nullptr
              ? ReadingFlags()
              : absl::StrCat(" (did you mean --input=", argument, "?)")));
    }
    argument.remove_prefix(argument[1] == '-' ? 2 : 1);
    const size_t equals = argument.find('=');
    const bool has_value = equals != absl::string_view::npos;
    absl::string_view name = argument.substr(0, equals);
    absl::string_view value =
        has_value ? argument.substr(equals + 1) : absl::string_view();
    if (name == "help" || name == "h") {
      help_requested_ = true;
      help_format_ = std::string(value);
      return absl::OkStatus();
    }
    if (name == "version") {
      version_requested_ = true;
      return absl::OkStatus();
    }
    Flag* flag = Find(name);
    if (flag == nullptr && !has_value && absl::StartsWith(name, "no")) {
      Flag* negated = Find(name.substr(2));
      if (negated != nullptr && negated->is_bool) {
        flag = negated;
        value = "false";
      }
    } else if (flag != nullptr && !has_value) {
      if (flag->is_bool) {
        value = "true";
      } else if (flag->value_optional) {
        value = "";
      } else if (i + 1 < arguments.size()) {
        value = arguments[++i];
      } else {
        return absl::InvalidArgumentError(
            absl::StrCat("--", name, ": expected ",
                         flag->expected.empty() ? "a value" : flag->expected,
                         ", found nothing"));
      }
    }
    if (flag == nullptr) return UnknownFlag(name);
    if (flag->given && flag->read_path != nullptr &&
        *flag->read_path != value) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", name, ": expected one file, found \"",
                       *flag->read_path, "\" and \"", value, "\""));
    }
    if (!flag->set(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", name, ": expected ", flag->expected, ", found \"",
                       value, "\""));
    }
    flag->given = true;
  }
  return absl::OkStatus();
}

bool FlagSet::WasGiven(absl::string_view name) const {
  for (const Flag& flag : flags_) {
    if (flag.name == name) return flag.given;
  }
  return false;
}

std::string FlagSet::Help() const {
  std::string help;
  const std::string* group = nullptr;
  for (const Flag& flag : flags_) {
    if (group == nullptr || *group != flag.group) {
      group = &flag.group;
      absl::StrAppend(&help, "\n", *group, ":\n");
    }
    std::string text = flag.help;
    if (!flag.default_text.empty()) {
      absl::StrAppend(&text, " [", flag.default_text, "]");
    }
    std::string lines = WrapText(text, kHelpColumn, kHelpWidth);
    std::string head = absl::StrCat("  ", flag.shown);
    if (head.size() + 2 <= kHelpColumn) {
      head.resize(kHelpColumn, ' ');
      lines.replace(0, kHelpColumn, head);
      help += lines;
    } else {
      // Many choices go on in further lines.
      while (head.size() > kHelpWidth) {
        const size_t bar = head.rfind('|', kHelpWidth - 1);
        if (bar == std::string::npos) break;
        absl::StrAppend(&help, head.substr(0, bar + 1), "\n");
        head = absl::StrCat("      ", head.substr(bar + 1));
      }
      absl::StrAppend(&help, head, "\n", lines);
    }
  }
  return help;
}

std::vector<FlagSet::FlagHelp> FlagSet::Flags() const {
  std::vector<FlagHelp> all;
  for (const Flag& flag : flags_) {
    FlagHelp help;
    help.name = flag.name;
    help.group = flag.group;
    help.shown = flag.shown;
    help.help = flag.help;
    help.default_text = flag.default_text;
    help.choices = flag.choices;
    help.is_bool = flag.is_bool;
    help.is_path = flag.read_path != nullptr || flag.write_path != nullptr;
    all.push_back(std::move(help));
  }
  return all;
}

std::vector<JsonField> FlagSet::Values() const {
  std::vector<JsonField> values;
  for (const Flag& flag : flags_) values.push_back({flag.name, flag.json()});
  return values;
}

}  // namespace warpclust
