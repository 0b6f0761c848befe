/**
 * Test support that waits on purpose (a stalling provider, clients that have to retry later, polling pauses); tests
 * themselves never wait.
 */
export const MAY_WAIT: readonly string[] = [
  'test/support/provider/',
  'test/support/load.ts',
  'test/support/until.ts',
];
