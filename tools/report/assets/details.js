// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Parts of the panel with the details of what was chosen.

const MAX_DETAILS = 60;

function swatchOf(k) {
  const swatch = element('span', undefined, 'swatch');
  swatch.style.background = cssColor(clusterColor(k));
  return swatch;
}

// A cell of a list: a name in up to two lines, and smaller text below.
function nameCell(parts, under) {
  const cell = element('span');
  const name = cell.appendChild(element('span', undefined, 'name'));
  name.append(...parts);
  if (under) cell.append(typeof under === 'string' ? fileText(under, 'under') : under);
  return cell;
}

function definitions(pairs) {
  const list = element('dl');
  for (const [name, value] of pairs) {
    const pair = list.appendChild(element('div'));
    const definition = element('dd');
    definition.append(value);
    pair.append(element('dt', name), definition);
  }
  return list;
}

// A heading and a list of [left, right], of which the first MAX_DETAILS are
// shown. Nothing without any.
function detailList(heading, items, total = items.length) {
  if (items.length === 0) return [];
  const list = element('ul');
  for (const [left, right] of items.slice(0, MAX_DETAILS)) {
    const item = list.appendChild(element('li'));
    const span = item.appendChild(element('span'));
    span.append(...[].concat(left));
    item.append(element('span', right, 'soft'));
  }
  const parts = [element('h3', heading), list];
  const rest = total - Math.min(items.length, MAX_DETAILS);
  if (rest > 0) parts.push(element('p', `and ${formatNumber(rest)} more`, 'soft'));
  return parts;
}

// The first part is the heading, which screen readers announce.
function showDetails(...parts) {
  byId('announcement').textContent = parts[0].textContent;
  byId('details').replaceChildren(...parts);
  byId('details').scrollTop = 0;
}

// The whole numbers 0 ... count - 1.
function range(count) {
  return Array.from({length: count}, (_, i) => i);
}
