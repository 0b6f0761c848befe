import Type, { type Static } from 'typebox';
import { nullableText, shape, timestamp } from './fields.ts';

const domainSchema = Type.String({
  minLength: 3,
  maxLength: 253,
  pattern: '^\\s*[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+\\s*$',
});

export const EMAIL_TRUSTS = ['verified', 'tenant'] as const;
export type EmailTrust = (typeof EMAIL_TRUSTS)[number];
const emailTrust = Type.Enum([...EMAIL_TRUSTS], {
  description:
    'Addresses that count. `verified`: `email_verified` is true. `tenant`: also without that claim, for an issuer of one tenant or customer; an address that the provider calls unverified never counts.',
});

export const changeSsoRequestSchema = shape(
  'ChangeSingleSignOnRequest',
  {
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    client_id: Type.String({ minLength: 1, maxLength: 255 }),
    client_secret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, description: 'Absent: the stored secret is kept.' }),
    ),
    domains: Type.Array(domainSchema, {
      minItems: 1,
      maxItems: 20,
      description:
        'Domains of the email addresses that may sign in, compared exactly; each is proven by a DNS record.',
    }),
    role_claim: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Claim that contains the role. Absent: roles are assigned on the members page.',
      }),
    ),
    email_trust: Type.Optional(emailTrust),
  },
  {
    examples: [
      {
        issuer: 'https://login.example.com',
        client_id: 'gateway',
        client_secret: 'a secret of the provider',
        domains: ['example.com'],
        role_claim: 'gateway_role',
        email_trust: 'verified',
      },
    ],
  },
);
export type ChangeSsoRequest = Static<typeof changeSsoRequestSchema>;

export const ssoSchema = shape('SingleSignOn', {
  source: Type.Enum(['none', 'organization', 'environment'], {
    description: '`environment`: set by the operator in the environment, and changed only there.',
  }),
  issuer: nullableText,
  client_id: nullableText,
  has_client_secret: Type.Boolean(),
  domains: Type.Array(Type.String()),
  role_claim: nullableText,
  email_trust: emailTrust,
  sign_in_url: Type.String({ description: 'Address where members start to sign in.' }),
  redirect_url: Type.String({ description: 'Callback URL that the provider must allow.' }),
});
export type SsoResponse = Static<typeof ssoSchema>;

export const ssoIdentitySchema = shape('LinkedIdentity', {
  issuer: Type.String(),
  linked_at: timestamp,
});
export type LinkedIdentity = Static<typeof ssoIdentitySchema>;
