import Type, { type Static } from 'typebox';
import { DEVICE_MODES } from './device-config.ts';
import { platformEnum } from './devices.ts';
import { idSchema, nullable, nullableText, shape, timestamp, timestampOf } from './fields.ts';

/** Enrolled devices as admins see them. */

export const DEVICE_STATE_NAMES = [
  'quiet',
  'programs_only',
  'needs_administrator',
  'retrying',
  'gave_up',
  'silent',
  'never_seen',
  'revoked',
] as const;

export const deviceRecordSchema = shape('Device', {
  id: Type.String(),
  name: Type.String(),
  state: Type.Enum([...DEVICE_STATE_NAMES], {
    description: 'State reported in the last heartbeat, unless that heartbeat is too old.',
  }),
  platform: platformEnum,
  coverage: Type.Enum(['proxy', 'extension']),
  project_id: nullableText,
  project_name: nullableText,
  user_email: nullable(Type.String({ description: 'Email address of its owner.' })),
  end_user_label: nullable(Type.String(), {
    description: 'Text label of the person, if the device was enrolled in bulk.',
  }),
  needs_administrator: Type.Array(Type.String(), {
    description:
      'Hosts that the device cannot inspect until an administrator makes it trust another certificate.',
  }),
  agent_version: nullable(Type.String(), { description: 'Version in the last heartbeat.' }),
  proxy_restarts: nullable(Type.Integer(), { description: 'Since the start of the agent.' }),
  last_seen_at: nullable(timestamp, { description: 'Time of the last heartbeat; null: never.' }),
  enrolled_at: timestampOf('When it was enrolled.'),
  revoked_at: nullable(timestamp, { description: 'null: it is not revoked.' }),
});
export type DeviceRecord = Static<typeof deviceRecordSchema>;

export const ENROLLMENT_STATE_NAMES = ['open', 'spent', 'expired', 'revoked'] as const;

export const enrollmentRecordSchema = shape('Enrollment', {
  id: Type.String(),
  state: Type.Enum([...ENROLLMENT_STATE_NAMES]),
  label: nullable(Type.String(), { description: 'Text label of its devices.' }),
  platform: nullable(platformEnum, { description: 'null: any.' }),
  project_id: nullableText,
  uses_left: Type.Integer({ description: 'How many more devices the token can enroll.' }),
  uses: Type.Integer({ description: 'How many devices the token can enroll in total.' }),
  expires_at: nullable(timestamp),
  created_at: timestamp,
});
export type EnrollmentRecord = Static<typeof enrollmentRecordSchema>;

export const createEnrollmentSchema = shape(
  'CreateEnrollmentRequest',
  {
    project_id: idSchema,
    label: Type.Optional(Type.String({ maxLength: 100, description: 'Text label of its devices.' })),
    platform: Type.Optional(platformEnum),
    uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
    expires_in_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760, default: 24 })),
    user_email: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'For a token with one use, the member whose device it enrolls. Default: you.',
      }),
    ),
  },
  { examples: [{ project_id: 'proj_…', label: 'Sales', uses: 25, expires_in_hours: 168 }] },
);
export type CreateEnrollment = Static<typeof createEnrollmentSchema>;

export const createOwnEnrollmentSchema = shape('CreateOwnEnrollmentRequest', {
  project_id: idSchema,
  platform: Type.Optional(platformEnum),
});
export type CreateOwnEnrollment = Static<typeof createOwnEnrollmentSchema>;

export const assignDeviceSchema = shape('AssignDeviceRequest', {
  user_email: Type.String({
    maxLength: 254,
    description:
      'The member who owns the device; empty: no owner. The device is revoked when the member leaves.',
  }),
});
export type AssignDevice = Static<typeof assignDeviceSchema>;

export const revokeDevicesSchema = shape('RevokeDevicesRequest', {
  device_ids: Type.Array(idSchema, { minItems: 1, maxItems: 500 }),
});
export type RevokeDevices = Static<typeof revokeDevicesSchema>;

export const revokedDevicesSchema = shape('RevokedDevices', {
  revoked: Type.Array(Type.String(), {
    description: 'Ids of the newly revoked devices, without those revoked before.',
  }),
});

export const createdEnrollmentSchema = shape('CreatedEnrollment', {
  enrollment: enrollmentRecordSchema,
  token: Type.String({ description: 'Shown once, here.' }),
  link: Type.String({ description: 'Link that opens the agent and enrolls the device.' }),
  command: Type.String({ description: 'Command that enrolls the device from a terminal.' }),
  managed_file: Type.Object(
    { server: Type.String(), token: Type.String() },
    { description: 'File that device management puts on the devices.' },
  ),
});
export type CreatedEnrollment = Static<typeof createdEnrollmentSchema>;

const names = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 500, description });
const word = nullable(Type.String({ maxLength: 64 }));

const settings = {
  mode: Type.Enum([...DEVICE_MODES], { description: '`monitor`: devices report but block nothing.' }),
  extra_hosts: names('Hosts that are inspected in addition to those of AI providers.'),
  bypass_hosts: names('Hosts that are never inspected.'),
  blocked_tools: names('Hosts or names of AI tools that are not allowed.'),
  fleet: word,
  force_update_mode: Type.Enum(['off', 'notify', 'force']),
  pinned_channel: word,
  min_version_override: word,
};

export const fleetSettingsSchema = shape('FleetSettings', settings);
export type FleetSettingsRecord = Static<typeof fleetSettingsSchema>;
/** Any of them, as in requests and responses. */
export const fleetSettingChangesSchema = Type.Partial(Type.Object(settings), { $id: 'FleetSettingChanges' });
export const changeFleetSettingsSchema = shape(
  'ChangeFleetSettingsRequest',
  fleetSettingChangesSchema.properties,
);
export type ChangeFleetSettings = Static<typeof changeFleetSettingsSchema>;
