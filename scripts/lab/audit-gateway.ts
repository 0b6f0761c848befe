/**
 * `npm run lab -- audit-gateway`: measures which texts a gateway scans. A stand-in provider receives its requests, and every
 * text of every provider's bodies is replaced by a canary, one at a time, in both directions, whole and streamed.
 */
import { writeFileSync } from 'node:fs';
import { FURTHER_SAMPLES, SAMPLES } from '../../test/support/provider-samples.ts';
import { startTestProvider } from '../../test/support/test-provider.ts';
import { readOptions } from '../options.ts';
import { type Coverage, measureCoverage } from './audit-gateway/coverage.ts';
import { coverageTable, totalOf } from './audit-gateway/coverage-table.ts';
import { createTarget, type TargetOptions } from './audit-gateway/target.ts';

/** A cloud key, which every gateway should block. Concatenated so that the repository contains no key-like text. */
export const CANARY = `words AKIA${'IOSFODNN7'}${'QWERTYU'} more`;

export interface AuditOptions extends TargetOptions {
  readonly providerPort: number;
  /** Prefix of the endpoints' names. */
  readonly only?: string | undefined;
  readonly canary?: string | undefined;
  readonly onResult?: ((result: Coverage) => void) | undefined;
}

export async function auditGateway(options: AuditOptions): Promise<Coverage[]> {
  const { providerPort: port, only = '', canary = CANARY, onResult } = options;
  const testProvider = await startTestProvider({ port });
  try {
    const target = createTarget(options);
    const results: Coverage[] = [];
    for (const samples of [...SAMPLES, ...FURTHER_SAMPLES]) {
      // Chat pages have no API.
      if (samples.provider.baseUrl === undefined || !samples.endpoint.name.startsWith(only)) continue;
      for (const result of await measureCoverage(samples, target, testProvider, canary)) {
        onResult?.(result);
        results.push(result);
      }
    }
    return results;
  } finally {
    await testProvider.close();
  }
}

if (import.meta.main) {
  const options = readOptions({
    command: 'npm run lab -- audit-gateway',
    about:
      'Measures which texts a gateway inspects. The gateway must forward to 127.0.0.1 at --provider-port.',
    options: {
      url: { type: 'string', value: 'URL', help: 'Base URL of the gateway under test, without /v1' },
      key: { type: 'string', value: 'KEY', help: 'Value of the X-API-Key header' },
      header: {
        type: 'string',
        value: "'Name: value'",
        multiple: true,
        help: 'Additional header of each request',
      },
      'provider-port': { type: 'string', value: 'N', default: '9400', help: 'Port of the stand-in provider' },
      only: { type: 'string', value: 'NAME', help: 'Only endpoints whose name starts with NAME' },
      canary: { type: 'string', value: 'TEXT', help: 'Text to plant instead of a cloud access key' },
      json: { type: 'string', value: 'FILE', help: 'Also write the result as JSON' },
    },
  });
  if (options.url === undefined) {
    process.stderr.write('--url is missing. See --help.\n');
    process.exit(2);
  }
  const headers = Object.fromEntries(
    (options.header ?? []).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
  const results = await auditGateway({
    ...{ url: options.url, key: options.key, headers, only: options.only, canary: options.canary },
    providerPort: Number(options['provider-port']),
    onResult: ({ endpoint, part }) => process.stderr.write(`${endpoint}, ${part}\n`),
  });
  console.log(coverageTable(results));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  process.exitCode = totalOf(results).unread === 0 ? 0 : 1;
}
