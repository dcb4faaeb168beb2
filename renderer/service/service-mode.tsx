import { useState } from 'preact/hooks';
import type { Language } from '../../engine/table/inputs.ts';
import { LANGUAGE_SIGN, LANGUAGES, tableText } from '../i18n.ts';
import { PinPad } from '../panel/pin-pad.tsx';
import { useStation, useView } from '../station.ts';
import { DrillsPage } from './drills-page.tsx';
import { EventsPage } from './events-page.tsx';
import { ExportsPage } from './exports-page.tsx';
import { LedgerBanner } from './ledger-files.tsx';
import { LinkPage } from './link-page.tsx';
import { MetersPage } from './meters-page.tsx';
import { DevicesPage, SelfTestPage, SoftwareIdentity } from './pages.tsx';
import { ProfileInForce } from './profile-in-force.tsx';
import { RoundsPage } from './rounds.tsx';
import { ServiceLanguageProvider, useServiceWords } from './service-words.ts';
import { StoragePage } from './storage-page.tsx';
import { TablesPage } from './tables-page.tsx';

const PAGES = [
  'devices',
  'meters',
  'events',
  'rounds',
  'profile',
  'tables',
  'link',
  'storage',
  'software',
  'selfTest',
  'drills',
  'exports',
] as const;
type Page = (typeof PAGES)[number];

/** Service mode over the whole screen while a service session is open; a display of role `service` also signs in here. */
export function ServiceMode() {
  const { service } = useView();
  const [language, setLanguage] = useState<Language>('zh-Hant');
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
  const { s, language, t } = useServiceWords();
  const notice = station.notices.value.get('dealer');
  return (
    <div class="service-sign-in">
      <LanguageSwitch onLanguage={onLanguage} />
      <PinPad
        title={s('pin')}
        t={tableText(language)}
        onPin={(pin) => void station.send('dealer', { type: 'enter-service', pin })}
        onClose={() => station.dismiss('dealer')}
      />
      <p role="status">{notice ? t(`reject.${notice.code}`) : ''}</p>
    </div>
  );
}

function Inside({ onLanguage }: { readonly onLanguage: (language: Language) => void }) {
  const station = useStation();
  const { service } = useView();
  const { s, moment } = useServiceWords();
  const [page, setPage] = useState<Page>('devices');
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
      <nav class="service-nav" aria-label={s('pages')}>
        {PAGES.map((each) => (
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
      <LedgerBanner onOpen={() => setPage('storage')} />
      <main class="service-page" aria-label={s(`page.${page}`)}>
        <h2>{s(`page.${page}`)}</h2>
        <PageBody page={page} onPage={setPage} />
      </main>
    </>
  );
}

function PageBody({ page, onPage }: { readonly page: Page; readonly onPage: (page: Page) => void }) {
  switch (page) {
    case 'devices':
      return <DevicesPage />;
    case 'meters':
      return <MetersPage />;
    case 'events':
      return <EventsPage />;
    case 'rounds':
      return <RoundsPage />;
    case 'profile':
      return <ProfileInForce onTables={() => onPage('tables')} />;
    case 'tables':
      return <TablesPage onProfile={() => onPage('profile')} />;
    case 'link':
      return <LinkPage />;
    case 'storage':
      return <StoragePage />;
    case 'software':
      return <SoftwareIdentity />;
    case 'selfTest':
      return <SelfTestPage />;
    case 'drills':
      return <DrillsPage />;
    case 'exports':
      return <ExportsPage />;
  }
}
