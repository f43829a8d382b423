# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""layering_test: the folders that a folder's targets may use."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

_PRODUCT_KINDS = ["cc_library", "_cuda_library", "cc_binary"]
_TEST_KINDS = ["cc_test"]

def _labels(deps):
    """Labels of a deps attribute, including every branch of a select()."""
    if type(deps) in ["list", "tuple"]:
        return [str(dep) for dep in deps]

    # Only the text of a select() can be read: ... [Label("//a:b"), ...] ...
    return [piece for piece in str(deps).split("\"") if "//" in piece]

def _package(label):
    """The folder of ours that a label belongs to, or "@repository"."""
    if label.startswith("@") and not label.lstrip("@").startswith("//"):
        # With modules, names are like @warpclust~libraries~zlib and @rules_cc~.
        name = label.split("//")[0].strip("@~+")
        return "@" + name.replace("+", "~").split("~")[-1]
    if label.startswith(":"):
        return native.package_name()
    return label.lstrip("@").split(":")[0].lstrip("/")

def _add_uses(rule, uses):
    for label in _labels(rule.get("deps") or []):
        package = _package(label)
        switch = label.lstrip("@").startswith("//:") or label.startswith("//conditions")

        # rules_cc adds a target of its own to programs.
        if not switch and package != "@rules_cc" and package != native.package_name():
            uses[package] = True

def _ours(uses):
    """Our folders among them, without build code."""
    return sorted([use for use in uses if not use.startswith("@") and use != "third_party"])

def _uses_impl(ctx):
    lines = ["{} {}".format(ctx.attr.folder, use) for use in ctx.attr.uses]
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(out, "".join([line + "\n" for line in lines]) or ctx.attr.folder + "\n")
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles(files = [out]))]

_uses = rule(
    implementation = _uses_impl,
    attrs = {"folder": attr.string(), "uses": attr.string_list()},
)

def layering_test(name = "layering_test", may_use = [], tests_may_use = []):
    """Fails if this folder uses a folder that it does not list, or lists one in vain.

    Call it at the end of a BUILD file: it reads the direct deps of all targets
    declared before it, including CUDA and test-only targets, and all branches of
    their selects. Indirect deps are checked by the folder in between.

    Args:
      name: the test. <name>_uses is a list for the map in //docs.
      may_use: folders whose libraries this folder's libraries and programs use.
      tests_may_use: further folders that only tests and test-only targets use.
    """
    product = {}
    tests = {}
    for target in native.existing_rules().values():
        # Old names (moved.bzl) may point anywhere.
        if target.get("deprecation"):
            continue
        if target["kind"] in _PRODUCT_KINDS and not target.get("testonly"):
            _add_uses(target, product)
        elif target["kind"] in _PRODUCT_KINDS + _TEST_KINDS:
            _add_uses(target, tests)

    ours = _ours(product)
    test_uses = [use for use in _ours(tests) if use not in ours]
    sh_test(
        name = name,
        size = "small",
        srcs = ["//third_party:layering_test.sh"],
        args = ["uses"] + ours + ["may_use"] + may_use +
               ["tests_use"] + test_uses + ["tests_may_use"] + tests_may_use,
    )
    _uses(
        name = name + "_uses",
        folder = native.package_name(),
        uses = sorted(product.keys()),
        visibility = ["//docs:__pkg__"],
    )
