import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { SERVICE } from '../../engine/table/duties.ts';
import type { Language } from '../../engine/table/inputs.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { useDerived, useStation, useView } from '../station/station.ts';
import { houseLanguage, LANGUAGE_SIGN, LANGUAGES, tableText } from '../texts/i18n.ts';
import { ChartsPage } from './charts-page.tsx';
import { ClockPage } from './clock-page.tsx';
import { DisplaysPage } from './displays-page.tsx';
import { DrillsPage } from './drills-page.tsx';
import { EventsPage } from './events-page.tsx';
import { ExportsPage } from './exports-page.tsx';
import { LedgerBanner } from './ledger-files.tsx';
import { LinkPage } from './link-page.tsx';
import { MetersPage } from './meters-page.tsx';
import { NotesPage } from './notes-page.tsx';
import { DevicesPage, SelfTestPage } from './pages.tsx';
import { PayoutsPage } from './payouts-page.tsx';
import { ProfileInForce } from './profile-in-force.tsx';
import { ReadingPage } from './reading-page.tsx';
import { RoundsPage } from './rounds.tsx';
import { ServiceLanguageProvider, useServiceWords } from './service-words.ts';
import { SoftwareIdentity } from './software-page.tsx';
import { SoundPage } from './sound-page.tsx';
import { StoragePage } from './storage-page.tsx';
import { TablesPage } from './tables-page.tsx';

interface PageProps {
  readonly onPage: (page: 'profile' | 'tables') => void;
}

/** Every page, in the order of their list. Some lead to another one. */
const PAGES = {
  devices: DevicesPage,
  notes: NotesPage,
  payouts: PayoutsPage,
  displays: DisplaysPage,
  sound: SoundPage,
  clock: ClockPage,
  meters: MetersPage,
  charts: ChartsPage,
  events: EventsPage,
  rounds: RoundsPage,
  profile: ({ onPage }) => <ProfileInForce onTables={() => onPage('tables')} />,
  tables: ({ onPage }) => <TablesPage onProfile={() => onPage('profile')} />,
  link: LinkPage,
  reading: ReadingPage,
  storage: StoragePage,
  software: SoftwareIdentity,
  selfTest: SelfTestPage,
  drills: DrillsPage,
  exports: ExportsPage,
} satisfies Readonly<Record<string, FunctionComponent<PageProps>>>;
type Page = keyof typeof PAGES;

/**
 * Service mode over the whole screen while a service session is open; a display of role `service`
 * also signs in here.
 */
export function ServiceMode() {
  const { service } = useView();
  const [language, setLanguage] = useState<Language>(houseLanguage);
  return (
    <ServiceLanguageProvider value={language}>
      <div class="service" lang={language}>
        {service ? <Inside onLanguage={setLanguage} /> : <SignIn onLanguage={setLanguage} />}
      </div>
    </ServiceLanguageProvider>
  );
}

function LanguageSwitch({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const { language, t } = useServiceWords();
  return (
    <fieldset class="languages" aria-label={t('language.label')}>
      {LANGUAGES.map((each) => (
        <button
          type="button"
          key={each}
          class="language"
          lang={each}
          aria-label={`${LANGUAGE_SIGN[each]} ${t(`language.${each}`)}`}
          aria-pressed={each === language}
          onClick={() => onLanguage(each)}
        >
          {LANGUAGE_SIGN[each]}
        </button>
      ))}
    </fieldset>
  );
}

function SignIn({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const station = useStation();
  const { language, t } = useServiceWords();
  const notice = station.notices.value.get('dealer');
  return (
    <div class="service-sign-in">
      <LanguageSwitch onLanguage={onLanguage} />
      <PinPad
        title={t('service.pin')}
        t={tableText(language)}
        roles={SERVICE}
        onCredential={(credential) => void station.send('dealer', { type: 'enter-service', credential })}
        onClose={() => station.dismiss('dealer')}
      />
      <p class="service-answer bad" role="status">
        {notice ? t(`reject.${notice.code}`) : ''}
      </p>
    </div>
  );
}

function Inside({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const station = useStation();
  const { service } = useView();
  const { s, moment } = useServiceWords();
  const [page, setPage] = useState<Page>('devices');
  const Body: FunctionComponent<PageProps> = PAGES[page];
  return (
    <>
      <header class="service-head">
        <h1>{s('title')}</h1>
        {service && (
          <p>
            <strong>{service.name}</strong> · {s(`role.${service.role}`)} ·{' '}
            {s('since', { time: moment(service.sinceMs) })}
          </p>
        )}
        <p class="tag">{s('notPlayable')}</p>
        <LanguageSwitch onLanguage={onLanguage} />
        <button
          type="button"
          class="button button-gold"
          onClick={() => void station.send('dealer', { type: 'exit-service' })}
        >
          {s('exit')}
        </button>
      </header>
      <nav class="service-nav" aria-label={s('pages')} onKeyDown={goAmongPages}>
        {(Object.keys(PAGES) as Page[]).map((each) => (
          <button
            type="button"
            key={each}
            class="button"
            aria-current={each === page ? 'page' : undefined}
            onClick={() => setPage(each)}
          >
            {s(`page.${each}`)}
          </button>
        ))}
      </nav>
      <Leaving />
      <LedgerBanner onOpen={() => setPage('storage')} />
      <main class="service-page" aria-label={s(`page.${page}`)} onKeyDown={goToPages}>
        <h2>{s(`page.${page}`)}</h2>
        <Body onPage={setPage} />
      </main>
    </>
  );
}

/** Nobody has touched anything for long: the session is about to end. */
function Leaving() {
  const { nowMs } = useStation();
  const { s } = useServiceWords();
  const leavesAtMs = useView().service?.leavesAtMs ?? null;
  const seconds = useDerived(
    () => (leavesAtMs === null ? null : Math.max(0, Math.ceil((leavesAtMs - nowMs.value) / 1_000))),
    [nowMs, leavesAtMs],
  );
  return seconds === null ? null : (
    <p class="service-leaving" role="timer">
      {s('leaving', { seconds })}
    </p>
  );
}

/** Up and down go from page to page. */
function goAmongPages(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { key, currentTarget: nav } = event;
  const buttons = [...nav.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || at < 0) return;
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

/** Back from a page to the list of pages, by keyboard as by finger. */
function goToPages(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return;
  document.querySelector<HTMLElement>('.service-nav [aria-current]')?.focus();
}
