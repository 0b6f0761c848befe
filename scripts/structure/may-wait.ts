/** Test support that waits on purpose (a provider that stalls, clients told to come again later, the pause between two looks); no test does so itself. */
export const MAY_WAIT: readonly string[] = [
  'test/support/provider/',
  'test/support/load.ts',
  'test/support/until.ts',
];
