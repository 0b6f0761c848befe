import { isVisiblePattern, type ValidationIssue } from '@csg/shared/contract';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';

/**
 * Converts Ajv's errors to the items of a 422 body, without `input`. For a union it reports the errors of its
 * branches, not the error of the union.
 */
export function readValidationDetail(
  errors: readonly FastifySchemaValidationError[],
  context: string,
): ValidationIssue[] {
  const relevant = errors.filter((error) => error.keyword !== 'anyOf');
  const seen = new Set<string>();
  const detail: ValidationIssue[] = [];
  for (const error of relevant.length > 0 ? relevant : errors) {
    const item = readOne(error, context);
    const id = `${item.loc.join('/')} ${item.type}`;
    if (!seen.has(id)) detail.push(item);
    seen.add(id);
  }
  return detail;
}

function readOne(error: FastifySchemaValidationError, context: string): ValidationIssue {
  const loc: (string | number)[] = [context];
  for (const part of error.instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    loc.push(/^\d+$/.test(name) ? Number(name) : name);
  }
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') {
    loc.push(String(params['missingProperty']));
    return { loc, msg: 'Field required', type: 'missing' };
  }
  if (error.keyword === 'enum') {
    const allowed = (params['allowedValues'] as unknown[]).map((value) => `'${String(value)}'`);
    return {
      loc,
      msg: `Input should be ${allowed.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
      type: 'enum',
      ctx: { expected: params['allowedValues'] },
    };
  }
  if (error.keyword === 'pattern' && isVisiblePattern(params['pattern'])) {
    const msg = 'Input should contain no control characters, and none that change the direction of text';
    return { loc, msg, type: 'pattern' };
  }
  return { loc, msg: `Input ${error.message ?? 'is not valid'}`, type: error.keyword, ctx: params };
}
