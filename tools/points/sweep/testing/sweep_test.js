// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Uses a page of a sweep as a person would, and compares it with `testSteps`.

const byNeighbors = 'neighbors' in testSteps[0];
const valueOf = (step) => (byNeighbors ? step.neighbors : step.fraction);

function checkChosen(k, what) {
  checkEqual(page.rows.map((row) => row.classList.contains('chosen')), testSteps.map((_, at) => at === k), what);
  checkEqual(byId('command').textContent,
    `density_peaks '--input=it'\\''s <\/script>.csv' --${byNeighbors ? 'neighbors' : 'dc_fraction'}=${valueOf(testSteps[k])}`, what + ', command');
}

async function runTest() {
  await drawn();
  checkEqual(document.querySelector('h1').textContent, testTitle, 'title');
  check(byId('outcome').textContent.includes(testRange), 'range is shown');
  checkChosen(testChosen, 'first choice');

  // The table has the values, and none where there is none.
  const shown = page.rows.map((row) => Array.from(row.cells, (cell) => cell.textContent));
  checkEqual(shown.map((cells) => Number(cells[0])), testSteps.map(valueOf), 'values');
  const heads = Array.from(document.querySelectorAll('th'), (head) => head.textContent);
  checkEqual(heads.slice(0, 3), byNeighbors ? ['k', 'clusters', 'largest'] : ['fraction', 'd_c', 'clusters'], 'heads');
  const first = heads.indexOf('clusters');
  checkEqual(shown.map((cells) => Number(cells[first])), testSteps.map((step) => step.clusters), 'clusters');
  checkEqual(shown.map((cells) => cells[first + 5] === '–'), testSteps.map((step) => step.agreement === null), 'agreement');
  checkEqual(page.rows.map((row) => row.className.includes('stable')), testSteps.map((step) => step.stable === 1), 'stable');

  // A dot per value and line, at its height; a band over the stable values.
  const {clusters, shares, sigma} = page.plots;
  const heights = (plot) => Array.from(plot.svg.node().querySelectorAll('circle'), (dot) => Number(dot.getAttribute('cy')));
  checkEqual(heights(clusters).map(Math.round), testSteps.map((step) => Math.round(clusters.y(step.clusters))), 'heights');
  const known = (name) => testSteps.filter((step) => step[name] !== null).length;
  checkEqual(heights(shares).length, known('agreement') + 2 * testSteps.length, 'dots of shares');
  checkEqual(heights(sigma).length, known('weakest_sigma') + testSteps.length, 'dots of sigma');
  for (const plot of [clusters, shares, sigma]) {
    const box = plot.inner;
    check(heights(plot).every((y) => y >= box.top - 1 && y <= box.bottom + 1), 'dots are in the frame');
    const bands = plot.svg.node().querySelectorAll('.band');
    checkEqual(bands.length, page.band ? 1 : 0, 'bands');
    if (!page.band) continue;
    const from = Number(bands[0].getAttribute('x'));
    const to = from + Number(bands[0].getAttribute('width'));
    testSteps.forEach((step) => {
      const at = plot.x(valueOf(step));
      checkEqual(at > from && at < to, step.stable === 1, `band at ${valueOf(step)}`);
    });
  }

  page.rows[1].click();
  checkChosen(1, 'click');
  press(page.rows[0], 'Enter');
  checkChosen(0, 'key');
  page.plots.clusters.svg.node().querySelector('circle').dispatchEvent(new PointerEvent('pointermove', {bubbles: true}));
  check(!byId('tooltip').hidden && byId('tooltip').textContent.includes(byNeighbors ? `k ${testSteps[0].neighbors}` : `d_c ${testSteps[0].cutoff_distance}`), 'tooltip');
}

testPage(runTest);
