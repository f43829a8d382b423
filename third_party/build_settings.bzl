# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0

"""Build settings that hold one flag's value (what bazel-skylib calls *_flag)."""

BuildSettingInfo = provider(
    doc = "The value of a build setting.",
    fields = ["value"],
)

def _build_setting_impl(ctx):
    return [BuildSettingInfo(value = ctx.build_setting_value)]

bool_flag = rule(
    implementation = _build_setting_impl,
    build_setting = config.bool(flag = True),
    doc = "A true/false flag.",
)

string_list_flag = rule(
    implementation = _build_setting_impl,
    build_setting = config.string_list(flag = True),
    doc = "A flag whose value is a comma-separated list.",
)
