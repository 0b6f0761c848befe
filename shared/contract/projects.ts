import Type, { type Static } from 'typebox';
import { nameOf, nullable, shape, timestamp } from './fields.ts';
import {
  FAIL_MODES,
  failModeEnum,
  STRICTNESS_LEVELS,
  strictnessEnum,
  USE_CASES,
  useCaseEnum,
} from './project-choices.ts';
import { SETTING_NAMES, settingChangesSchema, settingValues } from './project-settings.ts';

const projectName = nameOf(100);

/** The fields of a project on creation and change. */
export const projectFieldsSchema = Type.Partial(
  Type.Object({
    name: projectName,
    description: Type.Optional(Type.String({ maxLength: 500 })),
    fail_mode: Type.Optional(
      Type.Enum([...FAIL_MODES], {
        default: 'open',
        description: 'What happens if a scan cannot run: open allows, closed rejects.',
      }),
    ),
    use_case: Type.Optional(
      Type.Enum([...USE_CASES], {
        default: 'default',
        description: 'What the project is used for; part of its preset.',
      }),
    ),
    strictness_level: Type.Optional(
      Type.Enum([...STRICTNESS_LEVELS], {
        default: 'moderate',
        description: 'How readily threats are blocked; part of its preset.',
      }),
    ),
    ...settingChangesSchema.properties,
  }),
  { $id: 'ProjectFields' },
);

export const createProjectRequestSchema = shape(
  'CreateProjectRequest',
  { ...projectFieldsSchema.properties, name: projectName },
  {
    examples: [
      { name: 'Support bot', use_case: 'support_bot', strictness_level: 'strict', fail_mode: 'closed' },
    ],
  },
);
export type CreateProjectRequest = Static<typeof createProjectRequestSchema>;

export const projectSchema = shape('Project', {
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String(), { description: 'null: none.' }),
  fail_mode: failModeEnum,
  use_case: useCaseEnum,
  strictness_level: strictnessEnum,
  zero_retention: Type.Boolean({ description: 'True: no text is stored, not even redacted.' }),
  ...settingValues,
  explicit_settings: Type.Array(Type.Enum([...SETTING_NAMES]), {
    description:
      'The settings that the project has set itself; the others follow strictness_level and fail_mode.',
  }),
  created_at: timestamp,
});
export type ProjectRecord = Static<typeof projectSchema>;

export const changeProjectSchema = Type.Partial(
  Type.Object(
    { ...projectFieldsSchema.properties, zero_retention: Type.Boolean() },
    { examples: [{ strictness_level: 'strict', on_unscanned: 'allow' }] },
  ),
  { $id: 'ChangeProjectRequest' },
);
export type ChangeProject = Static<typeof changeProjectSchema>;
