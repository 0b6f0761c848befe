import { SETTINGS } from '../../apps/cloud/src/config/settings.ts';
import { markdownTable } from './markdown.ts';

/** Every environment variable of the service, from the same table that reads them. */
export function makeSettings(): string {
  const rows = Object.values(SETTINGS).map(({ env, about, fallback }) => [
    `\`${env}\``,
    about,
    `\`${fallback}\``,
  ]);
  return markdownTable(['variable', 'what it does', 'default'], rows);
}
