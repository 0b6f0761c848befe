import Type, { type Static } from 'typebox';
import { PLAN_NAMES, SUBSCRIPTION_STATUSES } from './plans.ts';

/** Sent with every change a signed-in person makes: the `csrf_token` of their session. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** Strongest first. */
export const ROLE_NAMES = ['owner', 'admin', 'member', 'viewer'] as const;

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const timestamp = Type.String({ format: 'date-time' });

export const emailSchema = Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$' });
/** Long enough for any passphrase; how good it is, is said by a sentence of its own. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1024 });
export const personNameSchema = Type.String({ maxLength: 100 });
export const organizationNameSchema = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' });
export const linkTokenSchema = Type.String({ minLength: 1, maxLength: 100 });

export const signInRequestSchema = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: passwordSchema,
    code: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 32,
        description: 'Of the authenticator app, or a recovery code; asked for by `second_factor_required`.',
      }),
    ),
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

export const sessionSchema = Type.Object(
  {
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: nullable(Type.String()),
      email_verified: Type.Boolean(),
      second_factor: Type.Boolean(),
    }),
    organization: nullable(
      Type.Object({
        ...organizationOfPersonSchema.properties,
        plan: Type.Enum([...PLAN_NAMES]),
        subscription_status: Type.Enum([...SUBSCRIPTION_STATUSES]),
      }),
    ),
    organizations: Type.Array(organizationOfPersonSchema),
    csrf_token: Type.String({ description: `Sent as ${CSRF_HEADER} with every change.` }),
    expires_at: timestamp,
  },
  { description: 'Who is signed in, where, and where else they could be.' },
);
export type SessionAnswer = Static<typeof sessionSchema>;

export const versionSchema = Type.Object({
  version: Type.String(),
  commit: nullable(Type.String()),
  environment: Type.String(),
  node: Type.String(),
  database: Type.Enum(['sqlite', 'postgres']),
});
export type VersionAnswer = Static<typeof versionSchema>;
