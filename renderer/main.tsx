import '@fontsource-variable/noto-sans-hk/index.css';
import './styles/base.css';
import './styles/panel.css';
import './styles/comfort.css';
import './styles/dealer.css';
import './styles/desk.css';
import './styles/rules.css';
import './styles/roads.css';
import './styles/service.css';
import './styles/recall.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { hearEveryFinger } from './fingers.ts';
import { closeKiosk } from './kiosk.ts';
import { answerMeasures } from './measure.ts';
import { createSoundPlayer } from './sound/player.ts';
import { createStation, StationProvider } from './station.ts';
import { touchRegions } from './touch-regions.ts';
import { openWire } from './wire.ts';

/** Letters that no text of ours has: style sheets are taken apart on the thread that paints, so these come after the first picture. */
const OTHER_LETTERS_MS = 2_000;
setTimeout(() => void import('@fontsource-variable/noto-sans-hk/index.css?others'), OTHER_LETTERS_MS);

// The felt asks for its code when there is a view, and says what is wrong with it; it comes while the host is still being asked.
const forFelt = async (): Promise<unknown> => {
  const { createTable } = await import('./table/table.scene.ts');
  return createTable;
};
forFelt().catch(() => {});
closeKiosk();
hearEveryFinger();
const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');
const station = createStation(openWire(), createSoundPlayer());
window.touchRegions = () => touchRegions(station);
answerMeasures(station);
render(
  <StationProvider value={station}>
    <App />
  </StationProvider>,
  root,
);
