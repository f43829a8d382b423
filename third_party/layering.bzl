# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""layering_test: the packages that a package's libraries may reach."""

_LIBRARY_KINDS = ["cc_library", "_cuda_library", "cc_binary"]

def _check(name, libraries, may_use, **kwargs):
    labels = ["//{}:{}".format(native.package_name(), library) for library in libraries]
    native.genquery(
        name = name + "_deps",
        testonly = True,
        expression = "kind('rule', deps(set({})))".format(" ".join(labels)),
        opts = ["--noimplicit_deps", "--nohost_deps"],
        scope = labels,
        **kwargs
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//third_party:layering_test.sh"],
        args = ["$(location :{}_deps)".format(name), native.package_name()] + may_use,
        data = [":{}_deps".format(name)],
        # The map of the packages is drawn by what these tests look at.
        visibility = ["//docs:__pkg__"],
        **kwargs
    )

def _needs_cuda(library, rule):
    """Whether the library, by all signs, only exists with --config=cuda."""
    if rule.get("target_compatible_with") or "cuda" in library:
        return True

    # A select() is no list; what it chooses exists in both configurations.
    deps = rule.get("deps")
    if type(deps) not in ["list", "tuple"]:
        return False
    for dep in deps:
        if "cuda" in dep:
            return True
    return False

def layering_test(name = "layering_test", may_use = [], needs_cuda = []):
    """Fails if a library of this package reaches a package it must not know.

    Call it at the end of a BUILD file: it looks at all libraries and programs
    declared before it, except testonly ones, with all branches of their selects.
    What only exists with --config=cuda (or has, or directly uses, a name with
    "cuda" in it) is checked by <name>_cuda under that config.

    Args:
      name: the test.
      may_use: packages, like "sparse"; those below them are meant too. The
        package itself and external repositories are always allowed.
      needs_cuda: libraries that only exist with --config=cuda although neither
        they nor their deps say so by name.
    """
    plain = []
    switched = []
    for library, rule in native.existing_rules().items():
        if rule["kind"] not in _LIBRARY_KINDS or rule.get("testonly"):
            continue
        if library in needs_cuda or _needs_cuda(library, rule):
            switched.append(library)
        else:
            plain.append(library)
    if plain:
        _check(name, plain, may_use)
    if switched:
        _check(
            name + "_cuda",
            switched,
            may_use,
            target_compatible_with = select({
                "//:cuda_enabled": [],
                "//conditions:default": ["//:cuda_required"],
            }),
        )
