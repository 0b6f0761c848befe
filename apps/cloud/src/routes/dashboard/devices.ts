import {
  type AssignDevice,
  assignDeviceSchema,
  type ChangeFleetSettings,
  changeFleetSettingsSchema,
  type DeviceRecord,
  deviceRecordSchema,
  fleetSettingsSchema,
  idSchema,
  type RevokeDevices,
  revokeDevicesSchema,
  revokedDevicesSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { assignDevice, revokeDevices } from '../../flows/devices/device-owners.ts';
import {
  changeFleetSettings,
  type FleetDeps,
  listDevices,
  revokeDevice,
} from '../../flows/devices/manage-devices.ts';
import { needsRole } from '../../plugins/route-access.ts';
import { memberOf } from '../../plugins/session.ts';
import type { FleetSettings } from '../../storage/storage.ts';
import { csvLine } from '../../wire/csv.ts';
import { isoTime } from '../../wire/iso-time.ts';
import { wireOf } from '../../wire/wire-of.ts';
import { dashboardRoute } from './dashboard-route.ts';

/** Registers enrolled devices, and the settings for all of them. */
export function registerDashboardDevices(
  app: FastifyInstance,
  deps: FleetDeps & { readonly forgetKeys: () => void },
): void {
  registerDeviceList(app, deps);
  registerDeviceOwners(app, deps);
  registerFleetSettings(app, deps);
}

function registerDeviceList(
  app: FastifyInstance,
  deps: FleetDeps & { readonly forgetKeys: () => void },
): void {
  app.get<{ Querystring: { readonly format?: 'json' | 'csv' } }>(
    '/devices',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'listDevices',
        area: 'Devices',
        summary: 'List devices',
        description: '`format=csv` returns a spreadsheet.',
        query: Type.Object({ format: Type.Optional(Type.Enum(['json', 'csv'])) }),
        response: Type.Array(deviceRecordSchema),
      }),
    },
    async (request, reply): Promise<DeviceRecord[] | FastifyReply> => {
      const { organizationId } = memberOf(request);
      const [devices, members, projects] = await Promise.all([
        listDevices(deps, organizationId),
        deps.storage.members.list(organizationId),
        deps.storage.projects.list(organizationId),
      ]);
      const emails = new Map(members.map(({ userId, email }) => [userId, email]));
      const projectNames = new Map(projects.map(({ id, name }) => [id, name]));
      const records = devices.map(
        (device): DeviceRecord => ({
          ...shownDevice(device),
          project_name: projectNames.get(device.projectId ?? '') ?? null,
          user_email: emails.get(device.userId ?? '') ?? null,
          enrolled_at: isoTime(device.createdAtMs),
        }),
      );
      if (request.query.format !== 'csv') return records;
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="devices.csv"')
        .serializer(String)
        .send(exportDevices(records));
    },
  );

  app.post<{ Params: { device_id: string } }>(
    '/devices/:device_id/revoke',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'revokeDevice',
        area: 'Devices',
        summary: 'Revoke a device',
        description: 'Its credential stops working immediately; the device is notified within a second.',
        params: Type.Object({ device_id: idSchema }),
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await revokeDevice(deps, memberOf(request), request.params.device_id);
      return reply.code(204).send();
    },
  );
}

function registerDeviceOwners(
  app: FastifyInstance,
  deps: FleetDeps & { readonly forgetKeys: () => void },
): void {
  app.patch<{ Params: { device_id: string }; Body: AssignDevice }>(
    '/devices/:device_id',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'assignDevice',
        area: 'Devices',
        summary: 'Assign a device to a member',
        description: 'The device is revoked when that member leaves the organization.',
        params: Type.Object({ device_id: idSchema }),
        body: assignDeviceSchema,
        response: null,
        status: 204,
        codes: ['not_found', 'invalid_state'],
      }),
    },
    async (request, reply) => {
      await assignDevice(deps, memberOf(request), request.params.device_id, request.body.user_email || null);
      return reply.code(204).send();
    },
  );

  app.post<{ Body: RevokeDevices }>(
    '/devices/revoke',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'revokeDevices',
        area: 'Devices',
        summary: 'Revoke several devices',
        description: 'Revokes all of them, or none if one is unknown.',
        body: revokeDevicesSchema,
        response: revokedDevicesSchema,
        codes: ['not_found'],
      }),
    },
    async (request) => ({
      revoked: [...(await revokeDevices(deps, memberOf(request), request.body.device_ids))],
    }),
  );
}

function registerFleetSettings(
  app: FastifyInstance,
  deps: FleetDeps & { readonly forgetKeys: () => void },
): void {
  app.get(
    '/fleet-settings',
    {
      config: needsRole('viewer'),
      schema: dashboardRoute({
        id: 'getFleetSettings',
        area: 'Devices',
        summary: 'Get the fleet settings',
        response: fleetSettingsSchema,
      }),
    },
    async (request) => settingsRecord(await deps.storage.fleetSettings.get(memberOf(request).organizationId)),
  );

  app.patch<{ Body: ChangeFleetSettings }>(
    '/fleet-settings',
    {
      config: needsRole('admin'),
      schema: dashboardRoute({
        id: 'updateFleetSettings',
        area: 'Devices',
        summary: 'Update the fleet settings',
        description: 'Changes only the given fields; an empty text removes a value.',
        body: changeFleetSettingsSchema,
        response: fleetSettingsSchema,
      }),
    },
    async (request) =>
      settingsRecord(await changeFleetSettings(deps, memberOf(request), changeFrom(request.body))),
  );
}

const shownDevice = wireOf(deviceRecordSchema, 'project_name', 'user_email', 'enrolled_at');
const settingsRecord = wireOf(fleetSettingsSchema);

function changeFrom(input: ChangeFleetSettings): Partial<FleetSettings> {
  const word = (text: string | null) => text?.trim() || null;
  return {
    ...(input.mode === undefined ? {} : { mode: input.mode }),
    ...(input.extra_hosts === undefined ? {} : { extraHosts: input.extra_hosts }),
    ...(input.bypass_hosts === undefined ? {} : { bypassHosts: input.bypass_hosts }),
    ...(input.blocked_tools === undefined ? {} : { blockedTools: input.blocked_tools }),
    ...(input.fleet === undefined ? {} : { fleet: word(input.fleet) }),
    ...(input.force_update_mode === undefined ? {} : { forceUpdateMode: input.force_update_mode }),
    ...(input.pinned_channel === undefined ? {} : { pinnedChannel: word(input.pinned_channel) }),
    ...(input.min_version_override === undefined
      ? {}
      : { minVersionOverride: word(input.min_version_override) }),
  };
}

const COLUMNS = [
  ...(['id', 'name', 'state', 'platform', 'coverage', 'project_id', 'project_name', 'user_email'] as const),
  ...(['end_user_label', 'agent_version', 'proxy_restarts'] as const),
  ...(['last_seen_at', 'enrolled_at', 'revoked_at'] as const),
] satisfies readonly (keyof DeviceRecord)[];

/** Returns the list of devices as CSV (RFC 4180). */
function exportDevices(devices: readonly DeviceRecord[]): string {
  return [COLUMNS, ...devices.map((device) => COLUMNS.map((name) => device[name]))].map(csvLine).join('');
}
