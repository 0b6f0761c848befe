import Type from 'typebox';

export interface ListQuery {
  readonly filter?: string;
  readonly startIndex?: string;
  readonly count?: string;
  readonly attributes?: string;
  readonly excludedAttributes?: string;
}

const names = Type.Optional(Type.String({ maxLength: 600 }));
export const resourceQuery = Type.Object({ attributes: names, excludedAttributes: names });
export const listQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 600 })),
  startIndex: Type.Optional(Type.String({ pattern: '^-?\\d{1,9}$' })),
  count: Type.Optional(Type.String({ pattern: '^-?\\d{1,9}$' })),
  ...resourceQuery.properties,
});

const PAGE = 100;
const MAX_PAGE = 200;

/** RFC 7644, section 3.4.2.4: values below the least count as it. */
export function readPage(
  { startIndex = '1', count = String(PAGE) }: ListQuery,
  most = MAX_PAGE,
): { readonly offset: number; readonly limit: number } {
  return {
    offset: Math.max(1, Number(startIndex)) - 1,
    limit: Math.min(most, Math.max(0, Number(count))),
  };
}

/** Returns whether the client wants the members of groups (RFC 7644, section 3.4.2.5); reading them is expensive. */
export function wantsMembers({ attributes, excludedAttributes }: ListQuery): boolean {
  const named = (list: string | undefined) =>
    list
      ?.toLowerCase()
      .split(',')
      .some((name) =>
        /^(?:urn:ietf:params:scim:schemas:core:2\.0:group:)?members(?:\.\w+)?$/.test(name.trim()),
      );
  return named(excludedAttributes) !== true && named(attributes) !== false;
}
