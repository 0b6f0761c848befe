import Type, { type Static } from 'typebox';
import { choice, idSchema, nullable, nullableText, shape, timestamp, timestampOf, title } from './fields.ts';
import { PLAN_NAMES, planEnum, subscriptionStatusEnum } from './plans.ts';
import { roleMappingSchema, roleMapRequestSchema, roleSourceEnum } from './role-map.ts';

/** Sent with every change that a signed-in person makes: the `csrf_token` of their session. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** Strongest first. */
export const ROLE_NAMES = ['owner', 'admin', 'member', 'auditor', 'viewer'] as const;
export const roleEnum = choice('Role', ROLE_NAMES);

export const emailSchema = Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' });
/** Length limits only; the strength has a check and a message of its own. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1024 });
export const personNameSchema = Type.String({ maxLength: 100 });
export const organizationNameSchema = title(80);
export const linkTokenSchema = Type.String({ minLength: 1, maxLength: 100 });

export const codeSchema = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'Code from the authenticator app, or a recovery code.',
});

export const signInRequestSchema = shape(
  'SignInRequest',
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: passwordSchema,
    code: Type.Optional(codeSchema),
  },
  { examples: [{ email: 'ada@example.com', password: 'a long quiet river bends' }] },
);
export type SignInRequest = Static<typeof signInRequestSchema>;

export const setUpRequestSchema = shape('SetUpRequest', {
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
  role: roleEnum,
});
const listedOrganizationSchema = shape('OrganizationSummary', {
  ...organizationOfPersonSchema.properties,
  owner_email: Type.String({ description: 'Distinguishes organizations of the same name.' }),
});

/** Roles that a member can have in one project, in addition to the one in the organization. */
export const PROJECT_ROLE_NAMES = ['admin', 'member'] as const;
const projectRoleName = Type.Enum([...PROJECT_ROLE_NAMES], {
  description: 'In the project, the role with more rights applies: this one or the role in the organization.',
});
export const givenProjectRoleSchema = Type.Object({ project_id: Type.String(), role: projectRoleName });

export const sessionSchema = shape(
  'Session',
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
        plan: planEnum,
        subscription_status: subscriptionStatusEnum,
        project_roles: Type.Array(givenProjectRoleSchema, {
          description: 'Roles of the user in single projects.',
        }),
        sso_missing: Type.Boolean({
          description: 'true: the organization requires single sign-on; its data is hidden until then.',
        }),
        second_factor_missing: Type.Boolean({
          description: 'true: the organization requires a second factor; its data is hidden until then.',
        }),
      }),
    ),
    signed_in_by: Type.Enum(['password', 'sso'], {
      description: '`sso`: valid only in this organization, and not for the account.',
    }),
    organizations: Type.Array(listedOrganizationSchema),
    csrf_token: Type.String({ description: `Send it as ${CSRF_HEADER} with every change.` }),
    expires_at: timestamp,
  },
  { description: 'The signed-in person, their current organization and all their organizations.' },
);
export type SessionResponse = Static<typeof sessionSchema>;

export const signInOptionsSchema = shape('SignInOptions', {
  sign_up: Type.Enum(['open', 'invitation']),
  mail: Type.Enum(['smtp', 'outbox'], {
    description: 'outbox: emails stay in the dashboard, where an admin reads them.',
  }),
  is_set_up: Type.Boolean({
    description: 'false: the one-time link that the service printed at startup has not been used yet.',
  }),
  sso: Type.Enum(['none', 'by_email', 'default'], {
    description:
      '`default`: `GET /dashboard/sso/start` needs no organization. `by_email`: it requires an email address.',
  }),
});
export type SignInOptions = Static<typeof signInOptionsSchema>;

export const signUpRequestSchema = shape('SignUpRequest', {
  email: emailSchema,
  password: passwordSchema,
  name: Type.Optional(personNameSchema),
});
export type SignUpRequest = Static<typeof signUpRequestSchema>;

export const forgotPasswordRequestSchema = shape('ForgotPasswordRequest', { email: emailSchema });
export const resetPasswordRequestSchema = shape('ResetPasswordRequest', {
  token: linkTokenSchema,
  password: passwordSchema,
});
export type ResetPasswordRequest = Static<typeof resetPasswordRequestSchema>;
export const linkRequestSchema = shape('LinkTokenRequest', { token: linkTokenSchema });
export const selectOrganizationRequestSchema = shape('SelectOrganizationRequest', {
  organization_id: idSchema,
});

export const changeAccountRequestSchema = shape('ChangeAccountRequest', { name: personNameSchema });
export const changeEmailRequestSchema = shape('ChangeEmailRequest', {
  email: emailSchema,
  current_password: passwordSchema,
});
export type ChangeEmailRequest = Static<typeof changeEmailRequestSchema>;
export const changePasswordRequestSchema = shape('ChangePasswordRequest', {
  current_password: passwordSchema,
  new_password: passwordSchema,
});
export type ChangePasswordRequest = Static<typeof changePasswordRequestSchema>;

export const ownSessionSchema = shape('AccountSession', {
  id: Type.String(),
  is_this: Type.Boolean(),
  address: Type.String(),
  user_agent: Type.String(),
  created_at: timestamp,
  last_seen_at: timestamp,
});
export const endedSessionsSchema = shape('EndedSessions', { ended: Type.Integer() });
export type OwnSession = Static<typeof ownSessionSchema>;

export const confirmedRequestSchema = shape('PasswordConfirmation', { current_password: passwordSchema });
export const codeRequestSchema = shape('SecondFactorCode', { code: codeSchema });
export const confirmedCodeRequestSchema = shape('PasswordAndCode', {
  current_password: passwordSchema,
  code: codeSchema,
});
export const begunSecondFactorSchema = shape('SecondFactorSetup', {
  secret: Type.String({ description: 'Base32, for manual entry.' }),
  otpauth_url: Type.String({ description: 'For a QR code.' }),
});
export const recoveryCodesSchema = shape('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String(), {
    description: 'Shown once. Each code is valid for one sign-in.',
  }),
});
export const secondFactorSchema = shape('SecondFactor', {
  enabled: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
});

export const createOrganizationRequestSchema = shape('CreateOrganizationRequest', {
  name: organizationNameSchema,
});
export const organizationSchema = shape('Organization', {
  ...organizationOfPersonSchema.properties,
  owner_id: Type.String({ description: 'Id of the owner, whose plan applies.' }),
  plan: planEnum,
  allowed_ips: Type.Array(Type.String(), {
    description:
      'Addresses and ranges from which API keys may be used; empty: any. Does not apply to devices.',
  }),
  ip_allow_list_available: Type.Boolean(),
  requires_second_factor: Type.Boolean({ description: 'Whether members need two-factor authentication.' }),
  sso_only: Type.Boolean({ description: 'True if all members except the owner must use single sign-on.' }),
  role_map: Type.Array(roleMappingSchema),
  is_operator: Type.Boolean({ description: 'Whether its owner runs this service.' }),
  your_address: Type.String({ description: 'The address this request came from.' }),
  created_at: timestamp,
});
export type OrganizationResponse = Static<typeof organizationSchema>;
export const changeOrganizationRequestSchema = shape('ChangeOrganizationRequest', {
  name: Type.Optional(organizationNameSchema),
  allowed_ips: Type.Optional(Type.Array(Type.String({ maxLength: 64 }))),
  requires_second_factor: Type.Optional(
    Type.Boolean({ description: 'To set this, you must have a second factor yourself.' }),
  ),
  sso_only: Type.Optional(
    Type.Boolean({ description: 'True if all members except the owner must use single sign-on.' }),
  ),
  role_map: Type.Optional(roleMapRequestSchema),
});
export type ChangeOrganizationRequest = Static<typeof changeOrganizationRequestSchema>;
export const transferRequestSchema = shape('TransferOrganizationRequest', {
  user_id: idSchema,
  current_password: passwordSchema,
});
export type TransferRequest = Static<typeof transferRequestSchema>;
export const transferResponseSchema = shape('OrganizationTransfer', {
  plan: Type.Enum([...PLAN_NAMES], {
    description: 'The plan that would apply to the organization if the transfer were accepted now.',
  }),
  invitation_id: Type.String(),
  expires_at: timestamp,
});

export const setProjectRoleSchema = shape('SetProjectRole', { role: projectRoleName });
export type SetProjectRole = Static<typeof setProjectRoleSchema>;
export const projectRoleSchema = shape('ProjectRole', {
  user_id: Type.String(),
  email: Type.String(),
  name: nullableText,
  role: projectRoleName,
  source: roleSourceEnum,
  organization_role: roleEnum,
  given_by: nullable(Type.String(), {
    description: 'Name or email address of the person who gave the role; null: no longer a member.',
  }),
  given_at: timestamp,
});
export type ProjectRoleRecord = Static<typeof projectRoleSchema>;

export const memberSchema = shape('Member', {
  user_id: Type.String(),
  email: Type.String(),
  name: nullableText,
  role: roleEnum,
  role_source: roleSourceEnum,
  joined_at: timestampOf('When the membership began.'),
  last_sign_in_at: nullable(timestamp, {
    description: 'Last sign-in to this organization; null: none recorded.',
  }),
  last_seen_at: nullable(timestamp),
  has_second_factor: Type.Boolean(),
  is_from_directory: Type.Boolean({ description: 'A directory (SCIM) manages this member.' }),
  has_signed_in: Type.Boolean({
    description: 'False: no password and no sign-in yet.',
  }),
  project_roles: Type.Array(givenProjectRoleSchema),
  role_groups: Type.Array(Type.String(), { description: 'Groups of the directory that give them roles.' }),
});
export type MemberRecord = Static<typeof memberSchema>;
const givenRole = Type.Enum(['admin', 'member', 'auditor', 'viewer'], {
  description: '`auditor`: can read what a viewer can, and export the audit log.',
});
export const changeRoleRequestSchema = shape('ChangeRoleRequest', { role: givenRole });
export type ChangeRoleRequest = Static<typeof changeRoleRequestSchema>;

export const inviteRequestSchema = shape('InviteRequest', { email: emailSchema, role: givenRole });
export type InviteRequest = Static<typeof inviteRequestSchema>;
export const invitationSchema = shape('Invitation', {
  id: Type.String(),
  email: Type.String(),
  role: Type.Enum([...ROLE_NAMES], { description: '`owner`: accepting transfers the organization.' }),
  invited_by: Type.String({ description: 'Id of the person, or of the directory token.' }),
  invited_by_name: nullable(Type.String(), {
    description: 'Name or email address of that person; null: not a person, or the account was deleted.',
  }),
  state: Type.Enum(['open', 'expired']),
  sent_at: timestamp,
  expires_at: timestamp,
});
export type InvitationRecord = Static<typeof invitationSchema>;
export const invitationPreviewSchema = shape('InvitationPreview', {
  organization_name: Type.String(),
  owner_email: Type.String(),
  email: Type.String(),
  role: Type.Enum([...ROLE_NAMES], { description: '`owner`: accepting transfers the organization.' }),
  has_account: Type.Boolean({
    description: 'true: sign in to the account, then accept. false: choose a password.',
  }),
  expires_at: timestamp,
});
export type InvitationPreview = Static<typeof invitationPreviewSchema>;
export const ownInvitationSchema = shape('AccountInvitation', {
  id: Type.String(),
  organization_name: Type.String(),
  owner_email: Type.String(),
  role: roleEnum,
  invited_by: nullable(
    Type.String({ description: "Email address of the inviter; null: the organization's directory." }),
  ),
  sent_at: timestamp,
  expires_at: timestamp,
});
export type OwnInvitationRecord = Static<typeof ownInvitationSchema>;
export const acceptInvitationRequestSchema = shape('AcceptInvitationRequest', {
  token: linkTokenSchema,
  password: Type.Optional(passwordSchema),
  name: Type.Optional(personNameSchema),
});
export type AcceptInvitationRequest = Static<typeof acceptInvitationRequestSchema>;

export const emailRecordSchema = shape('Email', {
  id: Type.String(),
  kind: Type.String({ description: 'Kind, such as invitation or security_notice.' }),
  to: Type.String(),
  subject: Type.String(),
  status: Type.Enum(['waiting', 'sent', 'failed']),
  attempts: Type.Integer({ description: 'Number of attempts to send the email.' }),
  last_error: nullable(Type.String(), { description: 'Why the last attempt failed.' }),
  sent_at: nullable(timestamp),
  created_at: timestamp,
});
export type EmailRecord = Static<typeof emailRecordSchema>;
export const emailListSchema = shape('EmailList', {
  delivery: Type.Enum(['smtp', 'outbox'], {
    description: 'outbox: no email server is configured; emails stay here.',
  }),
  mails: Type.Array(emailRecordSchema),
  next: nullable(Type.String({ description: 'Value of `before` for the next page.' })),
});
export type EmailList = Static<typeof emailListSchema>;
export const emailWithTextSchema = shape('EmailWithText', {
  ...emailRecordSchema.properties,
  text: nullable(Type.String({ description: 'null after it was sent.' })),
});
export type EmailWithTextRecord = Static<typeof emailWithTextSchema>;

export const createDirectoryTokenRequestSchema = shape('CreateDirectoryTokenRequest', {
  name: title(80),
});
export const directoryTokenSchema = shape('DirectoryToken', {
  id: Type.String(),
  name: Type.String(),
  created_by: Type.String({ description: 'Id of the person.' }),
  last_used_at: nullable(timestamp, { description: 'Accurate to a minute; null: never.' }),
  created_at: timestamp,
});
export type DirectoryTokenRecord = Static<typeof directoryTokenSchema>;
export const createdDirectoryTokenSchema = shape('CreatedDirectoryToken', {
  ...directoryTokenSchema.properties,
  token: Type.String({ description: 'Shown once.' }),
  base_url: Type.String({ description: 'Base URL to enter in the directory.' }),
});

/** A scope with `:read` only reads; the others include reading. */
export const TOKEN_SCOPES = [
  ...(['events:read', 'audit:read', 'usage:read'] as const),
  ...(['members', 'policies', 'projects', 'webhooks', 'devices', 'approvals'] as const),
  ...(['members:read', 'policies:read', 'projects:read'] as const),
  ...(['webhooks:read', 'devices:read', 'approvals:read'] as const),
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const tokenScopeEnum = choice('TokenScope', TOKEN_SCOPES);

export const createOrganizationTokenSchema = shape(
  'CreateOrganizationTokenRequest',
  {
    name: title(80),
    scopes: Type.Array(tokenScopeEnum, {
      minItems: 1,
      maxItems: TOKEN_SCOPES.length,
      uniqueItems: true,
    }),
    expires_at: Type.Optional(nullable(timestamp, { description: 'Default: never.' })),
  },
  { examples: [{ name: 'Terraform', scopes: ['policies', 'projects'] }] },
);
export type CreateOrganizationToken = Static<typeof createOrganizationTokenSchema>;

export const organizationTokenSchema = shape('OrganizationToken', {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(tokenScopeEnum),
  created_by: Type.String({ description: 'Id of the person as whom the token acts.' }),
  expires_at: nullable(timestamp),
  last_used_at: nullable(timestamp, { description: 'Accurate to a minute; null: never.' }),
  created_at: timestamp,
});
export const createdOrganizationTokenSchema = shape('CreatedOrganizationToken', {
  ...organizationTokenSchema.properties,
  token: Type.String({ description: 'Shown once.' }),
});

export const versionSchema = shape('Version', {
  version: Type.String(),
  commit: nullableText,
  environment: Type.String(),
  node: Type.String(),
  database: Type.Enum(['sqlite', 'postgres']),
});
export type VersionResponse = Static<typeof versionSchema>;
