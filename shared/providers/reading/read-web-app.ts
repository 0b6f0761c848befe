import { conversationOf, finish, type SlotRole } from '../../text/index.ts';
import type { WebAppTable } from '../provider.ts';
import type { ExtractedBody, Source } from '../wire-format.ts';
import { childPointer } from './path.ts';
import { rejectOverflow } from './read-body.ts';
import type { Rules } from './rules.ts';
import { isJsonObject, type JsonObject, readLeaves, TextCollector } from './text-collector.ts';

const MAX_DEPTH = 100;
/** Member names belong to the app; a longer name may be a user's text. */
const MAX_NAME = 32;

/** Reads the body of a chat page; `role` applies to texts without a known author. */
export function readWebApp(
  value: unknown,
  role: SlotRole,
  app: Pick<WebAppTable, 'members' | 'authors'>,
  rules: Rules,
  source: Source = () => '',
): ExtractedBody {
  const collector = new TextCollector(rules);
  collector.from(source);
  read(collector, app, value, '', role, 0);
  rejectOverflow(collector);
  const model = isJsonObject(value) ? value['model'] : undefined;
  return {
    ...conversationOf(collector.slots, role),
    unscanned: collector.unscanned,
    files: collector.files,
    signed: [],
    model: typeof model === 'string' ? model : null,
    stream: true,
  };
}

function read(
  collector: TextCollector,
  app: Pick<WebAppTable, 'members' | 'authors'>,
  value: unknown,
  path: string,
  role: SlotRole,
  depth: number,
): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) {
    finish(readLeaves(collector, value, path, role));
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) read(collector, app, value[i], `${path}/${i}`, role, depth + 1);
    return;
  }
  const members = value as JsonObject;
  const own = authorOf(app, members) ?? role;
  for (const name in members) {
    const inner = childPointer(path, name);
    if (name.length > MAX_NAME) collector.name(inner, 'other', name);
    const as = Object.hasOwn(app.members, name) ? app.members[name] : undefined;
    read(collector, app, members[name], inner, as ?? own, depth + 1);
  }
}

/** Reads `{role}` or `{author: {role}}`. */
function authorOf({ authors }: Pick<WebAppTable, 'authors'>, message: JsonObject): SlotRole | undefined {
  const author = message['author'];
  const role = isJsonObject(author) ? author['role'] : message['role'];
  return typeof role === 'string' && Object.hasOwn(authors, role) ? authors[role] : undefined;
}
