/** Promises of every adapter of a system's proxy setting. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createGsettingsProxy } from '../../apps/desktop/src/network/gsettings-proxy.ts';
import { createNetworkGuard } from '../../apps/desktop/src/network/guard-network.ts';
import { pacDataUrl } from '../../apps/desktop/src/network/make-pac.ts';
import { createNetworksetupProxy } from '../../apps/desktop/src/network/networksetup-proxy.ts';
import { openRestoreJournal } from '../../apps/desktop/src/network/restore-journal.ts';
import { applyValues, type SystemProxy } from '../../apps/desktop/src/network/system-proxy.ts';
import { createWininetProxy } from '../../apps/desktop/src/network/wininet-proxy.ts';
import {
  linuxGsettings,
  macosNetworksetup,
  missingCommands,
  type Recorded,
  type Run,
  windowsRegistry,
} from '../support/desktop/recorded-commands.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SYSTEMS: readonly {
  readonly name: string;
  readonly record: () => Recorded;
  readonly create: (run: Run) => SystemProxy;
}[] = [
  { name: 'gsettings', record: linuxGsettings, create: createGsettingsProxy },
  { name: 'networksetup', record: macosNetworksetup, create: createNetworksetupProxy },
  { name: 'wininet', record: windowsRegistry, create: createWininetProxy },
];
const OURS = 'http://127.0.0.1:4711/proxy.pac?content-security-agent';
const THEIRS = 'http://intranet.example/their.pac';

for (const { name, record, create } of SYSTEMS) {
  describe(`every system proxy: ${name}`, () => {
    const open = () => {
      const system = record();
      const adapter = create(system.run);
      const file = path.join(tempFolder('network'), 'restore.json');
      const journal = openRestoreJournal(file);
      return { system, adapter, file, journal, guard: createNetworkGuard(adapter, journal) };
    };
    const valuesOf = async (adapter: SystemProxy) => {
      const read = await adapter.read();
      assert.equal(read.kind, 'ok');
      return read.kind === 'ok' ? read.value : {};
    };

    it('a fail-closed setting stays when the agent fails or ends, and is removed with it', async () => {
      const { adapter, guard, file } = open();
      const before = await valuesOf(adapter);
      await guard.protect(pacDataUrl('// content-security-agent'));
      const closed = await valuesOf(adapter);
      assert.deepEqual(await guard.releaseUnlessClosed(), { kind: 'ok', value: { isKept: true } });
      assert.deepEqual(await valuesOf(adapter), closed);
      // The next run makes its own setting, and knows the original one.
      assert.equal((await guard.protect(OURS)).kind, 'ok');
      assert.deepEqual(await guard.releaseUnlessClosed(), { kind: 'ok', value: { isKept: false } });
      assert.deepEqual(await valuesOf(adapter), before);
      await guard.protect(pacDataUrl('// content-security-agent'));
      assert.equal((await guard.release()).kind, 'ok');
      assert.deepEqual(await valuesOf(adapter), before);
      assert.equal(existsSync(file), false);
    });

    it('reads the setting it wrote, and releasing it restores the original', async () => {
      const { adapter, guard, journal, file } = open();
      const before = await valuesOf(adapter);
      assert.deepEqual(await guard.protect(OURS), { kind: 'ok', value: null });
      assert.equal(adapter.pacOf(await valuesOf(adapter)), OURS);
      assert.equal(await guard.isProtected(), true);
      assert.equal(journal.read().kind, 'entry');
      assert.deepEqual(await guard.release(), { kind: 'ok', value: { left: [] } });
      assert.deepEqual(await valuesOf(adapter), before);
      assert.equal(journal.read().kind, 'empty');
      assert.throws(() => readFileSync(file), { code: 'ENOENT' });
    });

    it('the journal is on disk before the first change', async () => {
      const { adapter, journal } = open();
      const seen: string[] = [];
      const watched: SystemProxy = {
        ...adapter,
        write(values) {
          seen.push(journal.read().kind);
          return adapter.write(values);
        },
      };
      await createNetworkGuard(watched, journal).protect(OURS);
      assert.deepEqual(seen, ['entry']);
    });

    it('a later run knows the setting from before an earlier run died', async () => {
      const { adapter, guard, journal } = open();
      const before = await valuesOf(adapter);
      await guard.protect(OURS);
      const later = createNetworkGuard(adapter, journal);
      await later.protect(`${OURS}&again`);
      await later.release();
      assert.deepEqual(await valuesOf(adapter), before);
    });

    it('a setting that the user has changed meanwhile stays, and is named', async () => {
      const { adapter, guard } = open();
      await guard.protect(OURS);
      const theirs = adapter.withPac(await valuesOf(adapter), THEIRS);
      assert.equal((await applyValues(adapter, theirs)).kind, 'ok');
      const released = await guard.release();
      assert.ok(released.kind === 'ok' && released.value.left.length > 0);
      assert.equal(adapter.pacOf(await valuesOf(adapter)), THEIRS);
    });

    it('with a truncated journal our own setting is removed, any other stays', async () => {
      const { adapter, guard, file } = open();
      await guard.protect(OURS);
      writeFileSync(file, readFileSync(file).subarray(0, 20));
      assert.equal((await guard.release()).kind, 'ok');
      assert.equal(adapter.pacOf(await valuesOf(adapter)), null);
      await applyValues(adapter, adapter.withPac(await valuesOf(adapter), THEIRS));
      writeFileSync(file, '{');
      assert.equal((await guard.release()).kind, 'ok');
      assert.equal(adapter.pacOf(await valuesOf(adapter)), THEIRS);
    });

    it('without a journal nothing is changed', async () => {
      const { system, adapter, file } = open();
      rmSync(path.dirname(file), { recursive: true });
      const before = new Map(system.held);
      const failed = await createNetworkGuard(adapter, openRestoreJournal(file)).protect(OURS);
      assert.ok(failed.kind === 'failed' && /journal/.test(failed.reason));
      assert.deepEqual(system.held, before);
    });

    it('a setting that fails partway is restored, and the journal is empty', async () => {
      const { adapter, journal, system } = open();
      const before = await valuesOf(adapter);
      const held = new Map(system.held);
      // The system accepts some changes and then rejects; it accepts restoring.
      let isRefusing = true;
      const halfway: SystemProxy = {
        ...adapter,
        async write(values) {
          if (!isRefusing) return adapter.write(values);
          isRefusing = false;
          const [first] = Object.entries(values);
          await adapter.write(Object.fromEntries(first === undefined ? [] : [first]));
          return { kind: 'failed', reason: 'The system refuses.' };
        },
      };
      assert.deepEqual(await createNetworkGuard(halfway, journal).protect(OURS), {
        kind: 'failed',
        reason: 'The system refuses.',
      });
      assert.deepEqual(await valuesOf(adapter), before);
      assert.deepEqual(system.held, held);
      assert.equal(journal.read().kind, 'empty');
    });

    it('releasing twice, or without a setting, changes nothing', async () => {
      const { system, guard } = open();
      await guard.release();
      assert.ok(!system.calls.some((call) => / set | -set| add | delete /.test(call)));
    });

    it('a missing tool is reported in a sentence', async () => {
      const read = await create(missingCommands().run).read();
      assert.ok(read.kind === 'failed' && read.reason.endsWith('.') === true, JSON.stringify(read));
    });
  });
}

it('detects that gsettings without a session bus reports success and stores nothing', async () => {
  const adapter = createGsettingsProxy(linuxGsettings(true).run);
  const folder = tempFolder('network');
  const guard = createNetworkGuard(adapter, openRestoreJournal(path.join(folder, 'restore.json')));
  const set = await guard.protect(OURS);
  assert.ok(set.kind === 'failed' && /did not save/.test(set.reason));
});

it('names the requirement if macOS needs an administrator', async () => {
  const recorded = macosNetworksetup();
  const adapter = createNetworksetupProxy(async (file, args) =>
    args[0]?.startsWith('-set') === true
      ? { code: 14, stdout: '** Error: Command requires admin privileges.\n', stderr: '' }
      : recorded.run(file, args),
  );
  const read = await adapter.read();
  assert.equal(read.kind, 'ok');
  const values = read.kind === 'ok' ? read.value : {};
  const written = await adapter.write(adapter.withPac(values, 'http://127.0.0.1:1/proxy.pac'));
  assert.match(written.kind === 'failed' ? written.reason : '', /only administrators can change it/);
});
