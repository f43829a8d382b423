# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Pages in a real browser."""

def browser_test(name, writer, script):
    """Opens the pages that `writer` writes, with `script` in them, in Chromium.

    Skips itself where there is no Chromium.

    Args:
      name: the test.
      writer: a program whose main() is WriteBrowserTests (page_check.h).
      script: JavaScript that calls testPage (page_test.js).
    """
    page_test = "//base/html/testing:page_test.js"
    native.sh_test(
        name = name,
        size = "medium",
        srcs = ["//base/html/testing:browser_test.sh"],
        args = ["$(location %s)" % file for file in [writer, page_test, script]],
        data = [page_test, script, writer],
    )
