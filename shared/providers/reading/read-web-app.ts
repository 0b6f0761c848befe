import { conversationOf, type SlotRole } from '../../text/index.ts';
import type { WebAppTable } from '../provider.ts';
import type { BodyReading } from '../wire-format.ts';
import { step } from './path.ts';
import { refuseOverflow } from './read-body.ts';
import { isMembers, type Members, Reading, readLeaves, type Source } from './reading.ts';
import type { Rules } from './rules.ts';

const MAX_DEPTH = 100;
/** Names of members are the app's; nobody knows whose one is that is as long as a sentence. */
const MAX_NAME = 32;

/** A body of a chat page; `role` is whose words those are that say nothing else. */
export function readWebApp(
  value: unknown,
  role: SlotRole,
  app: Pick<WebAppTable, 'members' | 'authors'>,
  rules: Rules,
  source: Source = () => '',
): BodyReading {
  const reading = new Reading(rules);
  reading.from(source);
  read(reading, app, value, '', role, 0);
  refuseOverflow(reading);
  const model = isMembers(value) ? value['model'] : undefined;
  return {
    ...conversationOf(reading.slots, role),
    unscanned: reading.unscanned,
    files: reading.files,
    model: typeof model === 'string' ? model : null,
    stream: true,
  };
}

function read(
  reading: Reading,
  app: Pick<WebAppTable, 'members' | 'authors'>,
  value: unknown,
  path: string,
  role: SlotRole,
  depth: number,
): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) {
    readLeaves(reading, value, path, role);
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) read(reading, app, value[i], `${path}/${i}`, role, depth + 1);
  } else {
    const members = value as Members;
    const own = authorOf(app, members) ?? role;
    for (const name in members) {
      const inner = step(path, name);
      if (name.length > MAX_NAME) reading.name(inner, 'other', name);
      const as = Object.hasOwn(app.members, name) ? app.members[name] : undefined;
      read(reading, app, members[name], inner, as ?? own, depth + 1);
    }
  }
}

/** `{role}` or `{author: {role}}`. */
function authorOf({ authors }: Pick<WebAppTable, 'authors'>, message: Members): SlotRole | undefined {
  const author = message['author'];
  const role = isMembers(author) ? author['role'] : message['role'];
  return typeof role === 'string' && Object.hasOwn(authors, role) ? authors[role] : undefined;
}
