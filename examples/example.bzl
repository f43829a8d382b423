# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""example: a program of at most 50 lines whose output a test compares."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//third_party:cc.bzl", "cc_binary")

def example(name, deps, data = []):
    """The program <name>.cc, and <name>_test.

    The test compares what the program prints with <name>_output.txt.

    Args:
      name: the example.
      deps: the libraries that it shows.
      data: files that it reads, by their paths in the repository.
    """
    cc_binary(
        name = name,
        srcs = [name + ".cc"],
        data = data,
        deps = deps,
    )
    sh_test(
        name = name + "_test",
        size = "small",
        srcs = ["example_test.sh"],
        args = [name],
        data = [
            ":" + name,
            name + ".cc",
            name + "_output.txt",
        ],
    )
