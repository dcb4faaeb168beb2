/** The words of service mode, which come with its code, after the first picture of the table. */
import enEvents from '../../locales/en/events.json' with { type: 'json' };
import enMap from '../../locales/en/map.json' with { type: 'json' };
import enPortugal from '../../locales/en/portugal-service.json' with { type: 'json' };
import enService from '../../locales/en/service.json' with { type: 'json' };
import ptEvents from '../../locales/pt/events.json' with { type: 'json' };
import ptMap from '../../locales/pt/map.json' with { type: 'json' };
import ptPortugal from '../../locales/pt/portugal-service.json' with { type: 'json' };
import ptService from '../../locales/pt/service.json' with { type: 'json' };
import zhEvents from '../../locales/zh-Hant/events.json' with { type: 'json' };
import zhMap from '../../locales/zh-Hant/map.json' with { type: 'json' };
import zhPortugal from '../../locales/zh-Hant/portugal-service.json' with { type: 'json' };
import zhService from '../../locales/zh-Hant/service.json' with { type: 'json' };
import { addTexts } from '../texts/i18n.ts';

addTexts('service', { 'zh-Hant': zhService, pt: ptService, en: enService });
addTexts('events', { 'zh-Hant': zhEvents, pt: ptEvents, en: enEvents });
addTexts('map', { 'zh-Hant': zhMap, pt: ptMap, en: enMap });
for (const space of ['service', 'events', 'map'] as const)
  addTexts(space, { 'zh-Hant': zhPortugal[space], pt: ptPortugal[space], en: enPortugal[space] }, 'portugal');
