import { SCIM_TYPE, scimErrorSchema } from '@csg/shared/contract';
import type { TSchema } from 'typebox';

const FAULTS: Readonly<Record<number, string>> = {
  400: 'It cannot be read.',
  401: 'The directory token is missing or not known.',
  404: 'There is no such user.',
  409: 'Known already, or the owner’s account.',
  413: 'The body is too large.',
  415: 'The body is of another type.',
  429: 'Too many wrong tokens came from this address.',
};

/** A SCIM route's schema for validation and for the OpenAPI file. */
export function scimRoute(route: {
  readonly summary: string;
  readonly description?: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** null: nothing. */
  readonly answer: TSchema | null;
  readonly status?: number;
}): Record<string, unknown> {
  const content = (schema: TSchema) => ({ content: { [SCIM_TYPE]: { schema } } });
  const faults = Object.entries(FAULTS).map(([status, description]) => [
    status,
    { description, ...content(scimErrorSchema) },
  ]);
  return {
    tags: ['Directory'],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.params === undefined ? {} : { params: route.params }),
    ...(route.query === undefined ? {} : { querystring: route.query }),
    ...(route.body === undefined ? {} : { consumes: [SCIM_TYPE, 'application/json'], body: route.body }),
    security: [{ directoryToken: [] }],
    response: {
      [route.status ?? 200]:
        route.answer === null
          ? { type: 'null', description: 'Nothing.' }
          : { description: 'Success', ...content(route.answer) },
      ...Object.fromEntries(faults),
    },
  };
}
