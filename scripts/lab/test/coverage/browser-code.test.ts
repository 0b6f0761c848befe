import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBrowserCode } from '../../coverage/browser-code.ts';

const FOLDER = 'apps/cloud/dashboard/src/data';
const FILES: Readonly<Record<string, string>> = {
  [`${FOLDER}/hooks.ts`]: "import { useQuery } from '@tanstack/react-query';",
  [`${FOLDER}/names.ts`]: "import { useApiQuery } from './hooks.ts';",
  [`${FOLDER}/steps.ts`]: "export const step = () => localStorage.getItem('step');",
  [`${FOLDER}/words.ts`]: "import type { Query } from './hooks.ts';\nexport const word = (a: string) => a;",
  'apps/cloud/src/page.ts': "import { renderToString } from 'react-dom/server';",
};

test('finds code that needs React or a browser, or imports such code', () => {
  const found = Object.keys(FILES).filter((file) => isBrowserCode(file, (name) => FILES[name]!));
  assert.deepEqual(found, [`${FOLDER}/hooks.ts`, `${FOLDER}/names.ts`, `${FOLDER}/steps.ts`]);
});
