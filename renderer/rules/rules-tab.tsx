import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { SeatView, TableView } from '../../wire/view.ts';
import { Icon } from '../parts/icons.tsx';
import { bringLetters } from '../parts/letters.ts';
import { panelMode } from '../parts/mode.ts';
import { startAnew } from '../station/kiosk.ts';
import { useWords } from '../station/words.ts';
import type { DrawerProps, Shown } from './rules-drawer.tsx';

const drawer = signal<FunctionComponent<DrawerProps> | null>(null);

/** The rules in three languages are a sixth of the page's code, and a table starts without them. */
export async function bringRules(): Promise<void> {
  const [{ RulesDrawer }] = await Promise.all([import('./rules-drawer.tsx'), bringLetters()]);
  drawer.value = RulesDrawer;
}

/**
 * The rules of this table, from every seat in every state: one touch on the tab above the panel
 * opens all of them. They lie above the panel over the seat's own part of the
 * felt, so they hide no control and no other seat; when a decision of the seat falls due they make
 * way for the cards.
 */
export function RulesTab({ seat, view }: { readonly seat: SeatView; readonly view: TableView }) {
  const { t } = useWords();
  const [shown, show] = useState<Shown>('closed');
  const due = panelMode(view, seat) === 'decide';
  const Drawer = drawer.value;
  useLayoutEffect(() => {
    if (due) show('closed');
  }, [due]);
  useEffect(() => {
    if (shown !== 'closed' && drawer.peek() === null) bringRules().catch(startAnew);
  }, [shown]);
  // Without a profile there is no table whose rules could be shown.
  if (view.table.options['min'] === undefined) return null;
  if (shown === 'closed' || Drawer === null) {
    return (
      <button type="button" class="seat-tab rules-tab" onClick={() => show('rules')}>
        <Icon name="info" />
        {t('seat.rules')}
      </button>
    );
  }
  return <Drawer seat={seat.seat} view={view} shown={shown} show={show} />;
}
