type Json = Record<string, unknown>;

/** The sections of the document that collect schemas. */
export interface Components {
  schemas: Record<string, Json>;
}

/** The pattern of `Type.Record(Type.String(), …)`. */
const ANY_KEY = '^.*$';

const refTo = (name: string) => `#/components/schemas/${name}`;

/**
 * Returns a copy in which every schema with an `$id` is a reference to the component of that name. For the document
 * only: validation and serialization keep complete schemas, so that names do not change what a route accepts or
 * returns.
 */
export function referenceNamed(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => referenceNamed(item, components));
  if (!isObject(value)) return value;
  const { $id: name, ...members } = value;
  const copy = Object.fromEntries(
    Object.entries(members).map(([key, member]) => [key, referenceNamed(member, components)]),
  );
  const shown = anyKeyAsAdditional(nullableAsType(typedEnum(copy)));
  if (typeof name !== 'string') return shown;
  const known = components.schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shown)) {
    throw new Error(`two schemas that differ are both named ${name}`);
  }
  components.schemas[name] = shown;
  return { $ref: refTo(name) };
}

/** Returns a route's schema for the document. Parameters stay in place, because each becomes an entry of its own. */
export function nameRoute(schema: Json, components: Components): Json {
  const { response, ...rest } = referenceNamed({ ...schema, response: undefined }, components) as Json;
  const responses = Object.entries((schema['response'] ?? {}) as Record<string, Json>);
  return {
    ...rest,
    response: Object.fromEntries(
      responses.map(([status, reply]) => [status, nameResponse(reply, components)]),
    ),
  };
}

/** OpenAPI requires a description of every response; a named one is described at its definition. */
function nameResponse(response: Json, components: Components): Json {
  const named = referenceNamed(namedList(response), components) as Json;
  if (response['content'] !== undefined || response['type'] === 'null') return named;
  const description = response['description'] ?? 'Success';
  return { ...named, [named['$ref'] === undefined ? 'x-response-description' : 'description']: description };
}

/** Names a response that is a list of a named schema. */
function namedList(response: Json): Json {
  const { $id: item } = (response['items'] ?? {}) as Json;
  return response['$id'] === undefined && typeof item === 'string'
    ? { ...response, $id: `${item}List` }
    : response;
}

/** Adds the type to enumerations, because readers of the document would otherwise accept any type. */
function typedEnum(schema: Json): Json {
  const { enum: values } = schema;
  if (!Array.isArray(values) || schema['type'] !== undefined) return schema;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

/** Writes `string | null` as a type list, in the style of OpenAPI 3.1. */
function nullableAsType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== 'null') return schema;
  const [value] = anyOf as [Json];
  if (typeof value['type'] !== 'string' || 'enum' in value || 'const' in value) return schema;
  return { ...value, ...rest, type: [value['type'], 'null'] };
}

/** Writes records with arbitrary keys as `additionalProperties`, which tools support better than a pattern. */
function anyKeyAsAdditional({ patternProperties, ...schema }: Json): Json {
  if (patternProperties === undefined) return schema;
  const { [ANY_KEY]: additionalProperties, ...others } = patternProperties as Json;
  if (additionalProperties === undefined || Object.keys(others).length > 0) {
    return { ...schema, patternProperties };
  }
  return { ...schema, additionalProperties };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
