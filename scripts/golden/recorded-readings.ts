import type { Golden } from './golden-file.ts';

/** Readings of the test texts by the detector and the providers' readers. Loaded only when they are written. */
export async function recordedReadings(): Promise<Golden[]> {
  const { READINGS } = await import('../../test/support/readings/all-readings.ts');
  const { recordOf } = await import('../../test/support/readings/compare-readings.ts');
  return Object.entries(READINGS).map(([name, make]) => ({
    file: `test/golden/readings/${name}.json`,
    make: async () => recordOf(await make()),
  }));
}
