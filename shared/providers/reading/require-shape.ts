import { BodyError } from '../../text/index.ts';
import type { RequestTable } from '../tables.ts';
import { isJsonObject, type JsonObject } from './text-collector.ts';

/** Throws BodyError for a body in which a provider would find no messages, and this service nothing to evaluate. */
export function requireShape(value: unknown, { conversation, shape }: RequestTable): JsonObject {
  if (!isJsonObject(value)) throw new BodyError('wrong_shape', 'The body must be a JSON object.', '');
  const messages = value[conversation];
  if (typeof shape !== 'string') {
    const isThere = shape.some((name) => typeof value[name] === 'object' && value[name] !== null);
    if (isThere) return value;
    throw wrong(shape[0] ?? conversation, `must be an object or an array, or one of ${shape.join(', ')}`);
  }
  switch (shape) {
    case 'list':
      if (Array.isArray(messages)) requireObjects(messages, conversation);
      else throw wrong(conversation, 'must be an array of messages');
      break;
    case 'list, text or nothing':
      // A stored prompt or conversation may replace it.
      if (messages === undefined || messages === null || typeof messages === 'string') break;
      if (Array.isArray(messages)) requireObjects(messages, conversation);
      else throw wrong(conversation, 'must be a string or an array of items');
      break;
    case 'list or text':
      if (typeof messages === 'string' || Array.isArray(messages)) break;
      throw wrong(conversation, 'must be a string or an array');
    case 'any object':
  }
  return value;
}

function requireObjects(items: readonly unknown[], name: string): void {
  const index = items.findIndex((item) => !isJsonObject(item));
  if (index === -1) return;
  throw new BodyError('wrong_shape', `"${name}[${index}]" must be an object.`, `/${name}/${index}`);
}

function wrong(name: string, expected: string): BodyError {
  return new BodyError('wrong_shape', `"${name}" ${expected}.`, `/${name}`);
}
