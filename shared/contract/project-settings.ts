import Type, { type Static, type TSchema } from 'typebox';
import { choice, nullable, shape } from './fields.ts';
import type { FailMode, StrictnessLevel } from './project-choices.ts';

/** The basis of a setting's default, if the project has not set it. */
export interface SettingBasis {
  readonly strictness_level: StrictnessLevel;
  readonly fail_mode: FailMode;
}

interface SettingRow<T extends TSchema> {
  /** The schema of a value; requests also accept null, which resets it. */
  readonly schema: T;
  /** For the project page: a noun, one sentence, and a label for each value; lists of names have no labels. */
  readonly label: string;
  readonly about: string;
  readonly options: Readonly<Record<Extract<Static<T>, string>, string>>;
  defaultFor(basis: SettingBasis): Static<T>;
}

const row = <T extends TSchema>(setting: SettingRow<T>): SettingRow<T> => setting;

/**
 * The settings of a project that have a default by strictness and fail mode. A new one is one row here: the routes,
 * the storage, the audit row and the project page follow from it.
 */
export const PROJECT_SETTINGS = {
  on_unscanned: row({
    schema: choice('OnUnscanned', ['allow', 'block'], {
      description:
        'What happens if a part that may contain text was not read: allow forwards it and reports it, block rejects the request or response with threat type hidden_content. Default: block if strictness_level is strict or fail_mode is closed, else allow. Images and audio are rejected only if the project sets block itself.',
    }),
    label: 'Unscanned content',
    about:
      'Files that cannot be read, such as encrypted ones. Images and audio are blocked only if you choose Block here yourself.',
    options: { allow: 'Allow', block: 'Block' },
    defaultFor: ({ strictness_level, fail_mode }) =>
      strictness_level === 'strict' || fail_mode === 'closed' ? 'block' : 'allow',
  }),
  untrusted_data: row({
    schema: choice('OnUntrustedInstruction', ['withhold', 'block', 'monitor'], {
      description:
        'What happens to an instruction in untrusted data, such as tool results and documents: withhold replaces the passage and forwards the rest, block rejects the request, monitor reports it. A policy that names the threat type decides instead. Default: block if strictness_level is strict, else withhold.',
    }),
    label: 'Instructions in untrusted data',
    about: 'Tool results, documents and pages that tell the model what to do.',
    options: { withhold: 'Withhold the passage', block: 'Block the request', monitor: 'Report only' },
    defaultFor: ({ strictness_level }) => (strictness_level === 'strict' ? 'block' : 'withhold'),
  }),
  flow_control: row({
    schema: choice('FlowControl', ['off', 'monitor', 'review', 'block'], {
      description:
        'What happens if a tool call with effects on others contains a recipient, address, command or amount that occurs in untrusted data but not in texts of the user or the developer: monitor reports it, review requires approval by a person, block rejects the response. Default: monitor.',
    }),
    label: 'Tool calls with values from untrusted data',
    about:
      'Tools that send, publish, pay, share, execute or delete, with a recipient, address, command or amount that only a page, email or document names.',
    options: { off: 'Off', monitor: 'Report only', review: 'Require approval', block: 'Block the response' },
    defaultFor: () => 'monitor' as const,
  }),
  effect_tools: row({
    schema: toolNames(
      'EffectTools',
      'Additional tools with effects on others, for flow_control. Entries match as in the tool lists. Default: none.',
    ),
    label: 'Tools with effects on others',
    about: 'In addition to those that are recognized by their name, parameters or annotations.',
    options: {},
    defaultFor: () => [],
  }),
  record_tools: row({
    schema: toolNames(
      'RecordTools',
      "For flow_control: tools that return the organization's own records, such as contacts or customers. Fields of a record that the user names count as values of the user. Default: none.",
    ),
    label: "Tools that return your organization's records",
    about: 'Fields of a record that the user names count as values of the user.',
    options: {},
    defaultFor: () => [],
  }),
  streaming: row({
    schema: choice('StreamDelivery', ['buffered', 'live'], {
      description:
        'How streamed responses are delivered. buffered evaluates the whole response before it sends the first byte. live sends each part as soon as no finding can begin or end in it; the verdict is the last comment of the stream. A project with an enabled policy webhook always uses buffered. Default: buffered.',
    }),
    label: 'Streamed responses',
    about: 'Live responses appear as the model writes them; nothing of a passage that is blocked is sent.',
    options: { buffered: 'Evaluate all, then send', live: 'Send while evaluating' },
    defaultFor: (): 'buffered' | 'live' => 'buffered',
  }),
  masking: row({
    schema: choice('Masking', ['one_way', 'round_trip'], {
      description:
        'What replaces masked personal data and secrets. one_way: the type, such as [EMAIL]. round_trip: a placeholder for the value, such as [EMAIL_7K3M9QWX], identical in every request of the project; in responses the value is put back into texts and the arguments of tools, but not into addresses. Default: one_way.',
    }),
    label: 'Masking',
    about: 'Round trip puts masked values back into the response, so that the application receives them.',
    options: { one_way: 'Keep placeholders', round_trip: 'Restore values' },
    defaultFor: (): 'one_way' | 'round_trip' => 'one_way',
  }),
  secret_tools: row({
    schema: Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.Array(Type.Enum(['api_key'])), {
      $id: 'SecretTools',
      maxProperties: 100,
      description:
        'With masking round_trip: tools whose arguments get masked secrets back, each with the types of secrets. Secrets are never put back into texts. Default: none.',
    }),
    label: 'Tools that receive secrets',
    about: 'With round trip masking, secrets are put back only into the arguments of these tools.',
    options: {},
    defaultFor: (): Record<string, 'api_key'[]> => ({}),
  }),
} as const;

function toolNames(name: string, description: string) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { $id: name, maxItems: 500, description });
}

export type SettingName = keyof typeof PROJECT_SETTINGS;
export const SETTING_NAMES = Object.keys(PROJECT_SETTINGS) as SettingName[];

export type FlowControl = Static<(typeof PROJECT_SETTINGS)['flow_control']['schema']>;
export type UntrustedData = Static<(typeof PROJECT_SETTINGS)['untrusted_data']['schema']>;

/** The effective values. */
export type ProjectSettings = {
  readonly [Name in SettingName]: Static<(typeof PROJECT_SETTINGS)[Name]['schema']>;
};
/** The values that the project has set itself. */
export type ExplicitSettings = Partial<ProjectSettings>;
/** The form in requests: absent keeps a setting, null resets it. */
export type SettingChanges = { readonly [Name in SettingName]?: ProjectSettings[Name] | null | undefined };

export function effectiveSettings(explicit: ExplicitSettings, basis: SettingBasis): ProjectSettings {
  const values = SETTING_NAMES.map((name) => [
    name,
    explicit[name] ?? PROJECT_SETTINGS[name].defaultFor(basis),
  ]);
  return Object.fromEntries(values) as ProjectSettings;
}

/** Returns the names of the settings that the project has set itself, in the order of the table. */
export function explicitNames(explicit: ExplicitSettings): SettingName[] {
  return SETTING_NAMES.filter((name) => explicit[name] !== undefined);
}

export function changedSettings(explicit: ExplicitSettings, change: SettingChanges): ExplicitSettings {
  const values = SETTING_NAMES.flatMap((name) => {
    const value = change[name] === undefined ? explicit[name] : change[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as ExplicitSettings;
}

/** The members of a response. */
export const settingValues = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, PROJECT_SETTINGS[name].schema]),
) as { [Name in SettingName]: (typeof PROJECT_SETTINGS)[Name]['schema'] };

/** The members of a request: optional, and null to reset. */
export const settingChangesSchema = shape(
  'ProjectSettingChanges',
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, Type.Optional(orNull(PROJECT_SETTINGS[name].schema))]),
  ) as unknown as {
    [Name in SettingName]: Type.TOptional<Type.TUnsafe<ProjectSettings[Name] | null>>;
  },
);

/**
 * Adds null to a schema. An enum remains one enum, so that an invalid value is one error that lists all values. The
 * name stays with the schema without null.
 */
function orNull(schema: TSchema & { enum?: readonly unknown[] }): TSchema {
  if (schema.enum === undefined) return nullable(schema);
  const { $id: _name, ...rest } = schema as TSchema & { $id?: string };
  return { ...rest, enum: [...schema.enum, null] } as unknown as TSchema;
}
