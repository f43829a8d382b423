// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// --text_field, --id_field, --time_field and --skip_bad_lines: how JSON Lines
// are read. A flag that has no effect is refused.

#ifndef WARPCLUST_TOOLS_INPUT_JSON_FLAGS_H_
#define WARPCLUST_TOOLS_INPUT_JSON_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "sparse/io/json_lines.h"
#include "tools/cli/cli.h"
#include "tools/cli/flags/flag_set.h"
#include "tools/input/input_format.h"

namespace warpclust {

struct JsonFlags {
  std::string text_field = "text";
  std::string id_field = "id";
  std::string time_field = "time";
  bool skip_bad_lines = false;

  // Whether a flag says that names of fields are not the default.
  bool renames_fields() const;
};

// `json` outlives `flags`. --time_field only with `times`.
void AddJsonFlags(FlagSet* flags, JsonFlags* json, bool times);
void AddIdFieldFlag(FlagSet* flags, std::string* id_field);

// UsageError for a name of a field that is empty or given to two fields, and
// for flags that have no effect on an input of this format. `streams`: bad
// lines of svmlight can be skipped too.
absl::Status CheckJsonFlags(const JsonFlags& json, InputFormat format,
                            bool streams = false);

// The names as options of the reader.
JsonLinesOptions JsonOptions(const JsonFlags& json);

// Adds `flag`, such as text_field, to an error about a missing field.
absl::Status HintJsonFlags(const absl::Status& status, absl::string_view flag);

// Notes what --skip_bad_lines left out, if anything.
void NoteSkippedLines(const SkippedLines& skipped, const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_INPUT_JSON_FLAGS_H_
