# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""The libraries that warpclust needs, for MODULE.bazel.

They are those of the system, as in deps.bzl. In a dependant's MODULE.bazel:

    libraries = use_extension("@warpclust//third_party:modules.bzl", "libraries")
    use_repo(libraries, "com_google_absl", "com_google_googletest")

A module with the same labels can take the place of a library, for all modules, so
that a program has one Abseil:

    bazel_dep(name = "abseil-cpp", version = "...")
    libraries.library(name = "com_google_absl", source = "@abseil-cpp")
"""

load("//third_party:deps.bzl", "declare_libraries")
load("//third_party:system_libraries.bzl", "system_library_repository")

def _libraries_impl(module_ctx):
    # The root module comes first, and its word counts.
    sources = {}
    for module in module_ctx.modules:
        for tag in module.tags.library:
            sources.setdefault(tag.name, "@@" + tag.source.repo_name)

    known = []

    def declare(rule, name, **kwargs):
        if rule == system_library_repository:
            known.append(name)
            kwargs["source"] = sources.get(name, "")
        rule(name = name, **kwargs)

    declare_libraries(declare)
    for name in sources:
        if name not in known:
            fail("expected one of {}, found library(name = \"{}\")".format(known, name))

libraries = module_extension(
    implementation = _libraries_impl,
    tag_classes = {
        "library": tag_class(
            attrs = {
                "name": attr.string(
                    mandatory = True,
                    doc = "A repository that deps.bzl makes from a system library.",
                ),
                "source": attr.label(
                    mandatory = True,
                    doc = "A label in the repository to use instead.",
                ),
            },
        ),
    },
)
