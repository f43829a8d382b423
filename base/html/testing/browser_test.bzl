# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Pages in a real browser."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def browser_test(name, writer, scripts):
    """Opens the pages that `writer` writes, with `scripts` in them, in Chromium.

    Skips itself where there is no Chromium.

    Args:
      name: the test.
      writer: a program whose main() is WriteBrowserTests (page_check.h).
      scripts: JavaScript files, of which the last calls testPage (page_test.js).
    """
    files = [writer, "//base/html/testing:page_test.js"] + scripts
    sh_test(
        name = name,
        size = "medium",
        srcs = ["//base/html/testing:browser_test.sh"],
        args = ["$(location %s)" % file for file in files],
        data = files,
    )
