import { createHash } from 'node:crypto';
import {
  DEVICE_CONFIG_FORMAT,
  type DeviceConfig,
  effectiveSettings,
  type FailMode,
  type ManagedPolicy,
  THREAT_TYPES,
  type ToolLists,
} from '@csg/shared/contract';
import { exceptedTypes, hostName, type RulesetInput } from '@csg/shared/detection';
import { AI_HOSTS } from '@csg/shared/providers';
import { canonicalJson, signedText } from '@csg/shared/text';
import type {
  FleetSettings,
  Policy,
  Project,
  ProjectEndpoints,
  Storage,
  ToolRequest,
} from '../../storage/storage.ts';
import type { Clock } from '../clock.ts';
import { rulesetInput } from '../ruleset-input.ts';

export interface DeviceConfigDeps {
  readonly storage: Pick<
    Storage,
    | 'projects'
    | 'endpoints'
    | 'toolLists'
    | 'policies'
    | 'fleetSettings'
    | 'requests'
    | 'devices'
    | 'enrollments'
  >;
  readonly signer: { readonly keyId: string; sign(text: string): string };
  readonly clock: Clock;
}

/** A device, with its organization and project. */
export interface DeviceContext {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly deviceId: string;
}

/** Configuration shared by all devices of a project. */
export interface SharedConfig {
  readonly failMode: FailMode;
  readonly ruleset: RulesetInput;
  readonly delivery: DeliverySettings;
  readonly policies: readonly Policy[];
  readonly settings: FleetSettings;
}

/** How texts are delivered: what the project has set itself. */
type DeliverySettings = Pick<DeviceConfig, 'streaming' | 'masking' | 'secret_tools'>;

type Content = Omit<
  DeviceConfig,
  'device_id' | 'policy_version' | 'issued_at' | 'signing_key_id' | 'signature'
>;

/** Scope of a configuration; without a device, that of all devices without exceptions or approvals of their own. */
type ConfigContext = Omit<DeviceContext, 'deviceId'> & { readonly deviceId: string | null };

export async function readSharedConfig(
  deps: DeviceConfigDeps,
  organizationId: string,
  projectId: string | null,
): Promise<SharedConfig> {
  const { storage } = deps;
  const [project, endpoints, lists, policies, settings] = await Promise.all([
    projectId === null ? null : storage.projects.get(organizationId, projectId),
    projectId === null ? null : storage.endpoints.ofProject(projectId),
    projectId === null ? null : storage.toolLists.get(organizationId, projectId),
    storage.policies.listActive(organizationId, projectId),
    storage.fleetSettings.get(organizationId),
  ]);
  const preset = {
    useCase: project?.useCase ?? ('default' as const),
    strictnessLevel: project?.strictnessLevel ?? ('moderate' as const),
  };
  return {
    failMode: project?.failMode ?? 'open',
    ruleset: { ...rulesetInput(preset, policies), ...settingsOf(project, lists, policies) },
    delivery: deliveryOf(project, endpoints),
    policies,
    settings,
  };
}

/** With a policy webhook, live streaming becomes buffered, because the webhook only sees whole responses. */
function deliveryOf(project: Project | null, endpoints: ProjectEndpoints | null): DeliverySettings {
  if (project === null) return {};
  const { streaming, masking, secret_tools } = effectiveSettings(project.settings, basisOf(project));
  const isSet = project.settings.streaming != null;
  const isWhole = streaming === 'live' && endpoints !== null && endpoints.policyWebhook !== null;
  return {
    ...(isSet && { streaming: isWhole ? 'buffered' : streaming }),
    ...(project.settings.masking != null && { masking }),
    ...(masking === 'round_trip' && { secret_tools }),
  };
}

const basisOf = (project: Project | null) => ({
  strictness_level: project?.strictnessLevel ?? ('moderate' as const),
  fail_mode: project?.failMode ?? ('open' as const),
});

/** Tool calls are included only if some of them may be held. */
function settingsOf(
  project: Project | null,
  lists: ToolLists | null,
  policies: readonly Policy[],
): Pick<RulesetInput, 'untrustedData' | 'toolCalls'> {
  const { untrusted_data, flow_control, effect_tools, record_tools } = effectiveSettings(
    project?.settings ?? {},
    basisOf(project),
  );
  const hasRules = policies.some(({ rules }) => (rules.flows?.length ?? 0) > 0);
  const holdsCalls = lists !== null || hasRules || flow_control === 'review' || flow_control === 'block';
  return {
    untrustedData: untrusted_data,
    ...(holdsCalls && { toolCalls: { lists, flow_control, effect_tools, record_tools } }),
  };
}

/** Returns the signed configuration bundle of a device. `shared`: its project's configuration, if just read. */
export async function readDeviceConfig(
  deps: DeviceConfigDeps,
  context: DeviceContext,
  shared?: SharedConfig,
): Promise<DeviceConfig> {
  const content = await readContent(deps, context, shared);
  const unsigned = {
    device_id: context.deviceId,
    ...content,
    policy_version: versionOf(content),
    issued_at: new Date(deps.clock.now()).toISOString(),
    signing_key_id: deps.signer.keyId,
  };
  return { ...unsigned, signature: deps.signer.sign(signedText(DEVICE_CONFIG_FORMAT, unsigned)) };
}

/** Returns a version that changes with any part of the bundle and is the same on every instance. */
export async function readPolicyVersion(
  deps: DeviceConfigDeps,
  context: ConfigContext,
  shared?: SharedConfig,
): Promise<string> {
  return versionOf(await readContent(deps, context, shared));
}

async function readContent(
  deps: DeviceConfigDeps,
  context: ConfigContext,
  shared: SharedConfig | undefined,
): Promise<Content> {
  const { organizationId } = context;
  const { failMode, ruleset, delivery, policies, settings } =
    shared ?? (await readSharedConfig(deps, organizationId, context.projectId));
  const [exceptions, approved] = await Promise.all([
    deps.storage.requests.listApproved(organizationId, 'exception', context),
    deps.storage.requests.listApproved(organizationId, 'tool_request', context),
  ]);
  return {
    mode: settings.mode,
    fail_closed: failMode === 'closed',
    hosts: unique([...AI_HOSTS, ...settings.extraHosts]),
    bypass_hosts: [...settings.bypassHosts],
    blocked_tools: settings.blockedTools.filter((tool) => !approved.some((one) => allows(one, tool))),
    ruleset: ruleset as unknown as DeviceConfig['ruleset'],
    ...delivery,
    exceptions: exceptions.map((exception) => ({
      id: exception.id,
      destination_host: hostName(exception.destinationHost),
      threat_types: [...exceptedTypes(exception, policies.filter(isDeciding), THREAT_TYPES)],
      expires_at: new Date(exception.endsAtMs ?? 0).toISOString(),
    })),
  };
}

/** A policy in monitor mode decides no type. */
function isDeciding(policy: Policy): boolean {
  return policy.rules.mode !== 'monitor';
}

function versionOf(content: Content): string {
  return `pv_${createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, 24)}`;
}

function allows(request: ToolRequest, tool: string): boolean {
  const name = tool.toLowerCase();
  return hostName(request.requestedHost) === hostName(tool) || request.requestedName?.toLowerCase() === name;
}

function unique(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => host.toLowerCase()))];
}

/** Returns the policy of a managed installation. The fleet's name is the organization's, else the enrollment's. */
export async function readManagedPolicy(
  deps: Pick<DeviceConfigDeps, 'storage'>,
  { organizationId, deviceId }: DeviceContext,
): Promise<ManagedPolicy> {
  const settings = await deps.storage.fleetSettings.get(organizationId);
  const device = await deps.storage.devices.get(organizationId, deviceId);
  const enrollment = (await deps.storage.enrollments.list(organizationId)).find(
    ({ id }) => id === device?.enrollmentId,
  );
  return {
    fleet: settings.fleet ?? enrollment?.label ?? null,
    force_update_mode: settings.forceUpdateMode,
    pinned_channel: settings.pinnedChannel,
    min_version_override: settings.minVersionOverride,
  };
}
