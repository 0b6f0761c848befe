import path from 'node:path';
import { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { recordReachOf } from './changed/record-reach.ts';

/**
 * Loads test files into this process. Each is a suite of its own, so that its hooks are for its own tests, and what they
 * opened is closed before the tests of the next file begin.
 */
export async function loadTestFiles(files: readonly string[]): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  // The first tests wait for the last file to load: with no test left to run, `node:test` would end the process.
  before(() => loaded.promise);
  for (const file of files) {
    // One after the other: two that wait for the same module could end up in one suite.
    await new Promise<void>((resolve) => {
      const { href } = pathToFileURL(path.resolve(file));
      describe(path.relative(process.cwd(), file), async () => {
        await import(href).finally(resolve);
        // Hooks run in their order: this one after those of the file.
        after(() => recordReachOf(path.resolve(file), process.cwd()));
      });
    });
  }
  loaded.resolve();
}
