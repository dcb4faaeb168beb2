/**
 * Development page: one designed state of the table alone, with empty frames where the seat panels
 * will be. `?state=turn&lang=pt&renderer=canvas`; `&from=STATE` shows the way from another state;
 * `&still` leaves the clock to `table.setTime`. Not part of the product.
 */
import '@fontsource-variable/noto-sans-hk';
import type { Language } from '../../engine/table/inputs.ts';
import { paintBare } from '../../renderer/table/felt.ts';
import { layTable } from '../../renderer/table/layout.ts';
import { createTable, type TableScene } from '../../renderer/table/table.scene.ts';
import type { TableView } from '../../wire/view.ts';
import { VIEWS } from '../fixtures/views.ts';
import { type Contrast, contrasts } from './contrast-page.ts';
import { type Drawn, drawn } from './drawn-page.ts';

declare global {
  interface Window {
    table?: TableScene;
    views?: Readonly<Record<string, TableView>>;
    createTable?: typeof createTable;
    /** The ground of a table as it is painted, a PNG as a data URL. */
    paintGround?: (width: number, height: number) => string;
    /** How every word drawn for a state stands out; time is in the caller's hand. */
    contrasts?: (state: string) => Promise<readonly Contrast[]>;
    /** How what is drawn for a state stands out, painted with so much of its strength. */
    drawn?: (state: string, alpha: number) => Drawn;
  }
}

const query = new URLSearchParams(location.search);
const views: Readonly<Record<string, TableView>> = VIEWS;

function fixture(name: string): TableView {
  const view = views[name];
  if (view === undefined) throw new Error(`no state ${name}; there are ${Object.keys(views).join(' ')}`);
  const language = query.get('lang') as Language | null;
  return language === null ? view : { ...view, seats: view.seats.map((seat) => ({ ...seat, language })) };
}

const host = document.querySelector<HTMLElement>('#table');
if (host === null) throw new Error('gallery.html has no #table');
const wish = query.get('renderer');
const table = await createTable(host, {
  renderer: wish === 'webgl' || wish === 'canvas' ? wish : 'auto',
  reducedMotion: query.has('fade'),
  view: fixture(query.get('from') ?? query.get('state') ?? 'turn'),
});
if (query.has('panels')) {
  const panels = document.createElement('div');
  panels.className = 'panels';
  for (let i = 0; i < 7; i++) panels.append(document.createElement('div'));
  document.body.append(panels);
}
if (query.has('still')) table.setTime(0);
const from = query.get('from');
if (from !== null) table.update(fixture(from));
table.update(fixture(query.get('state') ?? 'turn'));
window.addEventListener('resize', () => table.resize());
window.table = table;
window.createTable = createTable;
window.paintGround = (width, height) => paintBare(layTable(width, height), 1).canvas.toDataURL();
window.contrasts = (state) => contrasts(table, fixture(state));
window.drawn = (state, alpha) => drawn(table, fixture(state), alpha);
// last: its presence says that the table stands (`table` is also the name of the element)
window.views = Object.fromEntries(Object.keys(views).map((name) => [name, fixture(name)]));
