/**
 * Source files with logic that have no test file of their own, and which test runs them instead. Held to both ways:
 * an entry that matches no such file, or names a test that is gone, is a fault.
 */
export interface TestedElsewhere {
  /** A file, or a folder with a slash at its end. */
  readonly source: string;
  readonly by: string;
  readonly because: string;
}

export const TESTED_ELSEWHERE: readonly TestedElsewhere[] = [
  {
    source: 'apps/cloud/src/flows/approvals/',
    by: 'test/cloud/routes/exceptions.test.ts',
    because: 'who asks and who decides are two sides of one story, told over sockets',
  },
  {
    source: 'apps/cloud/src/flows/devices/',
    by: 'test/cloud/routes/devices.test.ts',
    because: 'what a device is told follows from what it said and what admins did',
  },
  {
    source: 'apps/cloud/src/flows/ruleset-input.ts',
    by: 'test/cloud/routes/devices.test.ts',
    because: 'it is what the signed configuration carries',
  },
  {
    source: 'apps/cloud/src/plugins/web-sockets.ts',
    by: 'test/cloud/routes/device-channel.test.ts',
    because: 'the channel is what it is for',
  },
  ...['approval-rows', 'exceptions', 'fleet-settings', 'tool-requests'].map((name) => ({
    source: `apps/cloud/src/storage/repositories/${name}.ts`,
    by: 'test/laws/storage-approvals.test.ts',
    because: 'a repository keeps the same laws on both engines',
  })),
];

/** Test support that waits on purpose (a vendor that stalls); no test does so itself. */
export const MAY_WAIT: readonly string[] = ['test/support/vendor/'];
