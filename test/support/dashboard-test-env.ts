/** A service as it looks after some weeks, for showing pages. All data is made up. */
import { type Decision, ownEndpointId, type ThreatType } from '@csg/shared/contract';
import { changeToolLists } from '../../apps/cloud/src/flows/agent/change-tool-lists.ts';
import { decideRequest } from '../../apps/cloud/src/flows/approvals/decide-request.ts';
import { createProject } from '../../apps/cloud/src/flows/create-project.ts';
import { newEventId } from '../../apps/cloud/src/storage/ids.ts';
import { makeKey } from '../../apps/cloud/src/storage/key-format.ts';
import type { DecisionRecord, Storage } from '../../apps/cloud/src/storage/storage.ts';
import { addPerson } from './browser.ts';
import type { TestGateway } from './gateway.ts';
import { seededRandom } from './random.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

interface Kind {
  readonly share: number;
  readonly decision: Decision;
  readonly threatType: ThreatType | null;
  readonly rule?: string;
}

const KINDS: readonly Kind[] = [
  { share: 0.9, decision: 'allow', threatType: null },
  { share: 0.03, decision: 'redact', threatType: 'pii_leak', rule: 'pii.email' },
  { share: 0.015, decision: 'redact', threatType: 'pii_leak', rule: 'pii.credit_card' },
  { share: 0.01, decision: 'redact', threatType: 'secret_leak', rule: 'secret.generic' },
  { share: 0.015, decision: 'block', threatType: 'prompt_injection', rule: 'attack.user' },
  { share: 0.01, decision: 'block', threatType: 'indirect_prompt_injection', rule: 'attack.data' },
  { share: 0.008, decision: 'block', threatType: 'jailbreak', rule: 'attack.user' },
  { share: 0.007, decision: 'block', threatType: 'system_prompt_leak', rule: 'attack.user' },
  { share: 0.005, decision: 'allow', threatType: 'hidden_content', rule: 'hidden.invisible' },
];
const MODELS = ['gpt-5-mini', 'claude-sonnet-5', 'gpt-5', null];
const ROUTES = ['chat/completions', 'messages', 'guard', 'security/scan'];

export interface DashboardTestEnv {
  readonly ownerEmail: string;
  readonly adminEmail: string;
  readonly projects: Readonly<Record<'support' | 'code', string>>;
  /** A blocked event. */
  readonly blockedEventId: string;
}

/** Fills the first account's organization. `events`: their number, over the last thirty days. */
export async function seedDashboard(gateway: TestGateway, events = 2_000): Promise<DashboardTestEnv> {
  const { storage, account } = gateway;
  const { organizationId } = account;
  await storage.organizations.rename(organizationId, 'Harbour Insurance');
  await storage.users.update(account.accountId, { name: 'Ada Winter', email: 'ada@harbour.example' });
  const admin = await addPerson(gateway, { email: 'noor@harbour.example' });
  await storage.users.update(admin.userId, { name: 'Noor Haddad' });
  await storage.members.add(organizationId, admin.userId, 'admin');
  const viewer = await addPerson(gateway, { email: 'jonas@harbour.example' });
  await storage.members.add(organizationId, viewer.userId, 'viewer');

  const owner = {
    organizationId,
    userId: account.accountId,
    id: account.accountId,
    actor: account.accountId,
    projectId: null,
    deviceId: null,
    permissions: [],
    account: {
      id: account.accountId,
      planName: 'enterprise',
      plan: {
        perMinute: 1_000,
        monthly: null,
        spendCapUsd: null,
        projects: null,
        keys: null,
        keysPerProject: null,
      },
    },
  } as unknown as Parameters<typeof createProject>[1] & { readonly id: string };
  const support = await createProject({ storage }, owner, {
    name: 'Support bot',
    description: 'Answers customers on the website.',
    use_case: 'support_bot',
    strictness_level: 'strict',
    fail_mode: 'closed',
  });
  const code = await createProject({ storage }, owner, { name: 'Code review', use_case: 'code_assistant' });
  await changeToolLists({ storage }, owner, support.id, {
    blocked_tools: ['bash', 'delete_file', 'send_email'],
    allowed_tools: [],
    review_required_tools: ['refunds.create'],
  });
  const projects = { support: support.id, code: code.id };

  await storage.policies.insertMany(organizationId, support.id, [
    {
      ...{ name: 'Card numbers never leave', action: 'block', threatTypes: ['pii_leak'], priority: 2_000 },
      description:
        'Agreed with the data protection officer in March: card numbers of customers are neither sent to a model nor shown in its response, whatever the preset of a project says.',
      rules: { conditions: { pii_types: ['credit_card'] } },
    },
  ]);
  await addEndpoints(storage, organizationId, support.id);
  await addFailedDelivery(storage, organizationId, support.id);
  const keyIds = await addKeys(gateway, projects);
  await addDevices(gateway, projects.support, admin.userId);
  await addRequests(storage, organizationId, owner.id, projects.support);
  const blockedEventId = await addEvents(
    storage,
    organizationId,
    account.accountId,
    projects,
    keyIds,
    events,
  );
  await reportTexts(storage, organizationId, [admin.userId, owner.id]);
  return { ownerEmail: 'ada@harbour.example', adminEmail: admin.email, projects, blockedEventId };
}

async function addEndpoints(
  { endpoints }: Storage,
  organizationId: string,
  projectId: string,
): Promise<void> {
  const common = { isEnabled: true, events: null };
  const hook = { ...common, url: 'https://hooks.harbour.example/gateway' };
  await endpoints.put(organizationId, 'webhook', projectId, hook);
  await endpoints.put(organizationId, 'policy', projectId, {
    ...{ ...common, url: 'https://policy.harbour.example/verdict', failMode: 'closed', timeoutMs: 1_500 },
  });
  await endpoints.insert(organizationId, 'notification', {
    ...{ ...common, url: 'security@harbour.example', events: ['request.waiting', 'device.gave_up'] },
    ...{ form: 'mail', digest: null, quietHours: { from: '22:00', to: '07:00' } },
  });
  await endpoints.put(organizationId, 'audit', null, {
    ...{ ...common, url: 'https://archive.harbour.example/checkpoints' },
  });
}

async function addFailedDelivery(storage: Storage, organizationId: string, projectId: string): Promise<void> {
  const payload = JSON.stringify({ event: 'threat.blocked', data: {} });
  await storage.deliveries.enqueue(organizationId, [
    {
      ...{ endpointId: ownEndpointId('webhook', projectId), projectId },
      ...{ event: 'threat.blocked', eventId: null, payload },
    },
  ]);
  const [claimed] = await storage.deliveries.claim({
    limit: 1,
    perEndpoint: 1,
    busy: new Map(),
    leaseMs: 1_000,
  });
  if (claimed === undefined) return;
  await storage.deliveries.settle(claimed, {
    ...{ status: 'failed', failures: 4, responseStatus: 502, dueAtMs: Date.now(), isAttempt: true },
    lastError:
      'The endpoint responded with 502 Bad Gateway: upstream connect error or disconnect before headers, reset reason: connection timeout, transport failure reason: delayed connect error.',
  });
}

async function addKeys(
  { storage, account }: TestGateway,
  projects: DashboardTestEnv['projects'],
): Promise<readonly string[]> {
  const base = { organizationId: account.organizationId, userId: account.accountId, deviceId: null };
  const wishes = [
    { name: 'Support bot, production', projectId: projects.support, permissions: ['proxy', 'scan'] },
    { name: 'Support bot, staging', projectId: projects.support, permissions: ['proxy', 'scan'] },
    { name: 'Code review CI', projectId: projects.code, permissions: [] },
  ] as const;
  const ids: string[] = [];
  for (const { permissions, ...input } of wishes) {
    const key = await storage.keys.insert({
      ...base,
      ...input,
      permissions: [...permissions],
      expiresAtMs: null,
      key: makeKey(),
    });
    storage.keys.touchLastUsed(key.id, Date.now() - ids.length * 7 * MINUTE_MS);
    ids.push(key.id);
  }
  return ids;
}

async function addDevices(
  { storage, account }: TestGateway,
  projectId: string,
  userId: string,
): Promise<void> {
  const { organizationId } = account;
  const nowMs = Date.now();
  const states = [
    { name: "Noor's laptop", platform: 'macos', state: 'quiet', agoMs: 20_000, userId },
    { name: 'FRONT-DESK-2', platform: 'windows', state: 'quiet', agoMs: 35_000, label: 'Front desk' },
    { name: 'FRONT-DESK-3', platform: 'windows', state: 'gave_up', agoMs: 50_000, label: 'Front desk' },
    { name: 'claims-01', platform: 'linux', state: 'retrying', agoMs: 10_000, label: 'Claims' },
    { name: 'claims-02', platform: 'linux', state: 'quiet', agoMs: 5 * HOUR_MS, label: 'Claims' },
    { name: 'claims-03', platform: 'linux', state: null, agoMs: 0, label: 'Claims' },
  ] as const;
  for (const input of states) {
    const device = await storage.devices.insert(organizationId, {
      projectId,
      name: input.name,
      platform: input.platform,
      userId: 'userId' in input ? input.userId : null,
      endUserLabel: 'label' in input ? input.label : null,
    });
    if (input.state === null) continue;
    await storage.devices.recordHeartbeat(organizationId, device.id, {
      agentVersion: input.state === 'gave_up' ? '1.3.9' : '1.4.2',
      proxyRestarts: input.state === 'gave_up' ? 9 : input.state === 'retrying' ? 2 : 0,
      supervisorState: input.state,
      atMs: nowMs - input.agoMs,
    });
  }
  const expiresAtMs = nowMs + 6 * 24 * HOUR_MS;
  await storage.enrollments.create(organizationId, {
    projectId,
    label: 'Claims',
    isBulk: true,
    uses: 40,
    expiresAtMs,
  });
  await storage.enrollments.create(organizationId, { projectId, label: 'New laptop of Jonas', expiresAtMs });
}

async function addRequests(
  storage: Storage,
  organizationId: string,
  ownerId: string,
  projectId: string,
): Promise<void> {
  const [device, other] = await storage.devices.list(organizationId);
  const from = (deviceId: string) => ({
    projectId,
    deviceId,
    requestedBy: deviceId,
    requesterUserId: null,
  });
  const ask = (host: string, threat: ThreatType, justification: string, minutes: number, deviceId: string) =>
    storage.requests.insert(organizationId, 'exception', {
      ...from(deviceId),
      destinationHost: host,
      subject: host,
      policyId: null,
      threat,
      reasonCategory: 'Test data (no real people)',
      justification,
      requestedMinutes: minutes,
    });
  const counting = await ask('claude.ai', 'pii_leak', 'Sample claims for the training.', 120, other!.id);
  await decideRequest(
    { storage },
    { organizationId, id: ownerId, userId: ownerId },
    { id: counting.id },
    {
      approve: true,
      reason: 'Go ahead, the list is made up.',
    },
  );
  await ask('chatgpt.com', 'pii_leak', 'The names in this list are made up for a test.', 60, device!.id);
  await storage.requests.insert(organizationId, 'tool_request', {
    ...from(device!.id),
    requestedHost: 'perplexity.ai',
    requestedName: 'Perplexity',
    justification: 'Looking up case law with sources.',
  });
  await storage.requests.insert(organizationId, 'tool_review', {
    ...{ projectId, deviceId: null, requestedBy: ownerId, requesterUserId: ownerId },
    agentId: 'refund-agent',
    sessionId: 'chat-81',
    toolName: 'refunds.create',
    subject: '{"amount":120}',
    arguments: { amount: 120, currency: 'EUR', customer: 'CUS-1042' },
    reason: 'This tool needs a person to decide.',
    endsInMs: 20 * HOUR_MS,
  });
}

async function addEvents(
  storage: Storage,
  organizationId: string,
  accountId: string,
  projects: DashboardTestEnv['projects'],
  keyIds: readonly string[],
  count: number,
): Promise<string> {
  const random = seededRandom(42);
  const nowMs = Date.now();
  let blocked = '';
  let waiting: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    // More of them recently, and by day.
    const agoMs = 30 * 24 * HOUR_MS * (1 - i / count) ** 1.6 * (0.9 + 0.2 * random());
    const isDay = new Date(nowMs - agoMs).getUTCHours() > 6;
    if (!isDay && random() < 0.7) continue;
    const record = makeDecision(organizationId, projects, keyIds, nowMs - agoMs, random);
    if (record.event.decision === 'block') blocked = record.event.id;
    waiting.push(storage.decisions.record(record));
    const { admit } = storage.usage;
    await admit({ accountId, limit: null, device: false, nowMs: record.event.atMs });
    if (waiting.length === 200) {
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
  return blocked;
}

/** Two false positives whose texts should be allowed: one waits for the owner, one was approved. */
async function reportTexts(
  storage: Storage,
  organizationId: string,
  [adminId, ownerId]: readonly [string, string],
): Promise<void> {
  await storage.flush();
  const { events } = await storage.events.page(organizationId, { filter: { decision: 'block' }, limit: 8 });
  for (const [at, note] of ['Slide of our security training.', 'Answer of the intranet search.'].entries()) {
    const event = events[at + 4]!;
    const { id } = await storage.requests.report(organizationId, {
      ...{ projectId: event.projectId, deviceId: null, requestedBy: adminId, requesterUserId: adminId },
      ...{ eventId: event.id, justification: note, event },
      ...{ allowText: true, status: 'pending' },
    });
    if (at === 1)
      await decideRequest(
        { storage },
        { organizationId, id: ownerId, userId: ownerId },
        { id },
        {
          approve: true,
        },
      );
  }
}

function makeDecision(
  organizationId: string,
  projects: DashboardTestEnv['projects'],
  keyIds: readonly string[],
  at: number,
  random: () => number,
): DecisionRecord {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const atMs = Math.round(at);
  let rest = random();
  const kind = KINDS.find(({ share }) => {
    rest -= share;
    return rest < 0;
  })!;
  const id = newEventId(atMs);
  const confidence = kind.rule === undefined ? 0 : Math.round((0.55 + 0.44 * random()) * 100) / 100;
  const start = Math.floor(random() * 400);
  return {
    event: {
      id,
      organizationId,
      projectId: random() < 0.7 ? projects.support : projects.code,
      keyId: pick(keyIds),
      deviceId: null,
      requestId: `req_${id.slice(4)}`,
      direction: random() < 0.6 ? 'input' : 'output',
      route: pick(ROUTES),
      model: pick(MODELS),
      decision: kind.decision,
      threatType: kind.threatType,
      confidence,
      findings:
        kind.rule === undefined || kind.threatType === null
          ? []
          : [
              {
                rule: kind.rule,
                type: kind.threatType,
                path: '/messages/1/content',
                role: kind.threatType === 'indirect_prompt_injection' ? 'tool_result' : 'user',
                start,
                end: start + 40,
                confidence,
                ...(kind.decision === 'block' && { textKey: `user:${id.slice(-22)}` }),
              },
            ],
      unscanned: [],
      failed: null,
      latencyUs: Math.round(120 + 900 * random() ** 3 + (random() < 0.02 ? 9_000 : 0)),
      atMs,
    },
    audit: {
      kind: kind.decision === 'block' ? 'policy_block' : 'policy_allow',
      actor: 'system',
      subject: id,
      data: { decision: kind.decision },
      atMs,
    },
  };
}
