import Type, { type Static } from 'typebox';
import { nullable, nullableText, timestamp } from './fields.ts';
import { PLAN_NAMES, SUBSCRIPTION_STATUSES } from './plans.ts';

/** Sent with every change a signed-in person makes: the `csrf_token` of their session. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** Strongest first. */
export const ROLE_NAMES = ['owner', 'admin', 'member', 'viewer'] as const;

export const emailSchema = Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' });
/** Long enough for any passphrase; how good it is, is said by a sentence of its own. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1024 });
export const personNameSchema = Type.String({ maxLength: 100 });
export const organizationNameSchema = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' });
export const linkTokenSchema = Type.String({ minLength: 1, maxLength: 100 });

export const codeSchema = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'Of the authenticator app, or a recovery code.',
});

export const signInRequestSchema = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: passwordSchema,
    code: Type.Optional(codeSchema),
  },
  { examples: [{ email: 'ada@example.com', password: 'a long quiet river bends' }] },
);
export type SignInRequest = Static<typeof signInRequestSchema>;

export const setUpRequestSchema = Type.Object({
  token: linkTokenSchema,
  email: emailSchema,
  password: passwordSchema,
  name: Type.Optional(personNameSchema),
  organization_name: Type.Optional(organizationNameSchema),
});
export type SetUpRequest = Static<typeof setUpRequestSchema>;

export const organizationOfPersonSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum(['personal', 'team']),
  role: Type.Enum([...ROLE_NAMES]),
});
const listedOrganizationSchema = Type.Object({
  ...organizationOfPersonSchema.properties,
  owner_email: Type.String({ description: 'Tells organizations of the same name apart.' }),
});

export const sessionSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: nullableText,
      email_verified: Type.Boolean(),
      second_factor: Type.Boolean(),
    }),
    organization: nullable(
      Type.Object({
        ...organizationOfPersonSchema.properties,
        plan: Type.Enum([...PLAN_NAMES]),
        subscription_status: Type.Enum([...SUBSCRIPTION_STATUSES]),
        second_factor_missing: Type.Boolean({
          description: 'true: the organization asks for a second factor; nothing else of it is shown before.',
        }),
      }),
    ),
    organizations: Type.Array(listedOrganizationSchema),
    csrf_token: Type.String({ description: `Sent as ${CSRF_HEADER} with every change.` }),
    expires_at: timestamp,
  },
  { description: 'Who is signed in, where, and where else they could be.' },
);
export type SessionAnswer = Static<typeof sessionSchema>;

export const signInOptionsSchema = Type.Object({
  sign_up: Type.Enum(['open', 'invitation']),
  mail: Type.Enum(['smtp', 'outbox'], {
    description: 'outbox: mails wait in the dashboard, for an admin to read.',
  }),
});
export type SignInOptions = Static<typeof signInOptionsSchema>;

export const signUpRequestSchema = Type.Object({
  email: emailSchema,
  password: passwordSchema,
  name: Type.Optional(personNameSchema),
});
export type SignUpRequest = Static<typeof signUpRequestSchema>;

export const forgotPasswordRequestSchema = Type.Object({ email: emailSchema });
export const resetPasswordRequestSchema = Type.Object({ token: linkTokenSchema, password: passwordSchema });
export type ResetPasswordRequest = Static<typeof resetPasswordRequestSchema>;
export const linkRequestSchema = Type.Object({ token: linkTokenSchema });
export const selectOrganizationRequestSchema = Type.Object({
  organization_id: Type.String({ minLength: 1, maxLength: 64 }),
});

export const changeAccountRequestSchema = Type.Object({ name: personNameSchema });
export const changeEmailRequestSchema = Type.Object({ email: emailSchema, current_password: passwordSchema });
export type ChangeEmailRequest = Static<typeof changeEmailRequestSchema>;
export const changePasswordRequestSchema = Type.Object({
  current_password: passwordSchema,
  new_password: passwordSchema,
});
export type ChangePasswordRequest = Static<typeof changePasswordRequestSchema>;

export const ownSessionSchema = Type.Object({
  id: Type.String(),
  is_this: Type.Boolean(),
  address: Type.String(),
  user_agent: Type.String(),
  created_at: timestamp,
  last_seen_at: timestamp,
});
export type OwnSession = Static<typeof ownSessionSchema>;

export const confirmedRequestSchema = Type.Object({ current_password: passwordSchema });
export const codeRequestSchema = Type.Object({ code: codeSchema });
export const confirmedCodeRequestSchema = Type.Object({ current_password: passwordSchema, code: codeSchema });
export const begunSecondFactorSchema = Type.Object({
  secret: Type.String({ description: 'Base32, for typing in.' }),
  otpauth_url: Type.String({ description: 'For a QR code.' }),
});
export const recoveryCodesSchema = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown once. Each is good for one sign-in.' }),
});
export const secondFactorSchema = Type.Object({
  enabled: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
});

export const createOrganizationRequestSchema = Type.Object({ name: organizationNameSchema });
export const organizationSchema = Type.Object({
  ...organizationOfPersonSchema.properties,
  owner_id: Type.String(),
  plan: Type.Enum([...PLAN_NAMES]),
  allowed_ips: Type.Array(Type.String(), {
    description: 'Addresses and ranges its keys may be used from; empty: any. Devices are not held to it.',
  }),
  ip_allow_list_available: Type.Boolean(),
  requires_second_factor: Type.Boolean(),
  is_operator: Type.Boolean({ description: 'Whether its owner runs this service.' }),
  your_address: Type.String({ description: 'The address this request came from.' }),
  created_at: timestamp,
});
export type OrganizationAnswer = Static<typeof organizationSchema>;
export const changeOrganizationRequestSchema = Type.Object({
  name: Type.Optional(organizationNameSchema),
  allowed_ips: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
  requires_second_factor: Type.Optional(
    Type.Boolean({ description: 'Who sets it has to have one themselves.' }),
  ),
});
export type ChangeOrganizationRequest = Static<typeof changeOrganizationRequestSchema>;
export const transferRequestSchema = Type.Object({
  user_id: Type.String({ minLength: 1, maxLength: 64 }),
  current_password: passwordSchema,
});
export type TransferRequest = Static<typeof transferRequestSchema>;
export const transferAnswerSchema = Type.Object({
  plan: Type.Enum([...PLAN_NAMES], {
    description: 'The plan that will count for the organization, as things are now.',
  }),
  invitation_id: Type.String(),
  expires_at: timestamp,
});

export const memberSchema = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  name: nullableText,
  role: Type.Enum([...ROLE_NAMES]),
  joined_at: timestamp,
});
export type MemberRecord = Static<typeof memberSchema>;
const givenRole = Type.Enum(['admin', 'member', 'viewer']);
export const changeRoleRequestSchema = Type.Object({ role: givenRole });
export type ChangeRoleRequest = Static<typeof changeRoleRequestSchema>;

export const inviteRequestSchema = Type.Object({ email: emailSchema, role: givenRole });
export type InviteRequest = Static<typeof inviteRequestSchema>;
export const invitationSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum([...ROLE_NAMES], { description: '`owner`: the organization itself is offered.' }),
  invited_by: Type.String(),
  state: Type.Enum(['open', 'expired']),
  sent_at: timestamp,
  expires_at: timestamp,
});
export type InvitationRecord = Static<typeof invitationSchema>;
export const invitationPreviewSchema = Type.Object({
  organization_name: Type.String(),
  owner_email: Type.String(),
  email: Type.String(),
  role: Type.Enum([...ROLE_NAMES], { description: '`owner`: the organization itself is offered.' }),
  has_account: Type.Boolean({ description: 'true: sign in to it, then accept. false: choose a password.' }),
  expires_at: timestamp,
});
export type InvitationPreview = Static<typeof invitationPreviewSchema>;
export const ownInvitationSchema = Type.Object({
  id: Type.String(),
  organization_name: Type.String(),
  owner_email: Type.String(),
  role: Type.Enum([...ROLE_NAMES]),
  invited_by: nullable(Type.String({ description: 'Address of the person; null: the directory of it.' })),
  sent_at: timestamp,
  expires_at: timestamp,
});
export type OwnInvitationRecord = Static<typeof ownInvitationSchema>;
export const acceptInvitationRequestSchema = Type.Object({
  token: linkTokenSchema,
  password: Type.Optional(passwordSchema),
  name: Type.Optional(personNameSchema),
});
export type AcceptInvitationRequest = Static<typeof acceptInvitationRequestSchema>;

export const mailSchema = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  status: Type.Enum(['waiting', 'sent', 'failed']),
  attempts: Type.Integer(),
  last_error: nullableText,
  sent_at: nullable(timestamp),
  created_at: timestamp,
});
export type MailRecord = Static<typeof mailSchema>;
export const mailListSchema = Type.Object({
  delivery: Type.Enum(['smtp', 'outbox'], { description: 'outbox: no mail server is set; mails stay here.' }),
  mails: Type.Array(mailSchema),
  next: nullable(Type.String({ description: '`before` of the next page.' })),
});
export type MailList = Static<typeof mailListSchema>;
export const mailWithTextSchema = Type.Object({
  ...mailSchema.properties,
  text: nullable(Type.String({ description: 'null once it was sent.' })),
});
export type MailWithTextRecord = Static<typeof mailWithTextSchema>;

export const createDirectoryTokenRequestSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
});
export const directoryTokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_by: Type.String(),
  last_used_at: nullable(timestamp),
  created_at: timestamp,
});
export type DirectoryTokenRecord = Static<typeof directoryTokenSchema>;
export const createdDirectoryTokenSchema = Type.Object({
  ...directoryTokenSchema.properties,
  token: Type.String({ description: 'Shown once.' }),
  base_url: Type.String({ description: 'What the directory is told beside the token.' }),
});

export const versionSchema = Type.Object({
  version: Type.String(),
  commit: nullableText,
  environment: Type.String(),
  node: Type.String(),
  database: Type.Enum(['sqlite', 'postgres']),
});
export type VersionAnswer = Static<typeof versionSchema>;
