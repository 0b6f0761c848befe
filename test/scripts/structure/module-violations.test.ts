import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleViolations } from '../../../scripts/structure/module-violations.ts';
import { parseSource } from '../../../scripts/structure/parse-source.ts';

function sentences(file: string, text: string): string[] {
  return moduleViolations(file, text, parseSource(file, text)).map((violation) => violation.text);
}

const REFUSED = [
  [
    'up',
    'apps/cloud/src/storage/a.ts',
    "import { a } from '../flows/decision/evaluate.ts';",
    /^storage may not import flows, because storage has a lower level/,
  ],
  [
    'up, types only',
    'apps/cloud/src/storage/a.ts',
    "import type { A } from '../flows/decision/evaluate.ts';",
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
    /^flows may not import values of storage/,
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
    'electron in the proxy',
    'apps/desktop/src/proxy/a.ts',
    "import { app } from 'electron';",
    /^proxy may not import electron/,
  ],
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
  ['a file in no module', 'apps/cloud/src/odd.ts', '', /belongs to no module/],
] as const;

const ALLOWED = [
  ['downwards', 'apps/cloud/src/routes/a.ts', "import { a } from '../flows/decision/evaluate.ts';"],
  ['its own module', 'apps/cloud/src/flows/a.ts', "import { a } from './decision/evaluate.ts';"],
  [
    'storage as types in flows',
    'apps/cloud/src/flows/a.ts',
    "import type { A } from '../storage/storage.ts';",
  ],
  ['an entry point of shared', 'apps/cloud/src/flows/a.ts', "import { a } from '@csg/shared/contract';"],
  ['a module of shared by its index', 'shared/detection/a.ts', "import { a } from '../text/index.ts';"],
  [
    'types of node:http',
    'apps/cloud/src/flows/a.ts',
    "import type { IncomingHttpHeaders } from 'node:http';",
  ],
  ['a server', 'apps/cloud/src/routes/a.ts', "import { createServer } from 'node:http';"],
  ['undici in upstream', 'apps/cloud/src/upstream/a.ts', "import { request } from 'undici';"],
  ['a given moment in a pure module', 'shared/text/a.ts', 'export const a = (ms: number) => new Date(ms);'],
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
