// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// What the scripts that test a page in a browser share. Such a script calls
// testPage(run). The promise `testResult`, which browser_test.sh waits for,
// yields "PASSED, N checks" or the failures.

let checks = 0;
const failures = [];

function check(condition, message) {
  ++checks;
  if (!condition) failures.push(message);
}
function checkEqual(found, expected, what) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  check(a === b, `${what}: found ${String(a).slice(0, 200)}, expected ${String(b).slice(0, 200)}`);
}

// Waits two frames: one to draw in, and the next.
function drawn() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

function type(id, value) {
  const input = byId(id);
  input.focus();
  input.value = value;
  input.dispatchEvent(new Event('input', {bubbles: true}));
  input.dispatchEvent(new Event('change', {bubbles: true}));
  input.blur();
}

function press(target, key) {
  target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
}

let finishTest;
const testResult = new Promise((resolve) => { finishTest = resolve; });

function testPage(run) {
  run().catch((error) => failures.push(String(error.stack))).then(() => {
    checkEqual(performance.getEntriesByType('resource').map((entry) => entry.name), [], 'resources loaded');
    failures.push(...pageErrors);
    finishTest(failures.length === 0 ? `PASSED, ${checks} checks` : 'FAILED: ' + failures.slice(0, 8).join('\n'));
  });
}
