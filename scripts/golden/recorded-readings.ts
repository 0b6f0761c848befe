import type { Golden } from './golden-file.ts';

/** What the detector and the providers' readers make of the texts of the tests. Loaded only where they are written. */
export async function recordedReadings(): Promise<Golden[]> {
  const { READINGS } = await import('../../test/support/readings/all-readings.ts');
  const { recordOf } = await import('../../test/support/readings/compare-readings.ts');
  return Object.entries(READINGS).map(([name, make]) => ({
    file: `test/golden/readings/${name}.json`,
    make: async () => recordOf(await make()),
  }));
}
