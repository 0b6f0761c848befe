import ajvCompiler from '@fastify/ajv-compiler';
import serializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compiled = ((data: unknown) => unknown) & { errors?: unknown };
type Compile = (route: { readonly schema: unknown }) => Compiled;
type Factory = (...options: unknown[]) => Compile;

/**
 * Fastify compiles the schemas of every route before it listens, most of which a start never needs: here each is
 * compiled when it is used for the first time. Cuts about half of the time of a start.
 */
function lazily(factory: Factory): Factory {
  return (...options) => {
    let compile: Compile | undefined;
    return (route) => {
      let compiled: Compiled | undefined;
      const lazy: Compiled = (data) => {
        compile ??= factory(...options);
        compiled ??= compile({ ...route, schema: withoutIds(route.schema) });
        const result = compiled(data);
        lazy.errors = compiled.errors;
        return result;
      };
      return lazy;
    };
  };
}

/** Names are for the OpenAPI document: a compiler would want each id once, and every use of a shape is whole here. */
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
