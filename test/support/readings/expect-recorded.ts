import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { differences, type Readings } from './compare-readings.ts';

/** Defines a test that all these texts read as recorded in `test/golden/readings`. */
export function expectRecorded(name: string, make: () => Readings | Promise<Readings>): void {
  test(`${name}: every text reads as recorded`, async () => {
    const file = new URL(`../../golden/readings/${name}.json`, import.meta.url);
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const found = differences(await make(), recorded);
    assert.equal(
      found.length,
      0,
      `${found.join('\n')}\nIf that is meant: npm run golden -- --write, and read the diff`,
    );
  });
}
