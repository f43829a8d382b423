// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
'use strict';

// Elements that pages have in common. Text from files only ever becomes text
// nodes.

function byId(id) {
  return document.getElementById(id);
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Fills a <dl> with [name, value] pairs.
function showFacts(id, facts) {
  byId(id).replaceChildren(...facts.map(([name, value]) => {
    const pair = element('div');
    pair.append(element('dt', name), element('dd', value));
    return pair;
  }));
}

// Shows #tooltip with these contents beside the pointer.
function showTooltip(event, ...contents) {
  const tooltip = byId('tooltip');
  tooltip.replaceChildren(...contents);
  tooltip.hidden = false;
  const {offsetWidth: width, offsetHeight: height} = tooltip;
  const right = event.clientX + 14 + width < window.innerWidth;
  const below = event.clientY + 14 + height < window.innerHeight;
  tooltip.style.left = `${right ? event.clientX + 14 : event.clientX - 10 - width}px`;
  tooltip.style.top = `${below ? event.clientY + 14 : event.clientY - 10 - height}px`;
}
function hideTooltip() {
  byId('tooltip').hidden = true;
}

// Quotes a word for a shell, if necessary.
function shellWord(word) {
  if (/^[A-Za-z0-9_@%+=:,.\/-]+$/.test(word)) return word;
  return "'" + word.replace(/'/g, "'\\''") + "'";
}

// Shows a command line in #command: `words`, then `chosen` in bold.
function showCommand(words, chosen = []) {
  const fixed = words.map(shellWord).join(' ');
  byId('command').replaceChildren(fixed);
  if (chosen.length > 0) byId('command').append(' ', element('b', chosen.map(shellWord).join(' ')));
}

// The button #copy copies the text of #command.
byId('copy').addEventListener('click', async () => {
  let copied = false;
  try {
    await navigator.clipboard.writeText(byId('command').textContent);
    copied = true;
  } catch (error) {
    // Some browsers grant no clipboard to files: copy a selection instead.
    const range = document.createRange();
    range.selectNodeContents(byId('command'));
    const selected = window.getSelection();
    selected.removeAllRanges();
    selected.addRange(range);
    copied = document.execCommand('copy');
  }
  byId('copy').textContent = copied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => { byId('copy').textContent = 'Copy'; }, 1500);
});

byId('library-version').textContent = d3.version;
