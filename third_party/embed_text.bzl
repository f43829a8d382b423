# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Files that are compiled in."""

load("//third_party:cc.bzl", "cc_library")

def embed_text(name, parts, visibility):
    """A library of functions that return the texts of files (embed_text.sh).

    Args:
      name: the library. <name>.h declares the functions.
      parts: "Function=file", in order. A function that is named several times
        returns its files one after another.
      visibility: of the library.
    """
    pairs = [part.split("=") for part in parts]
    files = {file: True for _, file in pairs}
    native.genrule(
        name = "embed_" + name,
        srcs = files.keys(),
        outs = [name + ".cc"],
        cmd = " ".join([
            "$(location //third_party:embed_text.sh)",
            native.package_name() + "/" + name + ".h",
        ] + ["{}=$(location {})".format(function, file) for function, file in pairs] + [
            ">$@",
        ]),
        tools = ["//third_party:embed_text.sh"],
    )
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = [name + ".h"],
        visibility = visibility,
        deps = ["@com_google_absl//absl/strings"],
    )
