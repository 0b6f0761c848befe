import { BodyFault } from '../../text/index.ts';
import { isMembers, type Members } from './reading.ts';

/** The faults that would leave a vendor without its messages, and this service with nothing to judge. */
export function requireObject(value: unknown): Members {
  if (isMembers(value)) return value;
  throw new BodyFault('wrong_shape', 'The body must be a JSON object.', '');
}

export function requireMessages(body: Members): void {
  const messages = body['messages'];
  if (!Array.isArray(messages)) {
    throw new BodyFault('wrong_shape', '"messages" must be an array of messages.', '/messages');
  }
  requireObjects(messages, '/messages', 'messages');
}

/** `input` is a string or an array; it may be absent where a stored prompt or conversation stands for it. */
export function requireInput(body: Members): void {
  const input = body['input'];
  if (input === undefined || input === null || typeof input === 'string') return;
  if (!Array.isArray(input)) {
    throw new BodyFault('wrong_shape', '"input" must be a string or an array of items.', '/input');
  }
  requireObjects(input, '/input', 'input');
}

function requireObjects(items: readonly unknown[], pointer: string, name: string): void {
  const wrong = items.findIndex((item) => !isMembers(item));
  if (wrong === -1) return;
  throw new BodyFault('wrong_shape', `"${name}[${wrong}]" must be an object.`, `${pointer}/${wrong}`);
}
