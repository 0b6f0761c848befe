import {
  CodedError,
  type ExplicitSettings,
  effectiveSettings,
  type FailMode,
  KEY_PREFIX,
  type Plans,
  type ProjectSettings,
  type StrictnessLevel,
} from '@csg/shared/contract';
import { accountOf } from '../access/account-of.ts';
import type { Caller } from '../access/caller.ts';
import type { ProjectRuleset, Scanner } from '../detection-workers/scanner.ts';
import type { KeyForAuth, KeyLimits, PolicyEndpoint, Storage, WebhookRoute } from '../storage/storage.ts';
import { type AddressList, createAddressList } from './address-list.ts';
import type { Clock } from './clock.ts';
import type { Labels } from './read-labels.ts';
import { rulesetInput } from './ruleset-input.ts';
import { isServiceKey } from './service-key.ts';

/** The caller, with everything a request needs to know about them. Immutable, at most a second old. */
export interface Principal extends Caller {
  readonly keyId: string;
  readonly limits: KeyLimits;
  readonly failMode: FailMode;
  readonly zeroRetention: boolean;
  /** The effective settings, and those that the project has set itself. */
  readonly settings: ProjectSettings;
  readonly explicitSettings: ExplicitSettings;
  /** The project's webhooks for decisions. */
  readonly webhooks: readonly WebhookRoute[];
  /** The customer's endpoint that takes part in decisions; null if none is enabled. */
  readonly policyWebhook: PolicyEndpoint | null;
  readonly ruleset: ProjectRuleset;
  /** Addresses from which the organization's keys may be used; null: any address. */
  readonly allowedAddresses: AddressList | null;
  /** How the client names this request. */
  readonly labels?: Labels;
}

export interface AuthenticateDeps {
  readonly storage: Pick<Storage, 'keys' | 'policies' | 'mcpTools'>;
  readonly scanner: Pick<Scanner, 'ruleset'>;
  readonly plans: Plans;
  readonly clock: Clock;
}

/** Changes to keys and policies have to apply everywhere within a second, so nothing is cached for longer. */
const REUSE_MS = 800;
const MAX_KNOWN = 10_000;
/** Some packages send the provider's key in X-API-Key. */
const FOREIGN_KEY = `X-API-Key does not contain an API key of this gateway: those begin with ${KEY_PREFIX}. Send a provider key as "Authorization: Bearer <PROVIDER_KEY>".`;

export interface Authenticator {
  /** Returns the caller of a presented key; rejects with missing_, invalid_, disabled_ or expired_api_key. */
  authenticate(presented: string | undefined): Principal | Promise<Principal>;
  /** Makes the next request of every key read its state again. */
  forget(): void;
}

interface Known {
  /** On the monotonic clock: a wall clock that is set back must not keep a revoked key valid. */
  readonly untilMs: number;
  readonly expiresAtMs: number;
  readonly principal: Principal;
}

export function createAuthenticator(deps: AuthenticateDeps): Authenticator {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Principal>>();
  let changes = 0;

  async function lookUp(presented: string): Promise<Principal> {
    const startedMs = deps.clock.now();
    const untilMs = deps.clock.elapsed() + REUSE_MS;
    const before = changes;
    const row = await deps.storage.keys.findForAuth(presented);
    if (row === null || row.deviceRevokedAtMs !== null) throw unknownKey(presented);
    if (!row.isActive) throw new CodedError('disabled_api_key');
    if (row.expiresAtMs !== null && row.expiresAtMs <= startedMs) throw new CodedError('expired_api_key');
    const principal = await readPrincipal(deps, row);
    if (known.size >= MAX_KNOWN) known.clear();
    // State that was read during a change may be outdated, so it is not cached.
    if (before === changes) {
      known.set(presented, { principal, untilMs, expiresAtMs: row.expiresAtMs ?? Number.POSITIVE_INFINITY });
    }
    deps.storage.keys.touchLastUsed(row.id, startedMs);
    return principal;
  }

  return {
    authenticate(presented) {
      if (presented === undefined || presented === '') throw new CodedError('missing_api_key');
      const entry = known.get(presented);
      if (entry !== undefined) {
        if (deps.clock.elapsed() < entry.untilMs && deps.clock.now() < entry.expiresAtMs)
          return entry.principal;
        known.delete(presented);
      }
      let pending = underWay.get(presented);
      if (pending === undefined) {
        const started = lookUp(presented).finally(() => {
          if (underWay.get(presented) === started) underWay.delete(presented);
        });
        pending = started;
        underWay.set(presented, pending);
      }
      return pending;
    },
    forget() {
      changes += 1;
      known.clear();
      underWay.clear();
    },
  };
}

function unknownKey(presented: string): CodedError {
  return new CodedError('invalid_api_key', isServiceKey(presented) ? {} : { message: FOREIGN_KEY });
}

async function readPrincipal(deps: AuthenticateDeps, row: KeyForAuth): Promise<Principal> {
  const [policies, closedWorldTools] = await Promise.all([
    deps.storage.policies.listActive(row.organizationId, row.projectId),
    row.projectId === null ? [] : deps.storage.mcpTools.listClosedWorld(row.projectId),
  ]);
  const { settings, explicitSettings } = settingsOf(row);
  return {
    keyId: row.id,
    actor: row.deviceId ?? row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    userId: row.userId,
    deviceId: row.deviceId,
    permissions: row.permissions,
    limits: row.limits,
    failMode: row.failMode,
    zeroRetention: row.zeroRetention,
    // An admin vouches for the gateway's MCP servers.
    settings: { ...settings, record_tools: [...settings.record_tools, ...closedWorldTools] },
    explicitSettings,
    webhooks: row.webhooks,
    policyWebhook: row.policyWebhook,
    ruleset: deps.scanner.ruleset(rulesetInput(row, policies), row.organizationId),
    // Devices change networks; they are bound by their enrollment instead.
    allowedAddresses: row.deviceId === null ? createAddressList(row.allowedIps) : null,
    account: accountOf(row, deps.plans),
  };
}

/** Returns the effective settings of a project: its own, with defaults from its strictness and fail mode. */
export function settingsOf(project: {
  readonly settings: ExplicitSettings;
  readonly strictnessLevel: StrictnessLevel;
  readonly failMode: FailMode;
}): Pick<Principal, 'settings' | 'explicitSettings'> {
  const { settings, strictnessLevel: strictness_level, failMode: fail_mode } = project;
  return {
    settings: effectiveSettings(settings, { strictness_level, fail_mode }),
    explicitSettings: settings,
  };
}
