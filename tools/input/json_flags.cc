// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/input/json_flags.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cli/run_report.h"

namespace warpclust {

bool JsonFlags::renames_fields() const {
  return text_field != "text" || id_field != "id" || time_field != "time";
}

void AddIdFieldFlag(FlagSet* flags, std::string* id_field) {
  flags->AddString("id_field", id_field, "NAME",
                   "The field of JSON Lines with the name of a document.");
}

void AddJsonFlags(FlagSet* flags, JsonFlags* json, bool times) {
  flags->AddString("text_field", &json->text_field, "NAME",
                   "The field of JSON Lines with the text.");
  AddIdFieldFlag(flags, &json->id_field);
  if (times) {
    flags->AddString("time_field", &json->time_field, "NAME",
                     "The field of JSON Lines with the time.");
  }
  flags->AddBool("skip_bad_lines", &json->skip_bad_lines,
                 "Leave out lines that cannot be read, and say which, instead "
                 "of ending at the first one.");
}

absl::Status CheckJsonFlags(const JsonFlags& json, InputFormat format,
                            bool streams) {
  const std::pair<absl::string_view, absl::string_view> fields[] = {
      {"text", json.text_field},
      {"id", json.id_field},
      {"time", json.time_field}};
  for (const auto& [flag, name] : fields) {
    if (name.empty()) {
      return UsageError(absl::StrCat(
          "--", flag, "_field: expected the name of a field, found \"\""));
    }
    const bool has_field =
        format == InputFormat::kJsonLines ||
        (format == InputFormat::kJsonVectors && flag != "text");
    if (name != flag && !has_field) {
      // Which vectors in JSON Lines have too.
      const absl::string_view of = flag == "text" ? " with texts" : "";
      return UsageError(absl::StrCat("--", flag, "_field is for JSON Lines", of,
                                     ", and the input is ",
                                     InputFormatName(format)));
    }
    for (const auto& [other, other_name] : fields) {
      if (other != flag && other_name == name) {
        return UsageError(absl::StrCat("--", flag, "_field and --", other,
                                       "_field: expected two fields, found \"",
                                       name, "\" for both"));
      }
    }
  }
  if (json.skip_bad_lines && format != InputFormat::kJsonLines && !streams) {
    return UsageError(
        absl::StrCat("--skip_bad_lines is for JSON Lines with texts, and the "
                     "input is ",
                     InputFormatName(format)));
  }
  return absl::OkStatus();
}

JsonLinesOptions JsonOptions(const JsonFlags& json) {
  JsonLinesOptions options;
  options.text_field = json.text_field;
  options.id_field = json.id_field;
  options.time_field = json.time_field;
  return options;
}

absl::Status HintJsonFlags(const absl::Status& status, absl::string_view flag) {
  if (!absl::IsInvalidArgument(status) ||
      !absl::StrContains(status.message(), ": expected a field \"")) {
    return status;
  }
  return absl::InvalidArgumentError(absl::StrCat(status.message(), " (--", flag,
                                                 "=NAME reads another field)"));
}

void NoteSkippedLines(const SkippedLines& skipped, const ToolRun& run) {
  if (skipped.count == 0) return;
  const bool all = skipped.count == static_cast<int64_t>(skipped.lines.size());
  run.Note(absl::StrCat("bad lines left out: ", GroupDigits(skipped.count),
                        all ? " (line" : " (the first are lines",
                        all && skipped.count > 1 ? "s " : " ",
                        absl::StrJoin(skipped.lines, ", "), "); ",
                        skipped.first_error));
}

}  // namespace warpclust
