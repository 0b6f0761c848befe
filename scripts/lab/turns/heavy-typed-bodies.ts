/** Bodies of the routes with a schema, with as much as it accepts, from the OpenAPI document. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutReferences } from '../../../test/support/openapi.ts';
import { textOf } from './heavy-texts.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface TypedRoute {
  readonly method: string;
  /** With parameters as in the document: `{project_id}`. */
  readonly path: string;
  readonly schema: Schema;
}

const DOCUMENT = path.resolve(import.meta.dirname, '../../../test/golden/openapi.json');
/** Routes of developers that take a typed body; the others have cases of their own. */
const DEVELOPER =
  /^\/api\/v1\/(?:api-keys|devices|enroll|events|exceptions|projects\b(?!\/\{project_id\}\/)|security-testing|tool-requests)/;
const BODY_TYPES = ['application/json', 'application/scim+json'];

/** Returns every route of the dashboard, of directories and of devices that takes a body. */
export function typedRoutes(): TypedRoute[] {
  const { paths } = withoutReferences(JSON.parse(readFileSync(DOCUMENT, 'utf8'))) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  };
  return Object.entries(paths)
    .filter(([url]) => url.startsWith('/dashboard/') || url.startsWith('/scim/') || DEVELOPER.test(url))
    .flatMap(([url, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        const schema = BODY_TYPES.map((type) => requestBody?.content[type]?.schema).find(Boolean);
        return schema === undefined ? [] : [{ method: method.toUpperCase(), path: url, schema }];
      }),
    );
}

/** Characters of a body; the routes accept a megabyte. */
const MOST = 900_000;
/** Of a string or list without a limit of its own. */
const LONG = 100_000;
const MANY = 2_000;

/** Returns a body of a schema with long strings and lists, made of texts of a kind. */
export function typedBody(schema: Schema, kind: string): unknown {
  let left = MOST;
  return fill(schema);

  function fill(one: Schema): unknown {
    const { type = 'object', enum: values, anyOf, oneOf, allOf } = one;
    if (one.const !== undefined) return one.const;
    if (values !== undefined) return values[0];
    if (allOf !== undefined)
      return Object.assign({}, filled(one.properties), ...allOf.map((part) => fill(part)));
    const choice = (anyOf ?? oneOf)?.[0];
    if (choice !== undefined) return fill(choice);
    switch (typeof type === 'string' ? type : type[0]) {
      case 'string':
        return written(one);
      case 'array':
        return list(one);
      case 'integer':
      case 'number':
        return one.minimum ?? 1;
      case 'boolean':
        return true;
      default:
        return filled(one.properties);
    }
  }

  function filled(properties: Schema['properties'] = {}): object {
    return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fill(inner)]));
  }

  function list({ items = {}, maxItems = MANY }: Schema): unknown[] {
    const made: unknown[] = [];
    while (made.length < maxItems && left > 0) made.push(fill(items));
    return made;
  }

  function written({ format, pattern, maxLength = LONG }: Schema): string {
    const sample = SAMPLES.find((text) => pattern !== undefined && new RegExp(pattern).test(text));
    if (format !== undefined) return format === 'date' ? '2026-11-20' : '2026-11-20T12:00:00Z';
    const text = sample ?? textOf(kind, Math.max(1, Math.min(maxLength, left))).slice(0, maxLength);
    left -= text.length + 3;
    return text;
  }
}

/** Strings in the forms that patterns ask for. */
const SAMPLES = ['09:00', '7', '0.5', 'mail.example.com', 'anna@ex.io', 'a quiet name'];
