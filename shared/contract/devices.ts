import Type, { type Static } from 'typebox';
import { choice, nameOf, nullable, shape } from './fields.ts';

export const PLATFORMS = ['macos', 'windows', 'linux', 'browser'] as const;
export type Platform = (typeof PLATFORMS)[number];
export const platformEnum = choice('Platform', PLATFORMS);

export const enrollRequestSchema = shape(
  'EnrollRequest',
  {
    token: Type.String({ minLength: 1, maxLength: 255, description: 'The enrollment token.' }),
    device_name: nameOf(255, { description: 'Shown in the dashboard.' }),
    platform: platformEnum,
    end_user_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'Your id for the person who uses the device.' }),
    ),
    coverage: Type.Optional(Type.Enum(['proxy', 'extension'], { default: 'proxy' })),
  },
  { examples: [{ token: 'svc_enroll_…', device_name: 'Laptop of Kim', platform: 'linux' }] },
);
export type EnrollRequest = Static<typeof enrollRequestSchema>;

export const enrollResponseSchema = shape('EnrollResponse', {
  api_key: Type.String({ description: 'The device credential, scan-only. Shown once.' }),
  project_id: nullable(Type.String(), {
    description: 'The project whose policies apply; null: those of the organization.',
  }),
  device_id: Type.String(),
  organization_id: Type.String(),
  enforced: Type.Boolean({ description: 'Whether the device enforces policies.' }),
  mode: Type.Enum(['enforce', 'monitor'], {
    description: 'enforce blocks and redacts; monitor only reports.',
  }),
  fail_closed: Type.Boolean({ description: 'Whether requests are blocked if they cannot be evaluated.' }),
  end_user_label: nullable(Type.String(), { description: 'Text label of the person; null: none.' }),
  account_name: Type.String({ description: 'Name of the organization.' }),
  account_type: Type.Enum(['personal', 'team']),
  signing_key: Type.String({
    description:
      'Ed25519 public key (SPKI DER, base64) of the signatures of configurations. The device must pin it.',
  }),
});
export type EnrollResponse = Static<typeof enrollResponseSchema>;

export const unenrollReplySchema = shape('UnenrollResponse', {
  device_id: Type.String(),
  revoked: Type.Boolean(),
});
export type UnenrollReply = Static<typeof unenrollReplySchema>;
