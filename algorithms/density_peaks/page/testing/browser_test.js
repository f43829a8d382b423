// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Uses a decision page that write_browser_test made as a person would, and
// compares it with `testSteps`, the results of the library.

function pointer(plot, kind, x, y) {
  const svg = plot.svg.node();
  const box = svg.getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent('pointer' + kind, {
    clientX: box.left + x, clientY: box.top + y, bubbles: true, pointerId: 1,
  }));
}
function drag(plot, [x, y], [toX, toY]) {
  pointer(plot, 'move', x, y);
  pointer(plot, 'down', x, y);
  for (let k = 1; k <= 5; ++k) {
    pointer(plot, 'move', x + (toX - x) * k / 5, y + (toY - y) * k / 5);
  }
  pointer(plot, 'up', toX, toY);
}

function shownNumber(text) {
  return Number(text.replace(/,/g, '').replace(/ .*/, ''));
}

// What the header and the table show.
function shownOutcome() {
  const [clusters, noise] = Array.from(byId('outcome').querySelectorAll('dd'), (d) => shownNumber(d.textContent));
  const rows = Array.from(byId('clusters').rows, (row) => Array.from(row.cells, (cell) => cell.textContent));
  return {clusters, noise, rows};
}

async function checkStep(step, k) {
  const what = `step ${k} (${step.mode})`;
  if (k > 0) {
    byId('mode-' + step.mode).click();
    type('rho-min', step.rhoMin);
    if (step.mode === 'count') type('count', step.count); else type('delta-min', step.deltaMin);
  }
  await drawn();
  const choice = page.choice();
  const {data} = page;
  const ids = Array.from(choice.byNumber, (j) => data.idOf(choice.peaks[j]));
  checkEqual(ids, step.peaks, what + ', peaks');
  checkLabels(choice, what);
  const labels = data.id ? Array.from(data.id, (id) => step.labels[id]) : step.labels;
  checkEqual(clusterLabels(choice), labels, what + ', labels');
  check(choice.exact, what + ' is not exact');

  const shown = shownOutcome();
  checkEqual(shown.clusters, step.peaks.length, what + ', clusters shown');
  checkEqual(shown.noise, step.noise, what + ', noise shown');
  const sizes = new Array(step.peaks.length).fill(0);
  for (const label of step.labels) ++sizes[label];
  const rows = step.peaks.map((peak, number) => [
    String(number), testNames ? testNames[peak] : String(peak), formatNumber(sizes[number])]).slice(0, MAX_ROWS);
  checkEqual(shown.rows.map((cells) => [0, 1, 4].map((c) => cells[c])), rows, what + ', table');
  checkEqual(byId('more').hidden, step.peaks.length <= MAX_ROWS, what + ', more');

  const chosen = step.mode === 'thresholds'
    ? `--rho_min=${step.rhoMin} --delta_min=${Number(step.deltaMin)}`
    : `--peaks=${step.count}` + (step.rhoMin > 0 ? ` --rho_min=${step.rhoMin}` : '');
  checkEqual(byId('command').textContent,
    `density_peaks '--input=it'\\''s <\/script> $HOME.csv' --dc=${data.meta.cutoff} ${chosen}`, what + ', command');
  checkColors(choice, what);
}

// If the peaks are few, each is drawn in its color, over its points.
function checkColors(choice, what) {
  if (choice.peaks.length > 12) return;
  const {points} = page.plots;
  // A copy for reading.
  const copy = new OffscreenCanvas(points.marks.width, points.marks.height);
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(points.marks, 0, 0);
  const {data} = page;
  choice.peaks.forEach((peak, k) => {
    // A peak drawn later may cover it.
    const covered = choice.peaks.some((other, j) => j < k &&
      Math.hypot(points.px[other] - points.px[peak], points.py[other] - points.py[peak]) < 12);
    if (covered) return;
    const pixel = context.getImageData(Math.floor(points.px[peak]), Math.floor(points.py[peak]), 1, 1).data;
    checkEqual(Array.from(pixel.slice(0, 3)), clusterColor(k), `${what}, color of point ${data.idOf(peak)}`);
  });
}

async function checkDragging() {
  const {decision, gamma} = page.plots;
  byId('mode-thresholds').click();
  type('rho-min', 0);
  type('delta-min', 0);
  await drawn();
  const all = page.choice().peaks.length;
  checkEqual(all, page.data.n, 'all points are peaks');
  // Drags the corner to the middle.
  const {left, right, top, bottom} = decision.inner;
  const middle = [(left + right) / 2, (top + bottom) / 2];
  drag(decision, [left, bottom], middle);
  await drawn();
  const {rhoMin, deltaMin} = page.choice().selection;
  check(Math.abs(decision.x(rhoMin) - middle[0]) <= Math.abs(decision.x(1) - decision.x(0)),
    `dragged to rho ${rhoMin}`);
  check(Math.abs(decision.y(deltaMin) - middle[1]) < 2, `dragged to delta ${deltaMin}`);
  const expected = new Set([page.data.root]);
  for (let i = 0; i < page.data.n; ++i) {
    if (page.data.rho[i] >= rhoMin && page.data.delta[i] >= deltaMin) expected.add(i);
  }
  checkEqual(page.choice().peaks.slice().sort((a, b) => a - b),
    Array.from(expected).sort((a, b) => a - b), 'peaks after dragging');
  checkEqual([byId('rho-min').valueAsNumber, byId('delta-min').valueAsNumber], [rhoMin, deltaMin], 'inputs follow');

  // Dragging one line leaves the other.
  drag(decision, [right - 20, decision.yCut], [right - 20, bottom - 30]);
  await drawn();
  checkEqual(page.choice().selection.rhoMin, rhoMin, 'rho after dragging delta');
  check(page.choice().selection.deltaMin < deltaMin, 'delta fell');

  // Dragging the cut of the ranking changes to a number of peaks.
  type('rho-min', 0);
  await drawn();
  drag(gamma, [gamma.xCut, 60], [gamma.x(9.5), 60]);
  await drawn();
  checkEqual([page.choice().selection.mode, page.choice().peaks.length], ['count', 9], 'cut dragged to 9');
  check(byId('mode-count').checked, 'the mode follows');
}

function checkNames() {
  const bounds = {left: 0, top: 0, right: 100, bottom: 100};
  const disc = {x: 90, y: 20, width: 14, text: '12'};
  const names = placeNames([disc, disc, disc], 5, bounds);
  checkEqual(names.map((n) => [n.x, n.y, n.anchor]),
             [[82, 15, 'end'], [82, 35, 'end'], [90, 10, 'middle']], 'names at the edge');
  checkEqual(placeNames([{x: 50, y: 50, width: 7, text: '0'}, {x: 54, y: 50, width: 7, text: '1'}], 5, bounds)
                 .map((n) => [n.x, n.y, n.anchor]),
             [[42, 45, 'end'], [62, 45, 'start']], 'names of neighbors');
  // In a row, the corners of a disc are as near to its neighbors.
  const row = [40, 52, 64].map((x, k) => ({x, y: 50, width: 7, text: String(k)}));
  checkEqual(placeNames(row, 4.5, bounds).map((n) => [n.x, n.anchor]),
             [[32.5, 'end'], [52, 'middle'], [71.5, 'start']], 'names in a row');
  // A name without a free place is left out.
  const crowd = placeNames(new Array(30).fill(disc), 5, bounds);
  check(crowd.length > 3 && crowd.length < 30, `${crowd.length} names of a crowd`);
  checkEqual(shortened('a'.repeat(18)), 'a'.repeat(18), 'a name that fits');
  checkEqual(shortened('ü'.repeat(19)), 'ü'.repeat(17) + '…', 'a name that does not fit');
}

// The labels of the peaks do not overlap and lie within their plot.
function checkLabels(choice, what) {
  for (const [name, plot] of Object.entries(page.plots)) {
    const labels = Array.from(plot.names.node().childNodes, (text) => {
      const width = text.getComputedTextLength();
      const anchor = text.getAttribute('text-anchor');
      const x = Number(text.getAttribute('x'));
      const y = Number(text.getAttribute('y'));
      const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
      return {left, right: left + width, top: y - 9, bottom: y + 1, text: text.textContent};
    });
    check(labels.length <= choice.peaks.length, `${what}, ${name}: too many labels`);
    check(choice.peaks.length > 40 || labels.length > 0, `${what}, ${name}: no labels`);
    labels.forEach((a, k) => {
      check(a.left >= plot.inner.left && a.right <= plot.inner.right &&
        a.top >= plot.inner.top && a.bottom <= plot.inner.bottom, `${what}, ${name}: label ${a.text} is outside`);
      for (const b of labels.slice(0, k)) {
        check(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
          `${what}, ${name}: labels ${a.text} and ${b.text} overlap`);
      }
    });
  }
}

// With one cluster the page says whether later ranks of gamma stand out.
async function checkAdvice() {
  byId('mode-count').click();
  type('rho-min', 0);
  type('count', 2);
  await drawn();
  check(page.data.n === 1 || byId('advice').hidden, 'no advice with two clusters');
  type('count', 1);
  await drawn();
  checkEqual(byId('advice').hidden, testAdvice === 0, 'advice');
  if (testAdvice === 0) return;
  const text = byId('advice-text').textContent;
  check(text.includes(`after rank ${testAdvice}.`), text);
  checkEqual(byId('advice-apply').textContent, `Try K = ${testAdvice}`, 'button of the advice');
  // Whatever hides the ranks.
  byId('mode-thresholds').click();
  type('rho-min', 2147483647);
  type('delta-min', 0);
  await drawn();
  checkEqual(page.choice().peaks.length, 1, 'peaks above the largest density');
  check(!byId('advice').hidden, 'advice above the largest density');
  byId('advice-apply').click();
  await drawn();
  checkEqual([page.choice().selection.mode, page.choice().peaks.length], ['count', testAdvice], 'advice taken');
  checkEqual(page.choice().peaks, Array.from(page.data.ranking.slice(0, testAdvice)), 'peaks of the advice');
  check(byId('advice').hidden, 'no advice after it is taken');
}

// Names of points are shown wherever a point is named.
async function checkPointNames() {
  const {data} = page;
  checkEqual(data.names !== null, testNames !== null, 'names');
  if (data.names === null) return;
  checkEqual(data.names, data.id ? Array.from(data.id, (id) => testNames[id]) : testNames, 'names');
  byId('mode-count').click();
  type('rho-min', 0);
  type('count', 3);
  await drawn();
  const {peaks, byNumber, numbers} = page.choice();
  checkEqual(Array.from(byId('clusters').rows, (row) => row.cells[1].textContent),
    byNumber.map((k) => data.names[peaks[k]]), 'names in the table');
  const labels = peaks.map((peak, k) => `${numbers[k]} ${shortened(data.names[peak])}`).sort();
  for (const plot of Object.values(page.plots)) {
    checkEqual(Array.from(plot.names.node().childNodes, (text) => text.textContent).sort(), labels, 'labels with names');
  }
}

async function checkHighlightAndTooltip() {
  const {points} = page.plots;
  const row = byId('clusters').rows[0];
  row.click();
  await drawn();
  checkEqual(page.state.highlight, Number(row.dataset.point), 'highlighted');
  check(byId('clusters').rows[0].className === 'chosen', 'the row is marked');
  window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
  await drawn();
  checkEqual(page.state.highlight, -1, 'highlight gone');

  const point = page.choice().peaks[0];
  const [x, y] = [points.px[point] / points.ratio, points.py[point] / points.ratio];
  pointer(points, 'move', x, y);
  const near = points.nearest(x, y);
  let nearest = Infinity;
  for (let i = 0; i < page.data.n; ++i) {
    nearest = Math.min(nearest, Math.hypot(points.px[i] - points.px[point], points.py[i] - points.py[point]));
  }
  checkEqual(Math.hypot(points.px[near] - points.px[point], points.py[near] - points.py[point]), nearest, 'nearest');
  check(!byId('tooltip').hidden && byId('tooltip').textContent.includes(`point ${page.data.nameOf(near)}:`), 'tooltip');
  pointer(points, 'leave', x, y);
  check(byId('tooltip').hidden, 'tooltip gone');
}

// The page warns if the points that it holds do not suffice.
async function checkInexact() {
  byId('mode-thresholds').click();
  type('rho-min', 0);
  type('delta-min', 0);
  await drawn();
  checkEqual(byId('warning').hidden, !page.data.leftOut, 'warning at lowest thresholds');
}

async function runTest() {
  await drawn();
  checkEqual(document.querySelector('h1').textContent, `${testName} <\/script>'"<b>&amp; ü`, 'title');
  const command = byId('command').textContent;
  for (let k = 0; k < testSteps.length; ++k) await checkStep(testSteps[k], k);
  for (const id of ['log-rho', 'log-delta', 'log-gamma', 'gray-noise']) {
    byId(id).click();
    await drawn();
  }
  for (const id of ['log-rho', 'log-delta', 'log-gamma', 'gray-noise']) byId(id).click();
  if (testName === 'plane') await checkDragging();
  checkNames();
  await checkAdvice();
  await checkPointNames();
  byId('reset').click();
  await drawn();
  await checkHighlightAndTooltip();
  await checkInexact();
  byId('copy').click();
  await drawn();
  byId('reset').click();
  await drawn();
  checkEqual(byId('command').textContent, command, 'command after reset');
}

testPage(runTest);
