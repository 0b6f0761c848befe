import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeychainVault, type Keychain } from '../../../apps/desktop/src/vault/keychain-vault.ts';
import type { VaultState } from '../../../apps/desktop/src/vault/vault.ts';

/** A keychain that behaves as libsecret does: while locked, everything reads as missing. */
function keychain() {
  const held = new Map<string, string>();
  let state: VaultState = { kind: 'ok' };
  const own: Keychain = {
    getPassword: async (_service, account) => (state.kind === 'ok' ? held.get(account) : null),
    async setPassword(_service, account, password) {
      if (state.kind === 'ok') held.set(account, password);
    },
    deletePassword: async (_service, account) => held.delete(account),
  };
  const vault = createKeychainVault({ keychain: own, state: async () => state, service: 'test' });
  return { vault, held, own, become: (next: VaultState) => (state = next) };
}

test('writes, reads and removes a secret', async () => {
  const { vault, held } = keychain();
  assert.deepEqual(await vault.read('device-credential'), { kind: 'missing' });
  assert.deepEqual(await vault.write('device-credential', 's3'), { kind: 'ok' });
  assert.deepEqual(await vault.read('device-credential'), { kind: 'ok', secret: 's3' });
  assert.deepEqual(await vault.remove('device-credential'), { kind: 'ok' });
  assert.deepEqual(await vault.remove('device-credential'), { kind: 'ok' });
  assert.equal(held.size, 0);
});

test('a locked keychain is locked, never "not enrolled"', async () => {
  const { vault, become } = keychain();
  await vault.write('issuer-key', 'k');
  const locked: VaultState = { kind: 'locked', reason: 'Locked.' };
  become(locked);
  assert.deepEqual(await vault.read('issuer-key'), locked);
  assert.deepEqual(await vault.write('issuer-key', 'other'), locked);
  assert.deepEqual(await vault.remove('issuer-key'), locked);
  become({ kind: 'ok' });
  assert.deepEqual(await vault.read('issuer-key'), { kind: 'ok', secret: 'k' });
});

test('detects a lock between the state query and the read', async () => {
  let asked = 0;
  const locked: VaultState = { kind: 'locked', reason: 'Locked.' };
  const { own } = keychain();
  const state = async (): Promise<VaultState> => (++asked === 1 ? { kind: 'ok' } : locked);
  const vault = createKeychainVault({ keychain: own, state, service: 'test' });
  assert.deepEqual(await vault.read('issuer-key'), locked);
});

test('a keychain that did not store the secret is detected', async () => {
  const { own } = keychain();
  const forgetful = { ...own, setPassword: async () => {} };
  const vault = createKeychainVault({
    keychain: forgetful,
    state: async () => ({ kind: 'ok' }),
    service: 'test',
  });
  assert.equal((await vault.write('issuer-key', 'k')).kind, 'unavailable');
});

test('a rejection is reported in one sentence', async () => {
  const { own } = keychain();
  const refusing = {
    ...own,
    getPassword: async () => {
      throw new Error('User denied\nat native code');
    },
  };
  const vault = createKeychainVault({
    keychain: refusing,
    state: async () => ({ kind: 'ok' }),
    service: 'test',
  });
  assert.deepEqual(await vault.read('issuer-key'), {
    kind: 'unavailable',
    reason: 'The keychain denied access: User denied',
  });
});
