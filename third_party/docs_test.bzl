# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""docs_test: runs the commands of a page and compares their output with the page."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

# The inputs of the fixtures.
_EXAMPLES = [
    "//examples:encyclopedia.jsonl",
    "//examples:encyclopedia_clusters.tsv",
    "//examples:encyclopedia_truth.tsv",
    "//examples:headlines.jsonl",
    "//examples:headlines_truth.tsv",
    "//examples:points.csv",
    "//examples:points_truth.tsv",
    "//examples:tribes.txt",
]

_TOOLS = [
    "//tools:correlation_cluster",
    "//tools:dclustr",
    "//tools:density_peaks",
    "//tools:determinism_report",
    "//tools:evaluate",
    "//tools:generate",
    "//tools:oclustr",
    "//tools:online_cluster",
    "//tools:similarity_graph",
    "//tools:vectorize",
]

def docs_test(name = "docs_test", page = "README.md", tools = False, programs = []):
    """Runs the commands of a page; see docs_test.sh for what it compares.

    Each command must run, or be listed with a reason in docs_not_run.tsv.
    docs_fixtures.sh makes the files that commands name.

    Args:
      name: the test.
      page: a Markdown file of this package.
      tools: whether the page uses programs of //tools.
      programs: labels of further programs that it uses.
    """
    helpers = ["docs_commands.awk", "docs_fixtures.sh", "docs_not_run.tsv"]
    tool_labels = (_TOOLS if tools else []) + programs
    sh_test(
        name = name,
        size = "medium" if tools else "small",
        srcs = ["//third_party:docs_test.sh"],
        args = [(native.package_name() + "/" + page).lstrip("/")] +
               ["third_party/" + helper for helper in helpers] +
               [label[2:].replace(":", "/") for label in tool_labels],
        data = [page] + tool_labels + (_EXAMPLES if tools else []) +
               ["//third_party:" + helper for helper in helpers],
        # .ci/run finds pages without a test by this tag.
        tags = ["docs"],
    )
