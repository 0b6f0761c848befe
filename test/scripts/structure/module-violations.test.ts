import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Project } from '../../../scripts/structure/import-violations.ts';
import {
  lengthViolation,
  moduleViolations,
  nameViolations,
} from '../../../scripts/structure/module-violations.ts';
import { parseSource } from '../../../scripts/structure/parse-source.ts';

const project: Project = {
  files: new Set([
    'shared/contract/index.ts',
    'shared/contract/errors.ts',
    'shared/text/index.ts',
    'shared/detection/index.ts',
    'shared/detection/decide.ts',
    'apps/cloud/src/storage/storage.ts',
    'apps/cloud/src/upstream/send.ts',
    'apps/cloud/src/flows/evaluate-texts.ts',
    'apps/cloud/src/routes/guard.ts',
    'apps/desktop/src/proxy/listen.ts',
    'scripts/check.ts',
  ]),
  dependencies: () =>
    new Set(['fastify', '@fastify/cors', 'kysely', 'better-sqlite3', 'pg', 'undici', 'electron', 'typebox']),
};

function sentences(file: string, text: string): string[] {
  return moduleViolations(file, parseSource(file, text), project).map((violation) => violation.text);
}

const REFUSED = [
  [
    'up',
    'apps/cloud/src/storage/a.ts',
    "import { a } from '../flows/evaluate-texts.ts';",
    /^storage may not import flows, because storage has a lower level/,
  ],
  [
    'up, types only',
    'apps/cloud/src/storage/a.ts',
    "import type { A } from '../flows/evaluate-texts.ts';",
    /^storage may not import flows/,
  ],
  [
    'sideways',
    'apps/cloud/src/storage/a.ts',
    "import { a } from '../upstream/send.ts';",
    /^storage may not import upstream, because both have the same level/,
  ],
  [
    'a dynamic import upwards',
    'apps/cloud/src/storage/a.ts',
    "await import('../routes/guard.ts');",
    /^storage may not import routes/,
  ],
  [
    'storage as a value in flows',
    'apps/cloud/src/flows/a.ts',
    "import { a } from '../storage/storage.ts';",
    /^flows may import only types from storage/,
  ],
  ['a missing file', 'apps/cloud/src/flows/a.ts', "import { a } from './gone.ts';", /which does not exist/],
  [
    'a missing ending',
    'apps/cloud/src/flows/a.ts',
    "import { a } from './judge-texts';",
    /which does not exist/,
  ],
  [
    'shared past its entry points, by path',
    'apps/cloud/src/flows/a.ts',
    "import { a } from '../../../../shared/contract/errors.ts';",
    /only through its entry points: @csg\/shared\/contract/,
  ],
  [
    'shared past its entry points, by name',
    'apps/cloud/src/flows/a.ts',
    "import { a } from '@csg/shared/contract/errors.ts';",
    /shared has only these entry points/,
  ],
  [
    'another app',
    'apps/cloud/src/flows/a.ts',
    "import { a } from '../../../desktop/src/proxy/listen.ts';",
    /apps never import each other/,
  ],
  [
    'a script',
    'apps/cloud/src/flows/a.ts',
    "import { a } from '../../../../scripts/check.ts';",
    /shipped code imports no script/,
  ],
  [
    'a module of shared past its index',
    'shared/detection/a.ts',
    "import { a } from '../contract/errors.ts';",
    /meet only at \.\.\/contract\/index\.ts/,
  ],
  [
    'shared by its own name',
    'shared/detection/a.ts',
    "import { a } from '@csg/shared/text';",
    /use the relative path/,
  ],
  [
    'contract upwards',
    'shared/contract/a.ts',
    "import { a } from '../detection/index.ts';",
    /^contract may not import detection/,
  ],
  [
    'an undeclared package',
    'apps/cloud/src/flows/a.ts',
    "import a from 'left-pad';",
    /apps\/cloud\/package\.json does not list/,
  ],
  [
    'Fastify in flows',
    'apps/cloud/src/flows/a.ts',
    "import type { FastifyRequest } from 'fastify';",
    /^flows may not import fastify/,
  ],
  [
    'a Fastify plugin in flows',
    'apps/cloud/src/flows/a.ts',
    "import a from '@fastify/cors';",
    /^flows may not import @fastify\/cors/,
  ],
  [
    'Kysely in routes',
    'apps/cloud/src/routes/a.ts',
    "import type { Kysely } from 'kysely';",
    /^routes may not import kysely/,
  ],
  ['undici in flows', 'apps/cloud/src/flows/a.ts', "import { request } from 'undici';", /one guard/],
  [
    'http.request in flows',
    'apps/cloud/src/flows/a.ts',
    "import { request } from 'node:http';",
    /^flows may not import request of node:http/,
  ],
  [
    'all of node:net in routes',
    'apps/cloud/src/routes/a.ts',
    "import * as net from 'node:net';",
    /all of node:net/,
  ],
  [
    'fetch in flows',
    'apps/cloud/src/flows/a.ts',
    "export const a = () => fetch('x');",
    /^flows may not use fetch/,
  ],
  [
    'electron in the proxy',
    'apps/desktop/src/proxy/a.ts',
    "import { app } from 'electron';",
    /^proxy may not import electron/,
  ],
  ['a bare builtin', 'apps/cloud/src/flows/a.ts', "import fs from 'fs';", /write node:fs/],
  ['node: in a pure module', 'shared/detection/a.ts', "import { inspect } from 'node:util';", /it is pure/],
  [
    'the clock in a pure module',
    'shared/text/a.ts',
    'export const a = () => Date.now();',
    /may not use Date\.now/,
  ],
  [
    'the clock, another way',
    'shared/text/a.ts',
    'export const a = () => new Date();',
    /may not use new Date\(\)/,
  ],
  [
    'the clock in the pure file of a module',
    'apps/desktop/src/supervisor/machine.ts',
    'export const a = () => Date.now();',
    /may not use Date\.now/,
  ],
  [
    'randomness in a pure module',
    'shared/text/a.ts',
    'export const a = () => Math.random();',
    /may not use Math\.random/,
  ],
  [
    'Buffer in a pure module',
    'shared/providers/a.ts',
    "export const a = () => Buffer.from('');",
    /may not use Buffer/,
  ],
  [
    'what one file of a pure module may use, in another',
    'shared/detection/read/a.ts',
    "export const a = () => Buffer.from('');",
    /may not use Buffer/,
  ],
  ['a log in a pure module', 'shared/providers/a.ts', "console.log('');", /may not use console/],
  [
    'the environment in flows',
    'apps/cloud/src/flows/a.ts',
    'export const a = process.env.A;',
    /may not read process\.env/,
  ],
  ['a default export', 'apps/cloud/src/flows/a.ts', 'export default 1;', /no default exports/],
  ['a barrel', 'apps/cloud/src/flows/a.ts', "export * from './evaluate-texts.ts';", /no barrel files/],
  ['a vague class', 'apps/cloud/src/flows/a.ts', 'export class KeyManager {}', /class KeyManager/],
  ['a file in no module', 'apps/cloud/src/odd.ts', '', /belongs to no module/],
  ['a name that is not kebab-case', 'apps/cloud/src/flows/judgeTexts.ts', '', /not kebab-case/],
] as const;

const ALLOWED = [
  ['downwards', 'apps/cloud/src/routes/a.ts', "import { a } from '../flows/evaluate-texts.ts';"],
  ['its own module', 'apps/cloud/src/flows/a.ts', "import { a } from './evaluate-texts.ts';"],
  [
    'storage as types in flows',
    'apps/cloud/src/flows/a.ts',
    "import type { A } from '../storage/storage.ts';",
  ],
  ['an entry point of shared', 'apps/cloud/src/flows/a.ts', "import { a } from '@csg/shared/contract';"],
  ['a module of shared by its index', 'shared/detection/a.ts', "import { a } from '../text/index.ts';"],
  [
    'what one file of a pure module may use',
    'shared/detection/read/codes.ts',
    "export const a = () => Buffer.from('');",
  ],
  ['an entry point that re-exports', 'shared/detection/index.ts', "export { a } from './decide.ts';"],
  [
    'types of node:http',
    'apps/cloud/src/flows/a.ts',
    "import type { IncomingHttpHeaders } from 'node:http';",
  ],
  ['a server', 'apps/cloud/src/routes/a.ts', "import { createServer } from 'node:http';"],
  ['undici in upstream', 'apps/cloud/src/upstream/a.ts', "import { request } from 'undici';"],
  ['a given moment in a pure module', 'shared/text/a.ts', 'export const a = (ms: number) => new Date(ms);'],
  [
    'an argument that is called process',
    'shared/text/a.ts',
    'export const a = (process: { env: string }) => process.env;',
  ],
  ['the environment at the edge', 'apps/cloud/src/main.ts', 'export const a = process.env.A;'],
] as const;

describe('moduleViolations reports', () => {
  for (const [name, file, text, expected] of REFUSED) {
    it(name, () => {
      const found = sentences(file, text);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(found[0] ?? '', expected);
    });
  }
});

describe('moduleViolations allows', () => {
  for (const [name, file, text] of ALLOWED) it(name, () => assert.deepEqual(sentences(file, text), []));
});

describe('every file', () => {
  it('is named in kebab-case', () => {
    assert.deepEqual(['a/b-c.test.ts', 'a/001-x.ts', 'a.mjs'].flatMap(nameViolations), []);
    assert.equal(['a/B.ts', 'a/b_c.ts', 'a/b.spec.ts'].flatMap(nameViolations).length, 3);
  });

  it('is at most 400 lines long, except for data', () => {
    assert.equal(lengthViolation('a.ts', '\n'.repeat(400), false), undefined);
    assert.match(lengthViolation('a.ts', '\n'.repeat(401), false)?.text ?? '', /401 lines/);
    assert.equal(lengthViolation('a.ts', '\n'.repeat(401), true), undefined);
  });
});
