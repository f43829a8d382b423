// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/cli/flags/flag_set.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

struct Options {
  std::string input = "-";
  std::string weighting = "tf";
  bool stem = true;
  bool quiet = false;
  int64_t threads = 0;
  int64_t memory = 0;
  Decimal beta = "0.25";
};

FlagSet MakeFlags(Options* options) {
  FlagSet flags;
  flags.Group("Input");
  flags.AddString("input", &options->input, "PATH", "What to read.");
  flags.Group("Model");
  flags.AddDecimal("beta", &options->beta, "Threshold.");
  flags.AddChoice("weighting", &options->weighting, {"tf", "tfidf"},
                  "Weights.");
  flags.AddBool("stem", &options->stem, "Stem words.");
  flags.AddBool("quiet", &options->quiet, "Say nothing.");
  flags.AddInt("threads", &options->threads, 0, 64, "Threads.");
  flags.AddBytes("memory", &options->memory, "Memory.");
  return flags;
}

absl::Status Parse(const std::vector<absl::string_view>& arguments,
                   Options* options) {
  return MakeFlags(options).Parse(arguments);
}

TEST(FlagSetTest, Bytes) {
  const std::pair<absl::string_view, int64_t> cases[] = {
      {"0", 0},
      {"1000000", 1000000},
      {"3KiB", 3072},
      {"512MiB", int64_t{512} << 20},
      {"4GiB", int64_t{4} << 30},
      {"8388607TiB", int64_t{8388607} << 40}};
  for (const auto& [text, bytes] : cases) {
    Options options;
    const absl::Status status = Parse({"--memory", text}, &options);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(options.memory, bytes);
  }
  for (const absl::string_view text :
       {"", "-1", "4GB", "4G", "GiB", "1.5GiB", "4 GiB KiB", "8388608TiB",
        "9223372036854775808"}) {
    Options options;
    const absl::Status status = Parse({"--memory", text}, &options);
    EXPECT_EQ(status.message(),
              absl::StrCat("--memory: expected bytes, such as 1000000, 512MiB "
                           "or 4GiB, found \"",
                           text, "\""));
  }
}

TEST(FlagSetTest, ReadsEveryForm) {
  Options options;
  ASSERT_TRUE(Parse({"--input=a=b", "--beta", "0.35", "-weighting=tfidf",
                     "--nostem", "--quiet", "--threads=7"},
                    &options)
                  .ok());
  EXPECT_EQ(options.input, "a=b");
  EXPECT_EQ(options.beta.numerator, 35);
  EXPECT_EQ(options.beta.denominator, 100);
  EXPECT_EQ(options.weighting, "tfidf");
  EXPECT_FALSE(options.stem);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.threads, 7);
}

TEST(FlagSetTest, AStringThatMayBeLeftOut) {
  std::string explain = "";
  std::string input;
  FlagSet flags;
  flags.AddOptionalString("explain", &explain, "ID", "Why.");
  flags.AddString("input", &input, "PATH", "What to read.");
  ASSERT_TRUE(flags.Parse({"--explain", "--input", "a"}).ok());
  EXPECT_TRUE(flags.WasGiven("explain"));
  EXPECT_EQ(explain, "");
  EXPECT_EQ(input, "a");
  ASSERT_TRUE(flags.Parse({"--explain=x=y"}).ok());
  EXPECT_EQ(explain, "x=y");
  EXPECT_FALSE(flags.Parse({"--explain", "x"}).ok());
  EXPECT_NE(flags.Help().find("--explain[=ID]"), std::string::npos);
}

TEST(FlagSetTest, LaterFlagWinsAndDashIsAValue) {
  Options options;
  ASSERT_TRUE(Parse({"--input", "-", "--threads=3", "--threads=4",
                     "--quiet=true", "--quiet=false", "--stem=0"},
                    &options)
                  .ok());
  EXPECT_EQ(options.input, "-");
  EXPECT_EQ(options.threads, 4);
  EXPECT_FALSE(options.quiet);
  EXPECT_FALSE(options.stem);
}

TEST(FlagSetTest, LastWordsAreASlipToo) {
  std::string format = "auto";
  FlagSet flags;
  flags.AddChoice("input_format", &format, {"auto", "jsonl"}, "Of the input.");
  EXPECT_EQ(flags.Parse({"--format=jsonl"}).message(),
            "unknown flag --format (did you mean --input_format?)");
  EXPECT_EQ(flags.Parse({"--mat=jsonl"}).message(), "unknown flag --mat");
}

TEST(FlagSetTest, ToolsWithoutInputNameTheFlagsThatReadFiles) {
  std::string add, remove, input_format;
  FlagSet flags;
  flags.AddReadPath("add", &add, "PATH", "Documents.");
  flags.AddReadPath("remove", &remove, "PATH", "Ids.");
  flags.AddString("input_format", &input_format, "NAME", "Of --add.");
  EXPECT_EQ(flags.Parse({"--input=a.txt"}).message(),
            "unknown flag --input (flags that read files: --add, --remove)");
  EXPECT_EQ(flags.Parse({"a.txt"}).message(),
            "unexpected argument \"a.txt\" (flags that read files: --add, "
            "--remove)");
  EXPECT_EQ(flags.Parse({"-"}).message(), "unexpected argument \"-\"");
  EXPECT_EQ(FlagSet().Parse({"--input=a.txt"}).message(),
            "unknown flag --input");
}

TEST(FlagSetTest, ErrorsNameFlagExpectedAndFound) {
  const std::vector<std::pair<std::vector<absl::string_view>, std::string>>
      cases = {
          {{"--bta=1"}, "unknown flag --bta (did you mean --beta?)"},
          {{"--thread=1"}, "unknown flag --thread (did you mean --threads?)"},
          {{"--zzz"}, "unknown flag --zzz"},
          {{"--noinput"}, "unknown flag --noinput"},
          {{"--no-stem"}, "unknown flag --no-stem (did you mean --nostem?)"},
          {{"--threads=x"},
           "--threads: expected an integer from 0 to 64, found \"x\""},
          {{"--threads=65"},
           "--threads: expected an integer from 0 to 64, found \"65\""},
          {{"--threads"},
           "--threads: expected an integer from 0 to 64, found nothing"},
          {{"--stem=perhaps"},
           "--stem: expected true or false, found \"perhaps\""},
          {{"--weighting=bm25"},
           "--weighting: expected one of tf, tfidf, found \"bm25\""},
          {{"--beta=1/0"},
           "--beta: expected a number such as 0.25 or 1/3, with at most nine "
           "decimal places, found \"1/0\""},
          {{"file.txt"},
           "unexpected argument \"file.txt\" (did you mean --input=file.txt?)"},
          {{""}, "unexpected argument \"\""},
          {{"-"}, "unexpected argument \"-\""},
          {{"--"}, "unexpected argument \"--\""},
      };
  for (const auto& [arguments, message] : cases) {
    Options options;
    const absl::Status status = Parse(arguments, &options);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StartsWith(status.message(), message)) << status;
  }
}

TEST(FlagSetTest, NumbersAreTheNearestDouble) {
  double number = 0.25;
  const auto parse = [&number](absl::string_view argument) {
    FlagSet flags;
    flags.AddNumber("dc", &number, "A distance.");
    const absl::Status status = flags.Parse({argument});
    if (status.ok()) return flags.Values()[0].json;
    EXPECT_EQ(number, 0.25) << "changed by " << argument;
    return std::string(status.message());
  };
  for (const char* bad : {"", "x", "-1", "nan", "inf", "1e999", "1 ", "0x10"}) {
    EXPECT_EQ(parse(absl::StrCat("--dc=", bad)),
              absl::StrCat("--dc: expected a number of at least 0, found \"",
                           bad, "\""));
  }
  EXPECT_EQ(parse("--dc=21000"), "21000");
  EXPECT_EQ(number, 21000);
  EXPECT_EQ(parse("--dc=0.10"), "0.1");
  EXPECT_EQ(number, 0.1);
  // Longer and larger than a Decimal allows; the text of a double reads back as
  // that double.
  EXPECT_EQ(parse("--dc=2.801285419231681"), "2.801285419231681");
  EXPECT_EQ(number, 2.801285419231681);
  EXPECT_EQ(parse("--dc=1e-12"), "1e-12");
  EXPECT_EQ(parse("--dc=123456789012345680"), "123456789012345680");
  EXPECT_EQ(parse("--dc=0"), "0");
}

TEST(FlagSetTest, NoFileIsWrittenOverAnother) {
  const std::string folder = testing::TempDir() + "/flag_set_paths";
  mkdir(folder.c_str(), 0700);
  const std::string documents = folder + "/documents";
  std::ofstream(documents) << "mine";
  ASSERT_EQ(symlink("documents", (folder + "/link").c_str()), 0);
  std::string input, ids, output = "-", summary;
  const auto check = [&](std::vector<absl::string_view> arguments) {
    input = ids = summary = "";
    output = "-";
    FlagSet flags;
    flags.AddReadPath("input", &input, "PATH", "What to read.");
    flags.AddReadPath("ids", &ids, "PATH", "Names.");
    flags.AddWritePath("output", &output, "PATH", "Where to write.");
    flags.AddWritePath("summary", &summary, "PATH", "What was done.");
    const absl::Status status = flags.Parse(arguments);
    return std::string((status.ok() ? flags.CheckPaths() : status).message());
  };
  EXPECT_EQ(check({}), "");
  EXPECT_EQ(check({"--input=-", "--output=-"}), "");
  EXPECT_EQ(check({"--input", documents, "--ids", documents}), "");
  EXPECT_EQ(check({"--input=none", "--output=nowhere"}), "");
  EXPECT_EQ(
      check({"--input=/dev/null", "--output=/dev/null", "--summary=/dev/null"}),
      "");
  EXPECT_EQ(check({"--input", documents, "--output", documents}),
            "--output would overwrite --input, " + documents);
  EXPECT_EQ(check({"--ids", documents, "--summary",
                   folder + "/../" + "flag_set_paths/link"}),
            "--summary would overwrite --ids, " + documents);
  EXPECT_EQ(check({"--output=new", "--summary=new"}),
            "--output and --summary are the same file, new");
  EXPECT_EQ(check({"--output=new", "--summary=./new"}),
            "--output and --summary are the same file, ./new");
  EXPECT_EQ(check({"--output=a/new", "--summary=b/new"}), "");
  EXPECT_EQ(check({"--input=a", "--input=b"}),
            "--input: expected one file, found \"a\" and \"b\"");
  EXPECT_EQ(check({"--input=a", "--input=a", "--output=b", "--output=c"}), "");
  EXPECT_EQ(check({"--input", folder, "--output", folder + "/clusters.tsv"}),
            "");
  EXPECT_EQ(check({"--input", folder + "/", "--output", folder + "/a/b.txt"}),
            "--output would become a document of --input, " + folder + "/");
  EXPECT_EQ(check({"--input", folder, "--summary", folder + "x/b.txt.gz"}), "");
  EXPECT_EQ(check({"--input=.", "--summary=new.txt.gz"}),
            "--summary would become a document of --input, .");
  EXPECT_EQ(check({"--summary=-"}),
            "--output and --summary are the same file, -");
  EXPECT_EQ(check({"--ids=-", "--input=-"}),
            "--input and --ids are both standard input, which can be read "
            "only once");
  EXPECT_EQ(check({"--input="}), "--input: expected a path, found \"\"");
  EXPECT_EQ(check({"--output", ""}), "--output: expected a path, found \"\"");
}

TEST(FlagSetTest, HelpAndVersionStopTheParse) {
  Options options;
  for (absl::string_view argument : {"--help", "-help", "-h"}) {
    FlagSet flags = MakeFlags(&options);
    ASSERT_TRUE(flags.Parse({argument, "--nonsense"}).ok());
    EXPECT_TRUE(flags.help_requested());
  }
  FlagSet flags = MakeFlags(&options);
  ASSERT_TRUE(flags.Parse({"--version"}).ok());
  EXPECT_TRUE(flags.version_requested());
}

TEST(FlagSetTest, HelpShowsGroupsDefaultsAndFitsTheScreen) {
  Options options;
  FlagSet flags = MakeFlags(&options);
  const std::string help = flags.Help();
  EXPECT_TRUE(absl::StrContains(
      help, "\nInput:\n  --input=PATH            What to read. [-]\n\nModel:"))
      << help;
  EXPECT_TRUE(absl::StrContains(help, "Threshold. [0.25]"));
  EXPECT_TRUE(absl::StrContains(help, "--[no]stem"));
  for (absl::string_view line : absl::StrSplit(help, '\n')) {
    EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(FlagSetTest, ValuesAreJsonInOrder) {
  Options options;
  FlagSet flags = MakeFlags(&options);
  ASSERT_TRUE(flags.Parse({"--beta=0.50", "--input=a\"b"}).ok());
  EXPECT_TRUE(flags.WasGiven("beta"));
  EXPECT_FALSE(flags.WasGiven("stem"));
  const std::vector<JsonField> values = flags.Values();
  ASSERT_EQ(values.size(), 7u);
  EXPECT_EQ(values[0].json, "\"a\\\"b\"");
  EXPECT_EQ(values[1].name, "beta");
  EXPECT_EQ(values[1].json, "0.5");
  EXPECT_EQ(values[3].json, "true");
  EXPECT_EQ(values[5].json, "0");
  EXPECT_EQ(values[6].json, "0");
}

TEST(FlagSetTest, SizeOfTheInput) {
  const std::string folder = testing::TempDir();
  const std::string text = folder + "/flag_set_bytes";
  const std::string packed = text + ".gz";
  std::ofstream(text) << "12345";
  std::ofstream(packed) << "1234567";
  const auto bytes = [](std::string a, std::string b) {
    std::string written = a;
    FlagSet flags;
    flags.AddReadPath("a", &a, "PATH", "");
    flags.AddReadPath("b", &b, "PATH", "");
    flags.AddWritePath("c", &written, "PATH", "");
    return flags.InputBytes();
  };
  EXPECT_EQ(bytes(text, ""), 5);
  EXPECT_EQ(bytes(text, packed), 5 + 4 * 7);
  EXPECT_EQ(bytes(folder, "-"), 0);
  EXPECT_EQ(bytes(text + "_none", "/dev/null"), 0);
}

TEST(WrapTextTest, BreaksAtBlanks) {
  EXPECT_EQ(WrapText("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(WrapText("unbreakable", 0, 4), "unbreakable\n");
  EXPECT_EQ(WrapText("a\n\nb", 1, 9), " a\n\n b\n");
}

TEST(FlagSetTest, DecimalOrAuto) {
  absl::optional<Decimal> beta;
  FlagSet flags;
  flags.AddDecimalOrAuto("beta", &beta, "");
  EXPECT_EQ(flags.Values()[0].json, "\"auto\"");
  ASSERT_TRUE(flags.Parse({"--beta=0.3"}).ok());
  EXPECT_EQ(FormatDecimal(*beta), "0.3");
  EXPECT_EQ(flags.Values()[0].json, "0.3");
  ASSERT_TRUE(flags.Parse({"--beta=auto"}).ok());
  EXPECT_FALSE(beta.has_value());
  EXPECT_FALSE(flags.Parse({"--beta=automatic"}).ok());
}

TEST(FlagSetTest, RangesOfDecimals) {
  Decimal share = "0.5", size = "2";
  FlagSet flags;
  flags.AddDecimal("share", &share, "", FlagSet::Range::kZeroToOne);
  flags.AddDecimal("size", &size, "", FlagSet::Range::kAtLeastZero);
  EXPECT_TRUE(flags.Parse({"--share=1", "--size=7.5"}).ok());
  EXPECT_EQ(FormatDecimal(share), "1");
  EXPECT_EQ(FormatDecimal(size), "7.5");
  for (const char* text : {"-0.1", "1.1", "x"}) {
    EXPECT_EQ(flags.Parse({absl::StrCat("--share=", text)}).message(),
              absl::StrCat("--share: expected a number from 0 to 1, found \"",
                           text, "\""));
  }
  EXPECT_EQ(flags.Parse({"--size=-1"}).message(),
            "--size: expected a number of at least 0, found \"-1\"");
}

}  // namespace
}  // namespace warpclust
