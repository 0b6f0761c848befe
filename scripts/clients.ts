/**
 * `npm run clients`: packages that people call models with, as they are, through the gateway. Installs them into a folder
 * of their own, with a stand-in provider at the other end, and prints what works.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startGateway } from '../test/support/gateway.ts';
import { startVendor } from '../test/support/vendor.ts';
import { aiClients } from './clients/ai-clients.ts';
import { type CheckResult, checkClient, tableOf } from './clients/checks.ts';
import { type LoadPackage, PROVIDER_KEY } from './clients/client.ts';
import { PACKAGES } from './clients/packages.ts';
import { googleClients, sdkClients } from './clients/sdk-clients.ts';
import { installPackages } from './install-packages.ts';
import { readOptions } from './options.ts';

/** What does not work, and is not ours to change: by client, the checks that fail. */
const KNOWN: Readonly<Record<string, { readonly checks: readonly string[]; readonly why: string }>> = {
  'ai with @ai-sdk/google': {
    checks: ['blocked prompt', 'blocked prompt, streamed', 'blocked response', 'provider 400'],
    why: 'reads the message of an error only beside a numeric code; the codes of the error envelope are words.',
  },
};

export async function runClients(load: LoadPackage, groups = [sdkClients, googleClients, aiClients]) {
  const vendor = await startVendor();
  const gateway = await startGateway({ vendorUrl: vendor.url });
  try {
    const { organizationId, projectId } = gateway.account;
    await gateway.storage.projects.setCredential(organizationId, projectId, 'gemini', PROVIDER_KEY);
    const results: CheckResult[] = [];
    for (const group of groups) {
      for (const client of await group(load, gateway)) results.push(...(await checkClient(client, vendor)));
    }
    return results;
  } finally {
    await gateway.close();
    await vendor.close();
  }
}

/** A check that is known to fail has to fail: once it passes, it is taken out. */
function isExpected({ client, check, isPassed }: CheckResult): boolean {
  return isPassed !== (KNOWN[client]?.checks.includes(check) ?? false);
}

if (import.meta.main) {
  readOptions({
    command: 'npm run clients --',
    about: 'Runs client packages through the gateway, against a stand-in provider.',
    options: {},
  });
  const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/clients');
  await installPackages(folder, PACKAGES);
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  const results = await runClients((name) => import(pathToFileURL(resolve(name)).href));
  console.log(tableOf(results));
  for (const [client, { why }] of Object.entries(KNOWN)) console.log(`\n${client}: ${why}`);
  process.exitCode = results.every(isExpected) ? 0 : 1;
}
