// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/tool_help.h"

#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

ToolHelp Sample() {
  static std::string input;
  static std::string format = "tsv";
  static bool stem = true;
  static bool quiet = false;
  FlagSet flags;
  flags.Group("Input");
  flags.AddReadPath("input", &input, "PATH|-", "What to read.");
  flags.Group("Output");
  flags.AddChoice("format", &format, {"tsv", "json"}, "Don't ask.");
  flags.AddBool("stem", &stem, "Stem\n.words \\ here.");
  flags.AddBool("quiet", &quiet, "Say nothing.");
  ToolHelp help;
  help.name = "sample";
  help.version = "1.2.3";
  help.summary = "a sample";
  help.usage = "[--input=PATH|-]";
  help.description = "First.\n\n.Second starts with a dot.\n";
  help.examples = {"sample --input=x"};
  help.flags = flags.Flags();
  return help;
}

TEST(ToolHelpTest, ManPageHasEveryFlag) {
  const std::string page = ManPage(Sample());
  EXPECT_TRUE(absl::StartsWith(
      page, ".TH SAMPLE 1 \"\" \"warpclust 1.2.3\" \"User Commands\"\n"))
      << page;
  for (const char* part :
       {"sample \\- a sample\n", ".PP\n\\&.Second starts", ".SS Input\n",
        ".TP\n.B \\-\\-input=PATH|\\-\nWhat to read.\n",
        ".TP\n.B \\-\\-format=tsv|json\nDon\\(aqt ask. [tsv]\n",
        ".B \\-\\-[no]stem\nStem\n\\&.words \\e here. [on]\n",
        ".B \\-\\-quiet\n", "sample \\-\\-input=x\n", ".SH EXIT STATUS"}) {
    EXPECT_TRUE(absl::StrContains(page, part)) << part << "\n" << page;
  }
}

TEST(ToolHelpTest, CompletionHasEveryFlag) {
  const std::string script = BashCompletion(Sample());
  for (const char* part :
       {"--format) values='tsv json' ;;", "    --input)\n",
        "'--input= --format= --stem --nostem --quiet --help --version'",
        "complete -F _warpclust_sample sample\n"}) {
    EXPECT_TRUE(absl::StrContains(script, part)) << part << "\n" << script;
  }
}

}  // namespace
}  // namespace warpclust
