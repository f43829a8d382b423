// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// SearchList: a table of many rows to search, sort and choose from. Shows the
// first ROWS_SHOWN rows that match, and more on demand. Arrow keys move, Enter
// or Space chooses.

const ROWS_SHOWN = 200;

// Text from a file, isolated from the text around it: it may run from right to
// left, or hold marks that turn the direction around.
function fileText(text, className) {
  return element('bdi', text, className);
}

// A button that looks like a link.
function linkButton(text, action) {
  const button = element('button', undefined, 'link');
  button.type = 'button';
  button.append(typeof text === 'string' ? fileText(text) : text);
  button.addEventListener('click', action);
  return button;
}

function counted(count, [one, many]) {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

class SearchList {
  // `nouns`: ['cluster', 'clusters']. `count` rows, each an index. `columns`:
  // {name, cell(i) -> text or node, key(i) -> number or text to sort by,
  // rising: the first direction, text: aligned left, wide: takes the free width};
  // sorted by the column `sortedBy`, or in
  // order of their indexes. `textOf(i)` is what the search looks in.
  constructor(id, {nouns, count, columns, sortedBy, textOf, choose}) {
    Object.assign(this, {nouns, count, columns, textOf, choose});
    this.chosen = -1;
    this.shown = ROWS_SHOWN;
    this.accepts = null;
    this.lowered = null;
    const root = byId(id);
    this.input = element('input');
    this.input.type = 'search';
    this.input.placeholder = `Search ${nouns[1]}`;
    this.input.setAttribute('aria-label', this.input.placeholder);
    this.status = element('p', undefined, 'found');
    this.status.setAttribute('role', 'status');
    const head = element('div', undefined, 'list-head');
    head.append(this.input, this.status);
    const headRow = element('tr');
    this.headers = columns.map((column, k) => {
      const header = headRow.appendChild(element('th', undefined, SearchList.classOf(column)));
      header.scope = 'col';
      const button = header.appendChild(element('button', column.name));
      button.type = 'button';
      button.addEventListener('click', () => this.sortBy(k));
      return header;
    });
    const table = element('table');
    table.setAttribute('aria-label', nouns[1]);
    table.appendChild(element('thead')).append(headRow);
    this.body = table.appendChild(element('tbody'));
    this.more = element('button', undefined, 'more');
    this.more.type = 'button';
    this.more.addEventListener('click', () => {
      this.shown *= 4;
      this.fill();
    });
    this.frame = element('div', undefined, 'table-frame');
    this.frame.append(table, this.more);
    root.append(head, this.frame);

    this.input.addEventListener('input', () => this.search());
    const rowOf = (event) => event.target.closest('tbody tr');
    this.body.addEventListener('click', (event) => {
      const row = rowOf(event);
      if (row) choose(Number(row.dataset.index));
    });
    this.body.addEventListener('keydown', (event) => {
      const row = rowOf(event);
      if (!row) return;
      if (event.key === 'Enter' || event.key === ' ') choose(Number(row.dataset.index));
      else if (event.key === 'ArrowDown' && row.nextSibling) row.nextSibling.focus();
      else if (event.key === 'ArrowUp' && row.previousSibling) row.previousSibling.focus();
      else return;
      event.preventDefault();
    });
    if (sortedBy === undefined) {
      this.order = Array.from({length: count}, (_, i) => i);
      this.search();
    } else {
      this.sortBy(sortedBy);
    }
  }

  static classOf({text, wide}) {
    return [text && 'text', wide && 'wide'].filter((name) => name).join(' ');
  }

  sortBy(column) {
    const {rising = false, key} = this.columns[column];
    this.rising = this.sorted === column ? !this.rising : rising;
    this.sorted = column;
    const keys = Array.from({length: this.count}, (_, i) => key(i));
    const sign = this.rising ? 1 : -1;
    const compare = typeof keys[0] === 'string'
      ? (a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0)
      : (a, b) => keys[a] - keys[b];
    this.order = Array.from(keys.keys()).sort((a, b) => sign * compare(a, b) || a - b);
    this.headers.forEach((header, k) => {
      if (k === column) header.setAttribute('aria-sort', this.rising ? 'ascending' : 'descending');
      else header.removeAttribute('aria-sort');
    });
    this.search();
  }

  // Only rows for which accepts(i), if not null, are found.
  setFilter(accepts) {
    this.accepts = accepts;
    this.search();
  }

  // Every word must occur in the text of a row.
  search() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter((word) => word);
    if (words.length > 0 && !this.lowered) {
      this.lowered = Array.from({length: this.count}, (_, i) => this.textOf(i).toLowerCase());
    }
    this.found = this.order.filter((i) => (!this.accepts || this.accepts(i)) &&
      words.every((word) => this.lowered[i].includes(word)));
    this.shown = ROWS_SHOWN;
    this.frame.scrollTop = 0;
    this.fill();
  }

  fill() {
    this.status.textContent = this.found.length === this.count
      ? counted(this.count, this.nouns)
      : `${formatNumber(this.found.length)} of ${counted(this.count, this.nouns)}`;
    this.body.replaceChildren(...this.found.slice(0, this.shown).map((i) => this.rowOf(i)));
    this.more.hidden = this.found.length <= this.shown;
    this.more.textContent = `Show more of ${formatNumber(this.found.length - this.shown)} ${this.nouns[1]}`;
  }

  rowOf(i) {
    const row = element('tr');
    row.dataset.index = i;
    row.tabIndex = 0;
    row.append(...this.columns.map((column) => {
      const cell = element('td', undefined, SearchList.classOf(column));
      cell.append(column.cell(i));
      return cell;
    }));
    this.mark(row);
    return row;
  }

  mark(row) {
    const chosen = Number(row.dataset.index) === this.chosen;
    row.classList.toggle('chosen', chosen);
    if (chosen) row.setAttribute('aria-current', 'true'); else row.removeAttribute('aria-current');
  }

  // Marks row `i` (-1: none).
  setChosen(i) {
    this.chosen = i;
    for (const row of this.body.rows) this.mark(row);
  }
}

// Panels that share a place: the buttons `tabs`, {button id: panel id}, show one.
class Tabs {
  constructor(tabs) {
    this.tabs = tabs;
    const buttons = Object.keys(tabs);
    buttons.forEach((id, k) => {
      byId(id).addEventListener('click', () => this.show(id));
      byId(id).addEventListener('keydown', (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        const next = buttons[(k + step + buttons.length) % buttons.length];
        this.show(next);
        byId(next).focus();
      });
    });
    this.show(buttons[0]);
  }

  show(shown) {
    for (const [button, panel] of Object.entries(this.tabs)) {
      byId(button).setAttribute('aria-selected', String(button === shown));
      byId(button).tabIndex = button === shown ? 0 : -1;
      byId(panel).hidden = button !== shown;
    }
  }
}
