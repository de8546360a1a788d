// The search of the site: sections that hold every word of the query, those with the words in their headings first.
'use strict';
const root = document.currentScript.dataset.root;
const query = document.getElementById('query');
const results = document.getElementById('results');
const MOST = 20;
const WEIGHTS = { heading: 8, page: 4, text: 1 };

const plain = (text) => text.toLowerCase();
const entries = INDEX.map((entry) => ({
  ...entry,
  lower: { heading: plain(entry.heading), page: plain(entry.page), text: plain(entry.text) },
}));

/** 0 when a word is missing. */
function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    let best = 0;
    for (const [part, weight] of Object.entries(WEIGHTS)) {
      const at = entry.lower[part].indexOf(word);
      // The beginning of a word counts more than its middle.
      if (at >= 0) best = Math.max(best, weight * (at === 0 || /\W/.test(entry.lower[part][at - 1]) ? 2 : 1));
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** Some words around the first hit. */
function excerpt(entry, words) {
  const at = words.map((word) => entry.lower.text.indexOf(word)).find((place) => place >= 0) ?? 0;
  return entry.text.slice(Math.max(0, at - 40), at + 120).trim();
}

function show() {
  const words = plain(query.value).split(/\s+/).filter(Boolean);
  results.replaceChildren();
  results.hidden = words.length === 0;
  if (results.hidden) return;
  const found = entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter((hit) => hit.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST);
  for (const { entry } of found) {
    const link = document.createElement('a');
    link.href = root + entry.address;
    link.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
    const text = document.createElement('p');
    text.textContent = excerpt(entry, words);
    const item = document.createElement('li');
    item.append(link, text);
    results.append(item);
  }
  if (found.length === 0) {
    const item = document.createElement('li');
    item.textContent = 'Nothing found.';
    results.append(item);
  }
}

query.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
  if (event.key === 'Escape' && document.activeElement === query) {
    query.value = '';
    show();
  }
});
