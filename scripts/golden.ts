/** Golden files: output generated from the code, committed so that a change shows as a diff. `--write` updates them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { checkGolden, type Golden, type GoldenResult } from './golden/golden-file.ts';
import { CLIENT_FILE, isClientCurrent, writeClientTypes } from './golden/make-client.ts';
import { makeErrors } from './golden/make-errors.ts';
import { makeExample } from './golden/make-example.ts';
import { makeNightly } from './golden/make-nightly.ts';
import { makeOpenApi } from './golden/make-openapi.ts';
import { makePresets } from './golden/make-presets.ts';
import { makeProviderErrors } from './golden/make-provider-errors.ts';
import { makeSchemaSql } from './golden/make-schema-sql.ts';
import { makeSettings } from './golden/make-settings.ts';
import { recordedReadings } from './golden/recorded-readings.ts';
import { readOptions } from './options.ts';

export function goldens(root: string): readonly Golden[] {
  return [
    { file: 'test/golden/openapi.json', make: makeOpenApi },
    { file: 'test/golden/errors.md', make: makeErrors },
    { file: 'test/golden/schema.sqlite.sql', make: () => makeSchemaSql('sqlite') },
    { file: 'test/golden/schema.postgres.sql', make: () => makeSchemaSql('postgres') },
    { file: 'docs/errors.md', block: 'errors', make: makeErrors },
    { file: 'docs/errors.md', block: 'provider-faults', make: makeProviderErrors },
    { file: 'docs/configuration.md', block: 'settings', make: makeSettings },
    { file: 'docs/detection.md', block: 'presets', make: makePresets },
    { file: 'docs/nightly.md', block: 'nightly', make: makeNightly },
    {
      file: 'README.md',
      block: 'openai-blocked',
      make: () => makeExample(root, 'openai-blocked.mjs'),
    },
  ];
}

/** Compares all, or writes those that differ. Resolves to sentences about those that do not match. */
export async function checkGoldens(root: string, write = false): Promise<string[]> {
  if (write) mkdirSync(path.join(root, 'test/golden/readings'), { recursive: true });
  // Tests compare the recorded readings one by one; here they are only written.
  const all = write ? [...goldens(root), ...(await recordedReadings())] : goldens(root);
  const results = await Promise.all(all.map((golden) => checkGolden(root, golden, write)));
  const problems = results.flatMap(describe);
  if (isClientCurrent(root)) return problems;
  if (write) await writeClientTypes(root);
  else
    problems.push(`${CLIENT_FILE} was generated from another OpenAPI file. Run: npm run golden -- --write`);
  return problems;
}

function describe({ golden, state, difference }: GoldenResult): string[] {
  if (state === 'same') return [];
  const name = golden.block === undefined ? golden.file : `${golden.file} (the block "${golden.block}")`;
  if (state === 'missing') return [`${name} is missing. Run: npm run golden -- --write`];
  return [
    `${name} differs from the generated content, ${difference}\n  If the change is intended: npm run golden -- --write`,
  ];
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const { write } = readOptions({
    command: 'npm run golden --',
    about: 'Compares the checked-in generated files with newly generated ones.',
    options: { write: { type: 'boolean', default: false, help: 'Write the files' } },
  });
  const problems = await checkGoldens(root, write);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
