import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MODELS } from '../../hardware/models.ts';
import { systemClock } from '../../hardware/transport/clock.ts';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../..', page), 'utf8');

for (const [name, model] of Object.entries(MODELS))
  test(`${name} is described, in docs/operations/devices.md or on its page: its row, its line, its options, its faults`, async () => {
    const document = `${read('docs/operations/devices.md')}\n${read(model.page)}`;
    const row = document.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row, 'a row');
    const { line } = model;
    if (line !== null)
      assert.ok(
        row.includes(`${line.baud} ${line.dataBits}${line.parity[0]?.toUpperCase()}${line.stopBits}`),
      );
    const { faults } = await model.simulator({ clock: systemClock, seed: 1 });
    const { properties } = model.options.toJSONSchema({ io: 'input', unrepresentable: 'any' });
    const names = [...Object.keys(properties ?? {}), ...faults];
    assert.ok(names.length > 5, names.join(' '));
    assert.deepEqual(
      names.filter((each) => !document.includes(`\`${each}\``)),
      [],
    );
  });
