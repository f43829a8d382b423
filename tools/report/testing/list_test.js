// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// What the tests of pages with lists share.

// The texts of the rows of a list, by cell, without the small print below.
function shownRows(id) {
  return Array.from(byId(id).querySelectorAll('tbody tr'), (row) => Array.from(row.cells, (cell) => {
    const under = cell.querySelector('.under');
    return under ? cell.textContent.slice(0, -under.textContent.length) : cell.textContent;
  }));
}
function shownIndexes(id) {
  return Array.from(byId(id).querySelectorAll('tbody tr'), (row) => Number(row.dataset.index));
}
function searchIn(id, text) {
  const input = byId(id).querySelector('input[type=search]');
  input.value = text;
  input.dispatchEvent(new Event('input', {bubbles: true}));
}
function statusOf(id) {
  return byId(id).querySelector('[role=status]').textContent;
}

// Searches a list for every word of every text in `texts`, and compares with a
// plain search; sorts it by every column; walks it with the keyboard.
function checkList(id, list, texts) {
  byId('tab-' + id).click();
  check(!byId(id).hidden, `${id} is shown`);
  const find = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter((word) => word);
    return texts.map((text, i) => (words.every((word) => text.toLowerCase().includes(word)) ? i : -1))
      .filter((i) => i >= 0 && (!list.accepts || list.accepts(i)));
  };
  const queries = ['', 'nothing like this', '<script>', 'quoted twice', 'ü'];
  for (const text of texts.slice(0, 9)) queries.push(text, text.split(/\s+/)[0]);
  // The search box takes no newlines.
  for (const query of queries.map((text) => text.replace(/\n/g, ' '))) {
    searchIn(id, query);
    const expected = find(query);
    checkEqual(list.found.slice().sort((a, b) => a - b), expected, `${id}: found for ${query}`);
    check(statusOf(id).startsWith(formatNumber(expected.length)), `${id}: status ${statusOf(id)}`);
    checkEqual(shownIndexes(id), list.found.slice(0, ROWS_SHOWN), `${id}: rows for ${query}`);
  }
  searchIn(id, '');
  const more = byId(id).querySelector('button.more');
  checkEqual(more.hidden, list.found.length <= ROWS_SHOWN, `${id}: more`);
  if (!more.hidden) {
    more.click();
    checkEqual(shownIndexes(id).length, Math.min(4 * ROWS_SHOWN, list.found.length), `${id}: rows after more`);
  }
  const headers = Array.from(byId(id).querySelectorAll('th'));
  headers.forEach((header, k) => {
    for (let twice = 0; twice < 2; ++twice) {
      header.querySelector('button').click();
      const sign = header.getAttribute('aria-sort') === 'ascending' ? 1 : -1;
      const keys = list.found.map((i) => list.columns[k].key(i));
      check(keys.every((key, i) => i === 0 || (sign > 0 ? keys[i - 1] <= key : keys[i - 1] >= key)),
        `${id}: sorted by column ${k}`);
    }
    checkEqual(headers.filter((other) => other.hasAttribute('aria-sort')).length, 1, `${id}: one sorted column`);
  });
  const rows = byId(id).querySelectorAll('tbody tr');
  if (rows.length > 1) {
    rows[0].focus();
    press(rows[0], 'ArrowDown');
    check(document.activeElement === rows[1], `${id}: arrow down`);
    press(rows[1], 'ArrowUp');
    check(document.activeElement === rows[0], `${id}: arrow up`);
    press(rows[0], 'Enter');
    checkEqual(list.chosen, Number(rows[0].dataset.index), `${id}: chosen by Enter`);
    checkEqual(byId(id).querySelectorAll('[aria-current=true]').length, 1, `${id}: one row is marked`);
  }
}

// Texts from files are text: no element came from them, and each is isolated.
function checkNoMarkup() {
  checkEqual(document.querySelectorAll('main img, main b, main script, header script').length, 0, 'markup from texts');
  for (const node of document.querySelectorAll('main *')) {
    for (const child of node.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE || !/[\u202a-\u202e\u200f]/.test(child.data)) continue;
      check(['BDI', 'text', 'title'].includes(node.nodeName) || node.id === 'announcement', `text in a <${node.nodeName}>: ${child.data}`);
    }
  }
}

// Every control has a name, what was chosen is announced, and every plot says what it shows.
function checkAccessible() {
  checkEqual(byId('announcement').textContent, byId('details').querySelector('h2').textContent, 'announcement');
  for (const node of document.querySelectorAll('button, input, section, svg[role=img]')) {
    const name = node.getAttribute('aria-label') || node.textContent.trim() ||
      (node.labels && node.labels.length > 0 && node.labels[0].textContent.trim());
    check(Boolean(name), `a <${node.nodeName}> without a name: ${node.outerHTML.slice(0, 80)}`);
  }
  for (const node of document.querySelectorAll('[aria-controls], [aria-labelledby]')) {
    for (const attribute of ['aria-controls', 'aria-labelledby']) {
      const id = node.getAttribute(attribute);
      check(id === null || byId(id), `${attribute} of no element: ${id}`);
    }
  }
}
