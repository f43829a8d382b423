# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Stand-ins for the repositories that Bazel 4 lacks or would fetch."""

_CC_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "objc_library",
]

_JAVA_RULES = [
    "java_binary",
    "java_import",
    "java_library",
    "java_proto_library",
    "java_runtime",
    "java_test",
    "java_toolchain",
]

# A file cannot give a global of Bazel to a global of the same name.
_NATIVE_CC = """\
native_cc_common = cc_common
native_CcInfo = CcInfo
"""

_REEXPORTED_CC = """\
load(":native.bzl", "native_{symbol}")

{symbol} = native_{symbol}
"""

_COVERAGE_BUILD = """\
filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)
"""

def _reexport(rules):
    return "".join(["{0} = native.{0}\n".format(rule) for rule in rules])

def _stub_repository_impl(repository_ctx):
    kind = repository_ctx.attr.kind
    if kind == "rules_cc":
        repository_ctx.file("cc/BUILD", "exports_files([\"defs.bzl\"])\n")
        repository_ctx.file("cc/defs.bzl", _reexport(_CC_RULES))
        repository_ctx.file("cc/common/BUILD", "")
        repository_ctx.file("cc/common/native.bzl", _NATIVE_CC)
        for name, symbol in [("cc_common", "cc_common"), ("cc_info", "CcInfo")]:
            repository_ctx.file(
                "cc/common/{}.bzl".format(name),
                _REEXPORTED_CC.format(symbol = symbol),
            )
        repository_ctx.file("BUILD", "")
    elif kind == "rules_java":
        repository_ctx.file("java/BUILD", "exports_files([\"defs.bzl\"])\n")
        repository_ctx.file("java/defs.bzl", _reexport(_JAVA_RULES))
        repository_ctx.file("BUILD", "")
    elif kind == "rules_shell":
        repository_ctx.file("shell/BUILD", "")
        for rule in ["sh_binary", "sh_test"]:
            repository_ctx.file("shell/{}.bzl".format(rule), _reexport([rule]))
        repository_ctx.file("BUILD", "")
    else:
        repository_ctx.file("BUILD", _COVERAGE_BUILD)
    repository_ctx.file(
        "WORKSPACE",
        "workspace(name = \"{}\")\n".format(repository_ctx.name),
    )

stub_repository = repository_rule(
    implementation = _stub_repository_impl,
    attrs = {
        "kind": attr.string(
            mandatory = True,
            values = ["rules_cc", "rules_java", "rules_shell", "remote_coverage_tools"],
        ),
    },
    doc = "Re-exports Bazel's built-in rules under the labels of the real repository.",
)
