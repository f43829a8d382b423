// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/tool_help.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace warpclust {
namespace {

// Text that man shows as it is: hyphens stay hyphens, and no line is a request.
std::string Roff(absl::string_view text) {
  std::string escaped = absl::StrReplaceAll(
      text, {{"\\", "\\e"}, {"-", "\\-"}, {"'", "\\(aq"}, {"`", "\\(ga"}});
  if (absl::StartsWith(escaped, ".")) escaped.insert(0, "\\&");
  return absl::StrReplaceAll(escaped, {{"\n.", "\n\\&."}});
}

// A paragraph for each empty line between them; other newlines are kept where
// a line is indented.
std::string Paragraphs(absl::string_view text) {
  std::string roff;
  bool first = true;
  for (absl::string_view paragraph : absl::StrSplit(text, "\n\n")) {
    paragraph = absl::StripAsciiWhitespace(paragraph);
    if (paragraph.empty()) continue;
    absl::StrAppend(&roff, first ? "" : ".PP\n", Roff(paragraph), "\n");
    first = false;
  }
  return roff;
}

std::string FunctionName(absl::string_view tool) {
  return absl::StrCat("_warpclust_", tool);
}

}  // namespace

std::string ManPage(const ToolHelp& help) {
  std::string page = absl::StrCat(
      ".TH ", absl::AsciiStrToUpper(help.name), " 1 \"\" \"warpclust ",
      help.version, "\" \"User Commands\"\n.ad l\n.SH NAME\n", Roff(help.name),
      " \\- ", Roff(help.summary), "\n.SH SYNOPSIS\n.B ", Roff(help.name), "\n",
      Roff(help.usage), "\n.SH DESCRIPTION\n", Paragraphs(help.description),
      ".SH OPTIONS\n");
  absl::string_view group;
  for (const FlagSet::FlagHelp& flag : help.flags) {
    if (flag.group != group) {
      group = flag.group;
      absl::StrAppend(&page, ".SS ", Roff(group), "\n");
    }
    absl::StrAppend(&page, ".TP\n.B ", Roff(flag.shown), "\n", Roff(flag.help));
    if (!flag.default_text.empty()) {
      absl::StrAppend(&page, " [", Roff(flag.default_text), "]");
    }
    page += "\n";
  }
  page +=
      ".PP\nBrackets show defaults.\n"
      ".TP\n.B \\-\\-help\nPrint this help; \\-\\-help=man as a manual page, "
      "\\-\\-help=bash as completion for bash.\n"
      ".TP\n.B \\-\\-version\nPrint the version.\n";
  if (!help.examples.empty()) {
    page += ".SH EXAMPLES\n.nf\n";
    for (const std::string& example : help.examples) {
      absl::StrAppend(&page, Roff(example), "\n");
    }
    page += ".fi\n";
  }
  page +=
      ".SH EXIT STATUS\n0 success, 1 usage, 2 bad input, 3 unavailable (no "
      "GPU, not enough memory, an output that cannot be written).\n";
  return page;
}

std::string BashCompletion(const ToolHelp& help) {
  const std::string function = FunctionName(help.name);
  std::vector<std::string> words;
  std::vector<std::string> paths;
  std::string choices;
  for (const FlagSet::FlagHelp& flag : help.flags) {
    words.push_back(absl::StrCat("--", flag.name, flag.is_bool ? "" : "="));
    if (flag.is_bool && absl::StartsWith(flag.shown, "--[no]")) {
      words.push_back(absl::StrCat("--no", flag.name));
    }
    if (flag.is_path) paths.push_back(absl::StrCat("--", flag.name));
    if (!flag.choices.empty()) {
      absl::StrAppend(&choices, "    --", flag.name, ") values='",
                      absl::StrJoin(flag.choices, " "), "' ;;\n");
    }
  }
  words.push_back("--help");
  words.push_back("--version");
  // Bash splits --name=value into three words.
  return absl::StrCat(
      "# bash completion for ", help.name, " (warpclust ", help.version, ")\n",
      function, "() {\n",
      "  local current=${COMP_WORDS[COMP_CWORD]}\n"
      "  local flag=${COMP_WORDS[COMP_CWORD - 1]} values=\n"
      "  if [ \"$current\" = = ]; then\n"
      "    current=\n"
      "  elif [ \"$flag\" = = ]; then\n"
      "    flag=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  fi\n"
      "  COMPREPLY=()\n"
      "  case $flag in\n",
      choices,
      paths.empty()
          ? std::string()
          : absl::StrCat("    ", absl::StrJoin(paths, " | "),
                         ")\n"
                         "      mapfile -t COMPREPLY < <(compgen -f -- "
                         "\"$current\")\n"
                         "      compopt -o filenames 2>/dev/null\n"
                         "      return\n"
                         "      ;;\n"),
      "  esac\n"
      "  if [ -n \"$values\" ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W '",
      absl::StrJoin(words, " "),
      "' -- \"$current\")\n"
      "  if [ \"${#COMPREPLY[@]}\" = 1 ] && [ \"${COMPREPLY[0]: -1}\" = = ]; "
      "then\n"
      "    compopt -o nospace 2>/dev/null\n"
      "  fi\n"
      "}\n"
      "complete -F ",
      function, " ", help.name, "\n");
}

}  // namespace warpclust
