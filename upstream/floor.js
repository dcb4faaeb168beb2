/** Keeps the board as the centre says it is, and says so when it does not know. */

/** The centre says every second what it knows; without that nothing here is current. */
const STALE_MS = 3_000;
const byId = (id) => document.getElementById(id);
let heardAtMs = performance.now();
let shownZone = '';

function parsed(text) {
  return new DOMParser().parseFromString(text, 'text/html').body.firstElementChild;
}

/** Keys stay where they were, though what they were on is replaced. */
function keepingFocus(change) {
  const { id } = document.activeElement ?? {};
  change();
  if (id && document.activeElement?.id !== id) byId(id)?.focus({ preventScroll: true });
}

function replace(id, text) {
  const old = byId(id);
  const fresh = parsed(text);
  if (id !== 'alarms') return old?.replaceWith(fresh);
  // A card that is the same stays the same element.
  const known = new Map([...old.children].map((card) => [card.id, card]));
  const cards = [...fresh.children].map((card) => {
    const before = known.get(card.id);
    return before !== undefined && before.outerHTML === card.outerHTML ? before : card;
  });
  for (const card of cards)
    if (!known.has(card.id) && card.matches('.fault.unseen'))
      byId('said').textContent = card.querySelector('h3').textContent;
  if (cards.some((card, i) => old.children[i] !== card) || cards.length !== old.children.length)
    old.replaceChildren(...cards);
  // What is worst stands on top, and is seen, unless somebody is just at another one.
  if (!old.contains(document.activeElement)) old.scrollTop = 0;
  return undefined;
}

function showZone() {
  for (const zone of document.querySelectorAll('.zone'))
    zone.hidden = shownZone !== '' && zone.dataset.zone !== shownZone;
  for (const chip of document.querySelectorAll('[data-show]'))
    chip.setAttribute('aria-pressed', String(chip.dataset.show === shownZone));
}

const dialog = byId('table');
function fillTable() {
  const facts = byId(`tile-${dialog.dataset.of}`)?.querySelector('template');
  if (facts) byId('table-facts').replaceChildren(facts.content.cloneNode(true));
}
function openTable(terminal) {
  dialog.dataset.of = terminal;
  fillTable();
  byId(`tile-${terminal}`)?.scrollIntoView({ block: 'nearest' });
  dialog.showModal();
}

async function see(button) {
  button.disabled = true;
  const [terminal, no] = button.dataset.see.split('/');
  const answer = await fetch(`/floor/alarms/${encodeURIComponent(terminal)}/${no}/seen`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-banca-token': document.body.dataset.token },
    body: '{}',
  }).catch(() => null);
  if (answer?.ok) return;
  button.disabled = false;
  byId('said').textContent = document.body.dataset.notSent;
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button === null) return;
  if (button.dataset.see !== undefined) void see(button);
  else if (button.dataset.table !== undefined) openTable(button.dataset.table);
  else if (button.dataset.show !== undefined) {
    shownZone = button.dataset.show;
    showZone();
  }
});

function take({ data }) {
  const { zones, parts, clock } = JSON.parse(data);
  heardAtMs = performance.now();
  byId('stale').hidden = true;
  document.body.classList.remove('stale');
  byId('clock').textContent = clock;
  keepingFocus(() => {
    if (zones !== undefined) {
      byId('zones').replaceWith(parsed(zones));
      if (document.querySelector(`.zone[data-zone="${shownZone}"]`) === null) shownZone = '';
    }
    for (const [id, part] of parts) replace(id, part);
    showZone();
  });
  if (dialog.open) fillTable();
}

/** A browser comes back by itself where the line is cut, and gives up where it was refused. */
const AGAIN_MS = 2_000;
function listen() {
  const stream = new EventSource('/floor/stream');
  stream.addEventListener('floor', take);
  stream.addEventListener('error', () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS);
  });
}
listen();

setInterval(() => {
  const isStale = performance.now() - heardAtMs > STALE_MS;
  if (!isStale || document.body.classList.contains('stale')) return;
  byId('stale-since').textContent = byId('clock').textContent;
  byId('stale').hidden = false;
  document.body.classList.add('stale');
}, 500);
