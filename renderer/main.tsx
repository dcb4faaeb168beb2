/**
 * The page on one page. `app.tsx` puts a display together by its role: the felt (`felt.tsx`, drawn
 * by `table/`), panels and the dealer's edge (`panel/`), roads, recall, sound (`cues/`, `sound/`),
 * and service mode (`service/`), which is code of its own and comes later. `station/` is the
 * display itself: its line to the host and what it knows; `spoken/` says a panel aloud to whoever
 * does not see it. Texts are in `texts/`, and what several
 * of these share in `parts/`. What each room may touch: docs/architecture.md.
 */
import { wire } from './station/host-line.ts';
import '@fontsource-variable/noto-sans-hk/index.css';
import './styles/base.css';
import './styles/panel.css';
import './styles/decide.css';
import './styles/bets.css';
import './styles/comfort.css';
import './styles/dealer.css';
import './styles/desk.css';
import './styles/rules.css';
import './styles/roads.css';
import './styles/recall.css';
import './styles/displays.css';
import { render } from 'preact';
import { App, bringServiceMode } from './app.tsx';
import { bringRules } from './rules/rules-tab.tsx';
import { Loudspeaker } from './sound/loudspeaker.ts';
import { createSoundPlayer } from './sound/player.ts';
import { createSpeaker } from './sound/speaker.ts';
import { blindHands } from './spoken/blind-hands.ts';
import { exploreByHand } from './spoken/explore.ts';
import { hearEveryFinger } from './station/fingers.ts';
import { closeKiosk } from './station/kiosk.ts';
import { answerMeasures } from './station/measure.ts';
import { createStation, StationProvider } from './station/station.ts';
import { touchRegions } from './station/touch-regions.ts';
import { groundPicture, groundUrl } from './table/ground-pictures.ts';

/**
 * What comes after the first picture: the rules, service mode, and the letters that only names of
 * people have.
 */
const LATER_MS = 2_000;
setTimeout(() => {
  bringRules()
    .then(bringServiceMode)
    .then(() => import('@fontsource-variable/noto-sans-hk/index.css?names'))
    .catch(() => {});
}, LATER_MS);

// all the letters there are by now: none of them waits until a text is laid out with it
for (const face of document.fonts) face.load().catch(() => {});
// unpacked while the panels are made; what cannot be loaded the table itself will miss, and say
const ground = groundUrl({ width: innerWidth, height: innerHeight });
if (ground !== null)
  groundPicture(ground)
    .decode()
    .catch(() => {});
closeKiosk();
const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');
const loudspeaker = new Loudspeaker();
const speaker = createSpeaker(async (seat, language, text) => {
  const answer = await wire.query({ query: 'say', seat, language, text });
  return answer.ok ? answer.data : null;
}, loudspeaker);
const station = createStation(wire, createSoundPlayer(loudspeaker), speaker);
hearEveryFinger(exploreByHand(blindHands(station)));
window.touchRegions = () => touchRegions(station);
answerMeasures(station);
render(
  <StationProvider value={station}>
    <App />
  </StationProvider>,
  root,
);
