# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""moved: libraries at their old labels, with headers at their old paths."""

load("//third_party:cc.bzl", "cc_library")

def _forwarding_headers_impl(ctx):
    outs = []
    for header in ctx.attr.hdrs:
        out = ctx.actions.declare_file(header)
        ctx.actions.write(out, "#include \"{}/{}\"\n".format(ctx.attr.folder, header))
        outs.append(out)
    return [DefaultInfo(files = depset(outs))]

_forwarding_headers = rule(
    implementation = _forwarding_headers_impl,
    attrs = {"folder": attr.string(), "hdrs": attr.string_list()},
)

def moved(libraries):
    """Keeps what dependants wrote working: label and #include.

    Args:
      libraries: the new label, which has the old name, to its headers.
    """
    for label, hdrs in libraries.items():
        folder, name = label[2:].split(":")

        # Not built by //...: only dependants have a use for it.
        _forwarding_headers(
            name = name + "_moved_headers",
            folder = folder,
            hdrs = hdrs,
            tags = ["manual"],
        )
        cc_library(
            name = name,
            hdrs = [":" + name + "_moved_headers"],
            deprecation = "moved to {}; this name goes in 0.3".format(label),
            tags = ["manual"],
            visibility = ["//visibility:public"],
            deps = [label],
        )
