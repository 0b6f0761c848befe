import Type, { type Static } from 'typebox';
import { choice, nullableText, shape } from './fields.ts';

export const PLATFORMS = ['macos', 'windows', 'linux', 'browser'] as const;
export type Platform = (typeof PLATFORMS)[number];
export const platformEnum = choice('Platform', PLATFORMS);

export const enrollRequestSchema = shape(
  'EnrollRequest',
  {
    token: Type.String({ minLength: 1, maxLength: 255 }),
    device_name: Type.String({ minLength: 1, maxLength: 255 }),
    platform: platformEnum,
    end_user_id: Type.Optional(Type.String({ maxLength: 255 })),
    coverage: Type.Optional(Type.Enum(['proxy', 'extension'], { default: 'proxy' })),
  },
  { examples: [{ token: 'svc_enroll_…', device_name: 'Laptop of Kim', platform: 'linux' }] },
);
export type EnrollRequest = Static<typeof enrollRequestSchema>;

export const enrollResponseSchema = shape('EnrollResponse', {
  api_key: Type.String({ description: 'The device credential, scan-only. Shown once.' }),
  project_id: nullableText,
  device_id: Type.String(),
  organization_id: Type.String(),
  enforced: Type.Boolean(),
  mode: Type.Enum(['enforce', 'monitor']),
  fail_closed: Type.Boolean(),
  end_user_label: nullableText,
  account_name: Type.String(),
  account_type: Type.Enum(['personal', 'team']),
  signing_key: Type.String({
    description: 'Ed25519 public key (SPKI DER, base64) that signs configurations. To be pinned.',
  }),
});
export type EnrollResponse = Static<typeof enrollResponseSchema>;

export const unenrollReplySchema = shape('UnenrollResponse', {
  device_id: Type.String(),
  revoked: Type.Boolean(),
});
export type UnenrollReply = Static<typeof unenrollReplySchema>;
