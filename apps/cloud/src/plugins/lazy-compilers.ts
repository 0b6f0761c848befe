import ajvCompiler from '@fastify/ajv-compiler';
import serializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compiled = ((data: unknown) => unknown) & { errors?: unknown };
type Compile = (route: { readonly schema: unknown }) => Compiled;
type Factory = (...options: unknown[]) => Compile;

/** Compilers by the options of their app, each with its compiled schemas. */
type Shared = Map<string, { readonly compile: Compile; readonly bySchema: Map<string, Compiled> }>;

/**
 * Fastify compiles the schemas of every route before it listens, most of which are not needed at startup. Here each is
 * compiled on first use, which halves the startup time. Equal schemas are compiled once in a process: all routes share
 * error schemas, and most routes have an alias.
 */
function lazily(factory: Factory): Factory {
  const shared: Shared = new Map();
  return (...options) => {
    const name = JSON.stringify(options);
    return (route) => {
      let compiled: Compiled | undefined;
      const lazy: Compiled = (data) => {
        compiled ??= compileOnce(shared, name, () => factory(...options), route);
        const result = compiled(data);
        lazy.errors = compiled.errors;
        return result;
      };
      return lazy;
    };
  };
}

function compileOnce(
  shared: Shared,
  name: string,
  open: () => Compile,
  route: Parameters<Compile>[0],
): Compiled {
  const { compile, bySchema } = getOrAdd(shared, name, () => ({ compile: open(), bySchema: new Map() }));
  const schema = withoutIds(route.schema);
  return getOrAdd(bySchema, JSON.stringify(schema), () => compile({ ...route, schema }));
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Ids name schemas in the OpenAPI document; a compiler requires unique ids, and every schema here is complete. */
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([key, value]) => key !== '$id' || typeof value !== 'string');
  return Object.fromEntries(members.map(([key, value]) => [key, withoutIds(value)]));
}

export const LAZY_COMPILERS = {
  compilersFactory: {
    buildValidator: lazily(ajvCompiler() as unknown as Factory),
    buildSerializer: lazily(serializerCompiler() as unknown as Factory),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
