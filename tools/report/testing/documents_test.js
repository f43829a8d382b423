// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Uses a page about clusters of documents as a person would, and compares it
// with `testClusters`, what the library said of them.

function titleOf(d) {
  return testTitles[d] || testIds[d];
}

function shortTitle(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= 120) return text;
  let end = 120;
  while ((bytes[end] & 0xC0) === 0x80) --end;
  return new TextDecoder().decode(bytes.slice(0, end)) + '…';
}

function details() {
  return byId('details').textContent;
}

async function runTest() {
  await drawn();
  checkEqual(document.querySelector('h1').textContent, testTitle, 'title');
  const {clusters, documents, meta} = page;
  const isStream = testTimelines.some((timeline) => timeline.timed > 0);

  // Clusters: all, or the largest.
  const listed = testClusters.slice().sort((a, b) => b.size - a.size || a.number - b.number)
    .slice(0, testMost[0]).sort((a, b) => a.number - b.number);
  checkEqual(Array.from(page.number), listed.map((c) => c.number), 'clusters');
  checkEqual(Array.from(page.size), listed.map((c) => c.size), 'sizes');
  checkEqual(listed.map((_, k) => page.termsOf(k)), listed.map((c) => c.terms), 'terms');
  checkEqual(meta.total.clusters, testClusters.length, 'all clusters');
  check(byId('outcome').textContent.includes(formatNumber(testClusters.length)), 'clusters are counted');

  // Documents: names, and the clusters that each is in.
  const index = new Map(testIds.map((id, d) => [id, d]));
  const listedDocuments = page.ids.map((id) => index.get(id));
  check(listedDocuments.every((d, k) => k === 0 || listedDocuments[k - 1] < d), 'documents ascend');
  check(page.ids.length === Math.min(testIds.length, page.ids.length) && page.ids.length <= testMost[0], 'documents');
  const total = listedDocuments.reduce((sum, _, k) => sum + page.memberships[k].length, 0);
  check(total <= testMost[1], 'memberships within the limit');
  if (testIds.length <= testMost[0] && testMost[1] >= 200000) checkEqual(page.ids, testIds, 'all documents');
  listedDocuments.forEach((d, k) => {
    checkEqual(page.titleOf(k), shortTitle(titleOf(d)), `title of ${d}`);
    const expected = listed.filter((c) => c.members.includes(d));
    checkEqual(page.memberships[k].map((m) => page.number[page.clusterOf[m]]), expected.map((c) => c.number),
      `clusters of ${d}`);
    page.memberships[k].forEach((m, j) => {
      const at = expected[j].members.indexOf(d);
      check(Math.abs(page.cosine[m] - expected[j].cosines[at]) < 1e-6, `cosine of ${d}`);
      if (expected[j].reasons.length === 0 || testWords.length === 0 || expected[j].cosines[at] === 0) return;
      // A column without a word is no reason.
      const reasons = expected[j].reasons[at].filter(([column]) => testWords[column] !== '');
      checkEqual(page.reasonsOf(m).map(([word]) => word), reasons.map(([column]) => testWords[column]),
        `reasons of ${d} in ${expected[j].number}`);
      page.reasonsOf(m).forEach(([, share], r) => check(Math.abs(share - reasons[r][1]) <= 0.5 + 1e-6, 'share'));
    });
  });
  const whole = listed.length === testClusters.length && page.ids.length === meta.total.documents;
  checkEqual(byId('held').textContent.startsWith('Lists all') || byId('held').textContent.startsWith('Draws'), whole,
    'what the page lists');

  // Histogram: all memberships, except those of centers.
  const counts = new Array(50).fill(0);
  for (const cluster of testClusters) {
    cluster.members.forEach((d, k) => {
      if (d !== cluster.center) ++counts[Math.min(49, Math.max(0, Math.floor(cluster.cosines[k] * 50)))];
    });
  }
  checkEqual(page.cosines.counts, counts, 'cosines');
  checkEqual(page.cosines.mark.value, Number(meta.threshold[1]), 'threshold');

  // Filter: clusters of one are hidden, and shown on demand.
  const several = listed.filter((c) => c.size > 1).length;
  const hides = several < listed.length && several > 0;
  checkEqual(byId('hide-alone').closest('div').hidden, !hides, 'filter');
  checkEqual(clusters.found.length, hides ? several : listed.length, 'filtered');
  const clusterTexts = listed.map((c, k) => `${c.number} ${page.nameOf(k)} ${c.terms.join(' ')}`);
  checkList('clusters', clusters, clusterTexts);
  if (hides) {
    byId('hide-alone').click();
    checkEqual(clusters.found.length, listed.length, 'not filtered');
    checkList('clusters', clusters, clusterTexts);
    byId('hide-alone').click();
  }
  checkList('documents', documents, listedDocuments.map((d) => `${shortTitle(titleOf(d))} ${testIds[d]}`));

  // Details of clusters.
  for (const k of listed.keys()) {
    if (k >= 12) break;
    const cluster = listed[k];
    page.choose({cluster: k});
    check(details().startsWith(`Cluster ${cluster.number}: ${page.nameOf(k)}`), `title of cluster ${cluster.number}`);
    if (cluster.title) checkEqual(page.nameOf(k), shortTitle(cluster.title), 'name of a cluster');
    checkEqual(Array.from(byId('details').querySelectorAll('.term'), (term) => term.textContent), cluster.terms, 'terms');
    const heading = Array.from(byId('details').querySelectorAll('h3')).find((h) => h.textContent.startsWith('Shares'));
    const shown = heading ? heading.nextSibling.children.length : 0;
    checkEqual(shown, cluster.neighbors.filter(([c]) => listed.some((other) => other.number === c)).length, 'neighbors');
    const rest = cluster.numNeighbors - shown;
    check(rest === 0 || !heading || details().includes(`and ${formatNumber(rest)} more`), 'more neighbors');
    checkNoMarkup();
    await drawn();
  }
  // A term leads to the clusters that have it.
  const chip = byId('details').querySelector('.term');
  if (chip) {
    const word = chip.textContent;
    chip.click();
    check(!byId('clusters').hidden && clusters.input.value === word.replace(/\n/g, ''), 'a term is searched for');
    searchIn('clusters', '');
  }
  // Details of documents, and from there to a cluster.
  for (const k of listedDocuments.slice(0, 12).keys()) {
    page.choose({document: k});
    check(details().startsWith(page.titleOf(k)), 'title of a document');
    if (page.titles[k]) check(details().includes(page.ids[k]), 'id of a document');
    checkEqual(byId('details').querySelectorAll('li').length, page.memberships[k].length, 'clusters of a document');
    for (const m of page.memberships[k]) {
      for (const [word, share] of page.reasonsOf(m)) {
        check(details().includes(`${word} ${share} %`) || details().includes('is its center'), `reason ${word}`);
      }
    }
    checkNoMarkup();
  }
  const link = byId('details').querySelector('li .link');
  if (link) {
    link.click();
    check(page.state.cluster >= 0 && page.state.document < 0, 'a document leads to its cluster');
    const back = Array.from(byId('details').querySelectorAll('li .link')).pop();
    back.click();
    check(page.state.document >= 0 || page.state.cluster >= 0, 'a cluster leads to its documents');
  }
  window.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
  checkEqual([page.state.cluster, page.state.document], [-1, -1], 'Escape leads back');
  check(details().startsWith('Clusters at a glance'), 'the overview');

  checkPicture(isStream, listed);
  if (isStream) await checkTimes(listed);
  checkEqual(byId('counts-tabs').hidden, !isStream, 'tabs of streams');

  byId('tab-clusters').focus();
  press(byId('tab-clusters'), 'ArrowRight');
  checkEqual([document.activeElement.id, byId('clusters').hidden], ['tab-documents', true], 'arrow keys change tabs');
  checkEqual(byId('command').textContent, `oclustr '--input=it'\\''s <\/script>'`, 'command');
  checkNoMarkup();
  checkAccessible();
}

// Discs of the map overlap little, lie in the picture, and choose their clusters.
function checkPicture(isStream, listed) {
  if (isStream) return;
  const shown = listed.filter((c) => c.size > 1).length;
  const discs = Array.from(byId('picture').querySelectorAll('circle'));
  checkEqual(discs.length, Math.min(shown, MAX_MAP), 'discs');
  const box = byId('picture').getBoundingClientRect();
  const places = discs.map((disc) => ['cx', 'cy', 'r'].map((name) => Number(disc.getAttribute(name))));
  places.forEach(([x, y, r], k) => {
    check(x - r >= -1 && y - r >= -1 && x + r <= box.width + 1 && y + r <= box.height + 1, `disc ${k} is outside`);
    for (const [ox, oy, or] of places.slice(0, k)) {
      check(Math.hypot(x - ox, y - oy) > 0.7 * (r + or), `discs overlap at ${x}, ${y}`);
    }
  });
  if (discs.length === 0) return;
  discs[0].dispatchEvent(new MouseEvent('click', {bubbles: true}));
  checkEqual(page.size[page.state.cluster], Math.max(...page.size), 'the largest disc is clicked');
  discs[0].dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 900, clientY: 300}));
  check(byId('tooltip').textContent.includes(page.nameOf(page.state.cluster)), 'tooltip');
  discs[0].dispatchEvent(new PointerEvent('pointerleave', {bubbles: true}));
  check(byId('tooltip').hidden, 'tooltip gone');
}

async function checkTimes(listed) {
  const timed = testTimelines.reduce((sum, timeline) => sum + timeline.timed, 0);
  const sum = () => page.times.counts.reduce((a, b) => a + b, 0);
  checkEqual(sum(), timed, 'documents with a time');
  const k = listed.findIndex((c) => testTimelines[c.number].timed > 3);
  page.choose({cluster: k});
  await drawn();
  const timeline = testTimelines[listed[k].number];
  checkEqual(sum(), timeline.timed, 'documents of a cluster with a time');
  for (const seconds of [timeline.first, timeline.last]) {
    check(details().includes(new Date(1000 * seconds).toISOString().slice(0, 10)), 'first and last');
  }
  check(details().includes('busiest'), 'the busiest time');
  byId('tab-cosines').click();
  await drawn();
  check(byId('time-plot').hidden && byId('cosine-plot').querySelectorAll('rect.bar').length === 50, 'cosines are shown');
  byId('tab-times').click();
  await drawn();
  const cell = byId('picture').querySelector('rect.cell');
  cell.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  check(page.state.cluster >= 0, 'a cell chooses its cluster');
}

testPage(runTest);
