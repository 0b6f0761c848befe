import { type Command, InvalidArgumentError } from 'commander';
import { changeFleetSettings, listDevices, revokeDevice } from '../flows/devices/manage-devices.ts';
import { SYSTEM_CLOCK } from '../gateway/configured-parts.ts';
import type { Shell } from '../run-process.ts';
import type { FleetSettings } from '../storage/storage.ts';
import { parseOneOf } from './parse-option.ts';
import { print, withAccount } from './with-storage.ts';

interface SettingsOptions {
  readonly mode?: FleetSettings['mode'];
  readonly blockTools?: readonly string[];
  readonly bypassHosts?: readonly string[];
  readonly extraHosts?: readonly string[];
  readonly fleet?: string;
  readonly forceUpdate?: FleetSettings['forceUpdateMode'];
  readonly channel?: string;
  readonly minVersion?: string;
  readonly json?: boolean;
}

export function addDevicesCommand(program: Command, shell: Shell): void {
  const devices = program.command('devices').description('enrolled computers');
  devices
    .command('list')
    .description('list devices and their states')
    .option('--json', 'print one JSON object')
    .action((options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const found = await listDevices({ storage, clock: SYSTEM_CLOCK }, organizationId);
        const items = found.map((device) => ({
          id: device.id,
          name: device.name,
          state: device.state,
          platform: device.platform,
          coverage: device.coverage,
          end_user_label: device.endUserLabel,
          agent_version: device.agentVersion,
          proxy_restarts: device.proxyRestarts,
          last_seen_at: device.lastSeenAtMs === null ? null : new Date(device.lastSeenAtMs).toISOString(),
        }));
        print(shell, options.json, { devices: items }, [
          items.length === 0 ? 'No devices. Enroll one: gateway enrollments create' : 'Devices:',
          ...items.map(
            (one) =>
              `  ${one.id}  ${one.state.padEnd(10)}  ${one.last_seen_at === null ? 'never reported' : `last seen ${one.last_seen_at}`}  ${one.name}`,
          ),
        ]);
      }),
    );
  devices
    .command('revoke')
    .description('revoke a device: its credential stops working immediately')
    .argument('<id>', 'id of the device, dev_…')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const admin = { organizationId, id: 'operator', userId: null };
        await revokeDevice({ storage, clock: SYSTEM_CLOCK }, admin, id);
        print(shell, options.json, { id, state: 'revoked' }, [`Device ${id} is revoked.`]);
      }),
    );
  devices
    .command('settings')
    .description('change the fleet settings; without options, show them')
    .option('--mode <mode>', 'enforce or monitor', parseOneOf(['enforce', 'monitor']))
    .option('--block-tools <list>', 'hosts or names of AI tools that are not allowed; "" for none', list)
    .option('--bypass-hosts <list>', 'hosts that are never inspected', list)
    .option('--extra-hosts <list>', 'hosts to inspect in addition to those of AI providers', list)
    .option('--fleet <name>', 'name of the fleet; "" for none', word)
    .option('--force-update <mode>', 'off, notify or force', parseOneOf(['off', 'notify', 'force']))
    .option('--channel <name>', 'update channel that devices must use; "" for none', word)
    .option('--min-version <version>', 'minimum agent version; "" for none', word)
    .option('--json', 'print one JSON object')
    .action((options: SettingsOptions) =>
      withAccount(shell, async (storage, { organizationId }) => {
        const change = changeOf(options);
        const settings =
          Object.keys(change).length === 0
            ? await storage.fleetSettings.get(organizationId)
            : await changeFleetSettings(
                { storage, clock: SYSTEM_CLOCK },
                { organizationId, id: 'operator', userId: null },
                change,
              );
        const rows = Object.entries(settings).map(([name, value]) => [snakeCase(name), value] as const);
        print(shell, options.json, Object.fromEntries(rows), [
          ...rows.map(
            ([name, value]) =>
              `  ${name.padEnd(20)} ${Array.isArray(value) ? value.join(', ') : (value ?? '')}`,
          ),
        ]);
      }),
    );
}

function changeOf(options: SettingsOptions): Partial<FleetSettings> {
  const { mode, blockTools, bypassHosts, extraHosts, forceUpdate } = options;
  // An empty text clears a setting (commander has no null).
  const [fleet, channel, minVersion] = [options.fleet, options.channel, options.minVersion].map((name) =>
    name === '' ? null : name,
  );
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(blockTools === undefined ? {} : { blockedTools: blockTools }),
    ...(bypassHosts === undefined ? {} : { bypassHosts }),
    ...(extraHosts === undefined ? {} : { extraHosts }),
    ...(fleet === undefined ? {} : { fleet }),
    ...(forceUpdate === undefined ? {} : { forceUpdateMode: forceUpdate }),
    ...(channel === undefined ? {} : { pinnedChannel: channel }),
    ...(minVersion === undefined ? {} : { minVersionOverride: minVersion }),
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function list(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function word(text: string): string {
  const name = text.trim();
  if ([...name].length > 64) throw new InvalidArgumentError('Enter at most 64 characters.');
  return name;
}
