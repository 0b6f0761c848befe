/**
 * Compares numbers of pages and exports with counts kept while recording. `TRUTH_EVENTS=400000 npm test --
 * test/e2e/truth-at-volume.test.ts --limit=3600` does so with the volume of a company, and prints how long each read
 * takes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Agent, setGlobalDispatcher } from 'undici';
import { newEventId } from '../../apps/cloud/src/storage/ids.ts';
import type { DecisionRecord } from '../../apps/cloud/src/storage/storage.ts';
import { signInAs } from '../support/browser.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { cases, seedFor } from '../support/part.ts';
import { seededRandom } from '../support/random.ts';

const EVENTS = Number(process.env['TRUTH_EVENTS'] ?? cases(4_000, 40_000));
const AT_ONCE = 1_000;
/** An hour may begin before the pages are read, of which a day shows 24: the current one and those before it. */
const SPAN_MS = 22 * 3_600_000;
const KINDS = [
  { decision: 'block', threatType: 'prompt_injection', rule: 'attack.user' },
  { decision: 'redact', threatType: 'pii_leak', rule: 'pii.email' },
  { decision: 'redact', threatType: 'pii_leak', rule: 'pii.credit_card' },
  { decision: 'block', threatType: 'jailbreak', rule: 'attack.user' },
] as const;
const MODELS = ['gpt-5', 'claude-sonnet-5', null];
const CHANGES = 25;

// A shared computer needs time for so many events; the limit of the tests is the only one.
if (EVENTS > 100_000) setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));

describe(`${EVENTS} events, counted independently`, () => {
  let gateway: TestGateway;
  let owner: Awaited<ReturnType<typeof signInAs>>;
  let projects: readonly string[];
  let acts = 0;
  const byHand = new Map<string, number>();
  const count = (name: string): void => void byHand.set(name, (byHand.get(name) ?? 0) + 1);
  const hand = (name: string): number => byHand.get(name) ?? 0;

  before(async () => {
    gateway = await startGateway();
    owner = await signInAs(gateway, 'owner');
    const { storage, account } = gateway;
    const second = await storage.projects.insert(account.organizationId, { name: 'Second' });
    projects = [account.projectId, second.id];
    const random = seededRandom(seedFor('truth at volume'));
    const nowMs = Date.now();
    const waiting: Promise<void>[] = [];
    for (let made = 0; made < EVENTS; made++) {
      // Admin actions lie between the decisions, most of them before all of these.
      if (made % Math.ceil(EVENTS / CHANGES) === 0) await act(made);
      const record = makeRecord(Math.round(nowMs - SPAN_MS + (SPAN_MS * made) / EVENTS), random);
      tally(record);
      waiting.push(storage.decisions.record(record));
      if (waiting.length === AT_ONCE) await Promise.all(waiting.splice(0));
    }
    await Promise.all(waiting);
    await storage.flush();
  });
  after(() => gateway.close());

  async function act(made: number): Promise<void> {
    acts++;
    await owner.call('PATCH', `/projects/${projects[1]}`, { name: `Second ${made}` });
  }

  function makeRecord(atMs: number, random: () => number): DecisionRecord {
    const { organizationId } = gateway.account;
    const kind = random() < 0.12 ? KINDS[Math.floor(random() * KINDS.length)]! : null;
    const confidence = kind === null ? 0 : 0.9;
    const id = newEventId(atMs);
    const decision = kind?.decision ?? 'allow';
    const findings =
      kind === null
        ? []
        : [
            {
              ...{
                rule: kind.rule,
                type: kind.threatType,
                path: '/messages/0/content',
                role: 'user' as const,
              },
              ...{ start: 3, end: 20, confidence },
            },
          ];
    return {
      event: {
        ...{
          id,
          organizationId,
          keyId: null,
          deviceId: null,
          requestId: `req_${id}`,
          route: 'chat/completions',
        },
        ...{ decision, findings, confidence, atMs, unscanned: [], failed: null, latencyUs: 900 },
        projectId: projects[random() < 0.3 ? 1 : 0]!,
        direction: random() < 0.5 ? 'input' : 'output',
        model: MODELS[Math.floor(random() * MODELS.length)]!,
        threatType: kind?.threatType ?? null,
      },
      audit: {
        kind: decision === 'block' ? 'policy_block' : 'policy_allow',
        actor: 'key_none',
        subject: id,
        data: { decision, threat_type: kind?.threatType ?? null },
      },
    };
  }

  function tally({ event }: DecisionRecord): void {
    const { decision, threatType, projectId, model, direction, findings, atMs } = event;
    for (const name of ['all', decision, `threat ${threatType}`, `project ${projectId}`, `model ${model}`])
      count(name);
    count(`direction ${direction}`);
    count(`${decision} ${threatType}`);
    count(`project ${projectId} ${decision}`);
    if (findings[0] !== undefined) count(`rule ${findings[0].rule}`);
    if (atMs >= middle()) count('late');
  }

  let middleMs = 0;
  const middle = () => (middleMs ||= Date.now() - SPAN_MS / 2);

  /** Runs one read, and prints how long it took if requested. */
  async function timed<T>(what: string, read: () => Promise<T>): Promise<T> {
    const fromMs = performance.now();
    const result = await read();
    if (EVENTS > 100_000) console.log(`${what}: ${Math.round(performance.now() - fromMs)} ms`);
    return result;
  }

  test('an export has every event that its filter names, as JSON lines and as CSV', async () => {
    const lines = async (filter: string): Promise<number> => {
      const { status, body } = await owner.call<unknown>('GET', `/events?${filter}`);
      assert.equal(status, 200, JSON.stringify(body));
      // A browser of the tests reads an empty body as {}.
      return typeof body === 'string' ? body.split('\n').filter((line) => line !== '').length : 0;
    };
    for (const [filter, name] of [
      ['', 'all'],
      ['decision=block', 'block'],
      ['threat_type=pii_leak', 'threat pii_leak'],
      [`project_id=${projects[1]}`, `project ${projects[1]}`],
      [`project_id=${projects[1]}&decision=redact`, `project ${projects[1]} redact`],
      ['model=gpt-5', 'model gpt-5'],
      ['direction=output', 'direction output'],
      ['q=pii.credit', 'rule pii.credit_card'],
      [`from=${new Date(middle()).toISOString()}`, 'late'],
    ] as const) {
      const found = await timed(`export of "${filter}"`, () => lines(`${filter}&format=jsonl`));
      assert.equal(found, hand(name), `JSON lines of "${filter}"`);
    }
    assert.equal(await lines('decision=block&format=csv'), hand('block') + 1, 'CSV, with its header');
    assert.equal(await timed('a filter that matches nothing', () => lines('q=pii.nothing&format=jsonl')), 0);
  });

  test('the list contains each event once across its pages', async () => {
    const seen = new Set<string>();
    let older = '';
    do {
      const { body } = await owner.call<{ events: { id: string }[]; next: string | null }>(
        'GET',
        `/events?decision=block&limit=100${older}`,
      );
      for (const { id } of body.events) seen.add(id);
      older = body.next === null ? '' : `&before=${encodeURIComponent(body.next)}`;
    } while (older !== '');
    assert.equal(seen.size, hand('block'));
  });

  test('the overview counts every decision, of all projects and of one', async () => {
    interface Totals {
      readonly totals: { readonly requests: number; readonly block: number; readonly redact: number };
      readonly threats: { readonly type: string; readonly total: number }[];
    }
    const read = (query: string) => owner.call<Totals>('GET', `/overview?span=24h${query}`);
    const { body } = await timed('overview', () => read(''));
    const { requests, block, redact } = body.totals;
    assert.deepEqual([requests, block, redact], [hand('all'), hand('block'), hand('redact')]);
    for (const { type, total } of body.threats) assert.equal(total, hand(`threat ${type}`), type);
    const one = await read(`&project_id=${projects[1]}`);
    assert.equal(one.body.totals.requests, hand(`project ${projects[1]}`));
  });

  test('the preview of a policy counts everything, or is marked as an estimate and within 5%', async () => {
    const { body } = await timed('preview', () =>
      owner.call<{ requests: number; would: { block: number }; now: { block: number }; estimated: boolean }>(
        'POST',
        '/policies/preview',
        { policy: { name: 'No personal data', action: 'block', threat_types: ['pii_leak'] }, hours: 24 },
      ),
    );
    assert.equal(body.requests, hand('all'));
    assert.equal(body.now.block, hand('block'));
    const truth = hand('block') + hand('redact pii_leak');
    if (!body.estimated) assert.equal(body.would.block, truth);
    else
      assert.ok(Math.abs(body.would.block - truth) / truth < 0.05, `${body.would.block} instead of ${truth}`);
  });

  test('the audit log shows every admin action in one page, and its chain verifies', async () => {
    const { body } = await timed('acts among decisions', () =>
      owner.call<{ rows: { kind: string }[]; next: number | null }>(
        'GET',
        '/audit-log?only=changes&limit=200',
      ),
    );
    assert.equal(body.rows.filter(({ kind }) => kind === 'project_changed').length, acts);
    assert.equal(body.next, null);
    const report = await timed('verification of the chain', () =>
      owner.call('POST', '/audit-log/verify-chain'),
    );
    assert.equal(report.body['valid'], true);
    assert.equal(report.body['events_checked'], hand('all'));
  });
});
