#!/bin/bash
# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
#
# browser_test.sh WRITER SCRIPT...: tests pages in a real browser. WRITER writes
# them with the scripts in them (page_check.h); headless Chromium opens each from
# file://. Skipped without Chromium, unless WARPCLUST_REQUIRE_CHROMIUM=1 (CI).
set -uo pipefail

chromium=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then
    chromium=$name
    break
  fi
done
if [ -z "$chromium" ]; then
  if [ "${WARPCLUST_REQUIRE_CHROMIUM:-}" = 1 ]; then
    echo "there is no Chromium here: apt-get install chromium" >&2
    exit 1
  fi
  echo "SKIPPED: there is no Chromium here (apt-get install chromium)"
  exit 0
fi

pages=${TEST_TMPDIR}/pages
mkdir -p "$pages"
writer=$1
shift
"$writer" "$pages" "$@" || exit 1

# One browser for all pages, by its DevTools protocol: JSON messages, each ended
# by a zero byte, to its file descriptor 3 and from its 4. The sandbox of Chromium
# works neither for root nor inside Bazel's.
export HOME=$TEST_TMPDIR XDG_CONFIG_HOME=$TEST_TMPDIR XDG_CACHE_HOME=$TEST_TMPDIR
# For its socket, whose path must be short, and which stays when it is killed.
TMPDIR=$(mktemp -d) || exit 1
export TMPDIR
mkfifo "$TEST_TMPDIR/requests" "$TEST_TMPDIR/answers"
"$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
  --no-first-run --user-data-dir="$TEST_TMPDIR/profile" \
  --host-resolver-rules="MAP * ~NOTFOUND" --window-size=1400,900 \
  --remote-debugging-pipe about:blank \
  3<"$TEST_TMPDIR/requests" 4>"$TEST_TMPDIR/answers" 2>"$TEST_TMPDIR/log" &
browser=$!
trap 'kill "$browser" 2>/dev/null; wait "$browser" 2>/dev/null; rm -rf "$TMPDIR"' EXIT
exec 5>"$TEST_TMPDIR/requests" 6<"$TEST_TMPDIR/answers"

status=0
id=0
# ask METHOD PARAMETERS [SESSION]: sends a request and sets $answer to the
# answer. A complaint of the page in the meantime is an error.
ask() {
  id=$((id + 1))
  printf '{"id":%d,"method":"%s","params":%s%s}\0' "$id" "$1" "$2" \
    "${3:+,\"sessionId\":\"$3\"}" >&5
  while IFS= read -r -d '' -t 100 answer <&6; do
    case $answer in
      "{\"id\":$id,"*) return ;;
      *'"method":"Runtime.exceptionThrown"'* | *'"method":"Log.entryAdded"'* | \
        *'"method":"Runtime.consoleAPICalled"'*)
        printf 'complaint: %s\n' "$answer"
        status=1
        ;;
    esac
  done
  printf 'no answer to %s; the browser says:\n' "$1"
  tail -n 20 "$TEST_TMPDIR/log"
  exit 1
}

# field NAME: the string of that name in $answer.
field() {
  sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" <<<"$answer"
}

for page in "$pages"/*.html; do
  ask Target.createTarget '{"url":"about:blank"}'
  ask Target.attachToTarget "{\"targetId\":\"$(field targetId)\",\"flatten\":true}"
  session=$(field sessionId)
  for domain in Runtime Log Page; do
    ask "$domain.enable" '{}' "$session"
  done
  ask Page.navigate "{\"url\":\"file://$page\"}" "$session"
  # The script of the page may not be there yet.
  ask Runtime.evaluate '{"awaitPromise":true,"expression":
    "new Promise((done) => { const look = () => { typeof testResult === \"undefined\" ? setTimeout(look, 20) : testResult.then(done); }; look(); })"}' "$session"
  result=$(field value)
  printf '%s: %s\n' "$(basename "$page" .html)" "${result:-$answer}"
  case $result in
    PASSED*) ;;
    *) status=1 ;;
  esac
done
exit "$status"
