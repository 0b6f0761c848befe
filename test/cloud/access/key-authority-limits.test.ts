import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '@csg/shared/contract';
import type { Caller } from '../../../apps/cloud/src/access/caller.ts';
import {
  canManageKey,
  lowerOf,
  requireCoverage,
  requireLimits,
  requireModels,
} from '../../../apps/cloud/src/access/key-authority.ts';
import type { Key, KeyLimits } from '../../../apps/cloud/src/storage/storage.ts';

const lacks =
  (scope: string, message = /./) =>
  (error: unknown) =>
    error instanceof CodedError &&
    error.code === 'insufficient_scope' &&
    error.fields?.['required_scope'] === scope &&
    message.test(error.message);

test('a restricted key grants only what it has itself, and no unrestricted key', () => {
  const cover = (own: readonly string[], permissions: readonly string[]) =>
    requireCoverage({ permissions: own } as unknown as Caller, permissions);
  cover([], []);
  cover([], ['scan']);
  cover(['scan', 'proxy'], ['scan']);
  cover(['scan', 'proxy'], ['proxy', 'scan']);
  assert.throws(() => cover(['scan'], ['scan', 'proxy']), lacks('proxy'));
  assert.throws(() => cover(['scan'], ['proxy']), lacks('proxy'));
  assert.throws(() => cover(['scan'], []), lacks('unrestricted'));
});

test('a key with limits grants none that are wider', () => {
  const limits = (dailyTokenLimit: number | null, ...allowedModels: string[]): KeyLimits => ({
    ...{ dailyTokenLimit, allowedModels },
  });
  const tokens = lacks('unrestricted', /daily_token_limit/);
  const models = lacks('unrestricted', /allowed_models/);
  requireLimits(limits(null), limits(null));
  requireLimits(limits(null), limits(5, 'a'));
  requireLimits(limits(5), limits(5));
  requireLimits(limits(5, 'a', 'b'), limits(4, 'b'));
  for (const wider of [limits(6), limits(null)]) assert.throws(() => requireLimits(limits(5), wider), tokens);
  for (const wider of [limits(5), limits(5, 'a', 'c'), limits(5, 'c')]) {
    assert.throws(() => requireLimits(limits(5, 'a', 'b'), wider), models);
    assert.throws(() => requireModels(limits(null, 'a', 'b'), wider), models);
  }
  requireModels(limits(5), limits(null));
});

test('of two limits the lower one holds, and none is no limit', () => {
  assert.deepEqual(
    [lowerOf(1, 2), lowerOf(2, 1), lowerOf(null, 2), lowerOf(1, null), lowerOf(null, null)],
    [1, 1, 2, 1, null],
  );
});

test('a member manages their own keys, an admin of the organization or the project all of it', () => {
  const key = { userId: 'usr_a', projectId: 'proj_a' } as Key;
  const can = (
    userId: string,
    role: 'admin' | 'member' | 'viewer',
    inProject?: 'admin' | 'member',
    projectId = 'proj_a',
  ) =>
    canManageKey(
      {
        userId,
        role,
        projectRoles: inProject === undefined ? [] : [{ projectId, role: inProject } as never],
      },
      key,
    );
  assert.deepEqual(
    [can('usr_a', 'member'), can('usr_a', 'viewer'), can('usr_b', 'member'), can('usr_b', 'admin')],
    [true, false, false, true],
  );
  assert.deepEqual(
    [
      can('usr_a', 'viewer', 'member'),
      can('usr_b', 'viewer', 'member'),
      can('usr_b', 'viewer', 'admin'),
      can('usr_b', 'viewer', 'admin', 'proj_b'),
    ],
    [true, false, true, false],
  );
});
