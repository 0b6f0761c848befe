import { ERRORS } from '../../shared/contract/index.ts';
import { markdownTable } from './markdown.ts';

/** The closed error table, in the contract's order. */
export function makeErrors(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, type, message }]) => [
    `\`${code}\``,
    String(status),
    `\`${type}\``,
    message,
  ]);
  return markdownTable(['code', 'HTTP', 'type', 'message'], rows);
}
