import '../styles/service.css';
import '../styles/map.css';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { SERVICE } from '../../engine/table/duties.ts';
import type { Language, PersonRole } from '../../engine/table/inputs.ts';
import { maySee, type Page } from '../../wire/rights.ts';
import { PinPad } from '../parts/pin-pad.tsx';
import { useDerived, useStation, useView } from '../station/station.ts';
import { houseLanguage, LANGUAGE_SIGN, LANGUAGES, tableText } from '../texts/i18n.ts';
import { ChartsPage } from './charts-page.tsx';
import { ClockPage } from './clock-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { DisplaysPage } from './displays-page.tsx';
import { DrillsPage } from './drills-page.tsx';
import { EventsPage } from './events-page.tsx';
import { ExportsPage } from './exports-page.tsx';
import { HealthSign } from './health-sign.tsx';
import { LedgerBanner } from './ledger-files.tsx';
import { LinkPage } from './link-page.tsx';
import { brokeLast, countsOf, HEALTHS, type Part } from './machine.ts';
import { MachineMap } from './machine-map.tsx';
import { MetersPage } from './meters-page.tsx';
import { NotesPage } from './notes-page.tsx';
import { GROUP_NAMES, GROUPS, groupOf, pagesFor, partsIn } from './page-groups.ts';
import { PayoutsPage } from './payouts-page.tsx';
import { PeoplePage } from './people-page.tsx';
import { ProfileInForce } from './profile-in-force.tsx';
import { ReadingPage } from './reading-page.tsx';
import { RoundsPage } from './rounds.tsx';
import { SelfTestPage } from './self-test-page.tsx';
import { ServiceLanguageProvider, useServiceWords } from './service-words.ts';
import { SoftwareIdentity } from './software-page.tsx';
import { SoundPage } from './sound-page.tsx';
import { StoragePage } from './storage-page.tsx';
import { TablesPage } from './tables-page.tsx';
import { useMachine } from './use-machine.ts';

interface PageProps {
  readonly parts: readonly Part[];
  readonly onPage: (page: Page) => void;
  /** Shows a part on the map. */
  readonly onPart: (id: string) => void;
}

/** Some lead to another one. */
const PAGES: Readonly<Record<Page, FunctionComponent<PageProps>>> = {
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
  people: PeoplePage,
  tables: ({ onPage }) => <TablesPage onProfile={() => onPage('profile')} />,
  link: LinkPage,
  reading: ReadingPage,
  storage: StoragePage,
  software: SoftwareIdentity,
  selfTest: SelfTestPage,
  drills: DrillsPage,
  exports: ExportsPage,
};

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
        {service ? (
          <Inside role={service.role} onLanguage={setLanguage} />
        ) : (
          <SignIn onLanguage={setLanguage} />
        )}
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

function Inside(props: { readonly role: PersonRole; readonly onLanguage: (language: Language) => void }) {
  const { role, onLanguage } = props;
  const { recall } = useView();
  const { s, m } = useServiceWords();
  // Coming back from a round on the table one is where one was.
  const [page, setPage] = useState<Page | null>(recall === undefined ? null : 'rounds');
  const [shown, setShown] = useState<string | null>(null);
  const { parts, told } = useMachine();
  // It begins at what is broken; from then on only a touch leads anywhere.
  const isTold = told.devices !== null;
  useLayoutEffect(() => {
    if (isTold) setShown((before) => before ?? brokeLast(parts)?.id ?? null);
  }, [isTold]);
  const goOn = {
    parts,
    onPage: setPage,
    onPart: (id: string) => {
      setShown(id);
      setPage(null);
    },
  };
  const group = page === null ? null : groupOf(page);
  const Body = page === null ? null : PAGES[page];
  return (
    <>
      <Head onLanguage={onLanguage} />
      <nav class="service-nav" aria-label={s('pages')} onKeyDown={goAmongPages}>
        <NavButton
          icon="map"
          name={m('map')}
          about={m('parts', { n: parts.length })}
          isHere={page === null}
          onClick={() => {
            setShown(null);
            setPage(null);
          }}
        />
        {GROUP_NAMES.map((each) => {
          const [first, ...others] = pagesFor(role, each);
          return (
            first && (
              <NavButton
                key={each}
                icon={each}
                name={m(`group.${each}`)}
                about={
                  others.length + 1 === GROUPS[each].length
                    ? m(`groupHas.${each}`)
                    : [first, ...others].map((page) => s(`page.${page}`)).join(', ')
                }
                parts={partsIn(each, parts)}
                isHere={each === group}
                onClick={() => setPage(first)}
              />
            )
          );
        })}
        <Totals parts={parts} />
      </nav>
      <Leaving />
      <LedgerBanner onOpen={() => setPage(maySee(role, 'storage') ? 'storage' : null)} />
      {group !== null && (
        <nav class="service-tabs" aria-label={m(`group.${group}`)} onKeyDown={goAmongPages}>
          {pagesFor(role, group).map((each) => (
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
      )}
      <main
        class={page === null ? 'service-page service-map' : 'service-page'}
        aria-label={page === null ? m('map') : s(`page.${page}`)}
        onKeyDown={goToPages}
      >
        {Body === null ? (
          <MachineMap parts={parts} told={told} shown={shown} onShow={setShown} onPage={setPage} />
        ) : (
          <Body {...goOn} />
        )}
      </main>
    </>
  );
}

function Head({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const station = useStation();
  const { service, table } = useView();
  const { s, moment } = useServiceWords();
  return (
    <header class="service-head">
      <h1>{s('title')}</h1>
      {service && (
        <p>
          {table.terminalId} · <strong>{service.name}</strong> · {s(`role.${service.role}`)} ·{' '}
          {s('since', { time: moment(service.sinceMs) })}
        </p>
      )}
      <p class="tag">{s('notPlayable')}</p>
      <LanguageSwitch onLanguage={onLanguage} />
      <button
        type="button"
        class="button"
        onClick={() => void station.send('dealer', { type: 'exit-service' })}
      >
        {s('exit')}
      </button>
    </header>
  );
}

/** Line drawings of the groups. */
const SIGNS = {
  map: 'M3 6h18v6c0 4-4 7-9 7s-9-3-9-7zM12 9v.4',
  today: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  money: 'M3 7h18v11H3zM12 10a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
  devices: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  records: 'M6 3h9l4 4v14H6zM9 10h7M9 14h7M9 18h4',
  table: 'M3 8h18c0 6-4 10-9 10S3 14 3 8z',
  system:
    'M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
} as const;

function NavButton(props: {
  readonly icon: keyof typeof SIGNS;
  readonly name: string;
  readonly about: string;
  /** Those whose faults it counts. */
  readonly parts?: readonly Part[];
  readonly isHere: boolean;
  readonly onClick: () => void;
}) {
  const { icon, name, about, parts = [], isHere, onClick } = props;
  const { m } = useServiceWords();
  const counts = countsOf(parts);
  const health = counts.fault > 0 ? 'fault' : counts.warning > 0 ? 'warning' : null;
  return (
    <button type="button" class="button" aria-current={isHere ? 'page' : undefined} onClick={onClick}>
      <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
        <path d={SIGNS[icon]} />
      </svg>
      <span class="nav-words">
        <b>{name}</b>
        <small>{about}</small>
      </span>
      {health !== null && (
        <span class={`nav-count nav-count-${health}`}>
          <HealthSign health={health} />
          {counts[health]}
          <span class="heard"> {m(`health.${health}`)}</span>
        </span>
      )}
    </button>
  );
}

/** How many parts are how. */
function Totals({ parts }: { readonly parts: readonly Part[] }) {
  const { m } = useServiceWords();
  const counts = countsOf(parts);
  return (
    <ul class="plain totals">
      {HEALTHS.map((health) => (
        <li key={health}>
          <HealthSign health={health} /> <b>{counts[health]}</b> {m(`health.${health}`)}
        </li>
      ))}
    </ul>
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
