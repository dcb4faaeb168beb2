/** The touches that lead to a page of service mode, and to a part on its map. */
import type { Page as Glass, Locator } from 'playwright-core';
import type { Language } from '../../engine/table/inputs.ts';
import { GROUPS, groupOf } from '../../renderer/service/page-groups.ts';
import type { Page } from '../../wire/rights.ts';
import { text } from './texts.ts';

/** A page by its group and its tab; of a group's first page one touch is the whole road. */
export async function toPage(glass: Glass, language: Language, page: Page): Promise<void> {
  const group = groupOf(page);
  const name = text(language, `group.${group}`, {}, 'map');
  await glass
    .getByRole('navigation', { name: text(language, 'pages', {}, 'service'), exact: true })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  const title = text(language, `page.${page}`, {}, 'service');
  if (GROUPS[group][0] !== page)
    await glass
      .getByRole('navigation', { name, exact: true })
      .getByRole('button', { name: title, exact: true })
      .click();
  await glass.getByRole('main', { name: title, exact: true }).waitFor();
}

/** A part on the map, by its id. */
export const partOf = (glass: Glass, id: string): Locator => glass.locator(`[data-part="${id}"]`);

/** Touches a part; the map is there. */
export async function toPart(glass: Glass, id: string): Promise<Locator> {
  await partOf(glass, id).click();
  const panel = glass.locator('.part-panel header');
  await panel.waitFor();
  return glass.locator('.part-panel');
}
