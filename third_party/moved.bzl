# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""moved: libraries at their old labels, with headers at their old paths."""

load("//third_party:cc.bzl", "cc_library")

def _forwarding_headers_impl(ctx):
    outs = []
    for old, new in ctx.attr.hdrs.items():
        out = ctx.actions.declare_file(old)
        ctx.actions.write(out, "#include \"{}\"\n".format(new))
        outs.append(out)
    return [DefaultInfo(files = depset(outs))]

_forwarding_headers = rule(
    implementation = _forwarding_headers_impl,
    attrs = {"hdrs": attr.string_dict()},
)

def _moved(name, label, hdrs):
    folder = label[2:].split(":")[0]

    # Not built by //...: only dependants use it.
    _forwarding_headers(
        name = name + "_moved_headers",
        hdrs = {old: folder + "/" + new for old, new in hdrs.items()},
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

def moved(libraries, renamed = {}):
    """Keeps old labels and #include lines of dependants working.

    Args:
      libraries: new labels to headers, where the name of the library stays.
      renamed: old names of libraries to their new label and a dictionary from
        old headers to new ones.
    """
    for label, hdrs in libraries.items():
        _moved(label.split(":")[1], label, {header: header for header in hdrs})
    for name, (label, hdrs) in renamed.items():
        _moved(name, label, hdrs)
