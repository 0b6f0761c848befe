import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { onBothDatabases } from '../../support/both-databases.ts';
import { signInAs, type TestBrowser } from '../../support/browser.ts';
import { type CommandLine, commandLine } from '../../support/command-line.ts';
import type { TestGateway } from '../../support/gateway.ts';

const CONFIG = {
  projects: [
    { name: 'Support bot', use_case: 'support_bot', strictness_level: 'strict', fail_mode: 'closed' },
    { name: 'Default', description: 'Everything else.' },
  ],
  policies: [
    {
      name: 'No card numbers',
      project: 'Support bot',
      action: 'block',
      threat_types: ['pii_leak'],
      conditions: { pii_types: ['credit_card'], directions: ['input'] },
    },
    {
      name: 'Claim numbers',
      action: 'block',
      mode: 'monitor',
      patterns: [{ name: 'Claim number', pattern: 'HC-\\d{8}' }],
    },
  ],
};

onBothDatabases('config plan and apply', (startGateway) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'csg-config-'));
  const file = path.join(folder, 'organization.json');
  let gateway: TestGateway;
  let owner: TestBrowser;
  let commands: CommandLine;
  before(async () => {
    gateway = await startGateway({ isOwn: true });
    owner = await signInAs(gateway, 'owner');
    commands = withToken(await makeToken(['projects', 'policies']));
    const { organizationId, projectId } = gateway.account;
    await gateway.storage.projects.update(organizationId, projectId, { name: 'Default' });
  });
  after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  const makeToken = async (scopes: string[]) => {
    const made = await owner.call('POST', '/organization-tokens', { name: 'Automation', scopes });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return String(made.body['token']);
  };
  const withToken = (token: string) =>
    commandLine(gateway.dataDir, { ORGANIZATION_TOKEN: token, GATEWAY_URL: gateway.address });
  const write = (config: unknown) => writeFileSync(file, JSON.stringify(config));
  const acts = (changes: unknown) =>
    (changes as { act: string; kind: string; name: string }[]).map(
      ({ act, kind, name }) => `${act} ${kind} ${name}`,
    );
  const plan = async (...args: string[]) =>
    acts((await commands.json(['config', 'plan', '--file', file, ...args]))['changes']);

  test('plan changes nothing, and after one apply the next plan is empty', async () => {
    write(CONFIG);
    const wanted = [
      ...['create project Support bot', 'update project Default'],
      ...['create policy No card numbers', 'create policy Claim numbers'],
    ];
    assert.deepEqual(await plan(), wanted);
    assert.deepEqual(await plan(), wanted);
    const shown = await commands.run(['config', 'plan', '--file', file, '--detailed-exitcode']);
    assert.equal(shown.code, 2);
    assert.match(shown.stdout, /\+ policy "No card numbers" in project "Support bot"\n {4}action: "block"/);
    assert.match(shown.stdout, /3 to create, 1 to change, 0 to delete\./);
    await commands.json(['config', 'apply', '--file', file]);
    assert.deepEqual(await plan(), []);
    assert.equal((await commands.run(['config', 'plan', '--file', file, '--detailed-exitcode'])).code, 0);
    const projects = (await owner.call<{ name: string; fail_mode: string }[]>('GET', '/projects')).body;
    assert.equal(projects.find(({ name }) => name === 'Support bot')?.fail_mode, 'closed');
  });

  test('plan names the changed fields; what the file leaves out stays, or is deleted with --prune', async () => {
    const [first, second] = CONFIG.policies;
    write({ projects: [], policies: [{ ...first, action: 'redact' }] });
    const { stdout } = await commands.run(['config', 'plan', '--file', file]);
    assert.match(stdout, /~ policy "No card numbers".*\n {4}action: "block" -> "redact"/);
    assert.deepEqual(await plan('--prune'), ['update policy No card numbers', 'delete policy Claim numbers']);
    await commands.json(['config', 'apply', '--file', file, '--prune']);
    assert.deepEqual(await plan('--prune'), []);
    write({ policies: [second] });
    assert.deepEqual(await plan(), ['create policy Claim numbers']);
  });

  test('concurrent applies create everything once, and the next plan is empty', async () => {
    const name = (n: number) => `Team ${n}`;
    const projects = [1, 2, 3].map((n) => ({ name: name(n), zero_retention: true }));
    const policies = projects.map((project) => ({ ...CONFIG.policies[0], project: project.name }));
    write({ projects, policies });
    const all = await Promise.all(
      Array.from({ length: 4 }, () => commands.run(['config', 'apply', '--file', file])),
    );
    // Those that come second report a conflict in one sentence, or find everything created.
    for (const { code, stderr } of all) {
      if (code === 0) continue;
      assert.match(stderr, /A (project|policy) named ".*" already exists.*Run the command again\./);
    }
    await commands.json(['config', 'apply', '--file', file]);
    assert.deepEqual(await plan(), []);
    const made = (await gateway.storage.projects.list(gateway.account.organizationId)).filter((project) =>
      project.name.startsWith('Team'),
    );
    assert.deepEqual(made.map((project) => project.name).sort(), [1, 2, 3].map(name));
    const rows = await gateway.storage.policies.list(gateway.account.organizationId);
    for (const { id } of made)
      assert.equal(rows.filter((one) => one.projectId === id && !one.fromPreset).length, 1);
  });

  test('of concurrent creations of one name with unique_name=true, exactly one succeeds', async () => {
    const { projectId } = gateway.account;
    const body = { name: 'Only one', action: 'block', threat_types: ['jailbreak'] };
    const post = (path: string, fields: object) =>
      Promise.all(Array.from({ length: 8 }, () => owner.call('POST', path, fields)));
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
    const one = [200, ...Array.from({ length: 7 }, () => 409)];
    const refused = await post('/policies?unique_name=true', body);
    assert.deepEqual(statuses(refused), one);
    assert.deepEqual(statuses(await post('/projects?unique_name=true', { name: 'Only one' })), one);
    // A project's policies may have the same names as those of the organization.
    const within = await post('/policies?unique_name=true', { ...body, project_id: projectId });
    assert.deepEqual(statuses(within), one);
    const { error } = refused.find(({ status }) => status === 409)!.body as { error?: { code: string } };
    assert.equal(error?.code, 'invalid_state');
    // Without unique_name, names may repeat; each policy has a priority of its own.
    assert.deepEqual(new Set(statuses(await post('/policies', body))), new Set([200]));
    assert.deepEqual(new Set(statuses(await post('/projects', { name: 'Only one' }))), new Set([200]));
    assert.equal((await owner.call('POST', '/policies?unique_name=perhaps', body)).status, 422);
    const own = (await gateway.storage.policies.list(gateway.account.organizationId)).filter(
      ({ fromPreset }) => !fromPreset,
    );
    assert.equal(new Set(own.map(({ priority }) => priority)).size, own.length);
  });

  test('rejects invalid input with one sentence', async () => {
    const refuse = async (config: unknown, sentence: RegExp) => {
      writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
      await commands.refuse(['config', 'apply', '--file', file], sentence);
    };
    await refuse('{', /The file is not JSON/);
    await refuse([], /must contain an object/);
    await refuse({ rules: [] }, /Unknown field "rules"/);
    await refuse({ policies: {} }, /"policies" must be a list/);
    await refuse({ policies: [{ action: 'block' }] }, /policies\[0\] must be an object with a name/);
    await refuse({ policies: [{ name: 'A', tint: 'red' }] }, /policies\[0\] has the unknown field "tint"/);
    await refuse({ projects: [{ name: 'A' }, { name: 'A' }] }, /projects has A twice/);
    await refuse(
      { policies: [{ name: 'A', action: 'block', project: 'Nowhere' }] },
      /names the project "Nowhere"/,
    );
    await refuse({ policies: [{ name: 'A', action: 'explode' }] }, /POST \/policies: action/);
    await commands.refuse(['config', 'plan', '--file', path.join(folder, 'none.json')], /no such file/);
    const limited = withToken(await makeToken(['policies:read', 'projects']));
    write({ policies: [{ name: 'A', action: 'block', threat_types: ['jailbreak'] }] });
    await limited.refuse(['config', 'apply', '--file', file], /insufficient_scope/);
    await withToken('svc_admin_wrong').refuse(['config', 'plan', '--file', file], /GET \/projects/);
    await withToken('').refuse(['config', 'plan', '--file', file], /Set ORGANIZATION_TOKEN/);
    await commands.refuse(
      ['config', 'plan', '--file', file, '--url', 'http://127.0.0.1:9'],
      /cannot be reached/,
    );
  });
});
