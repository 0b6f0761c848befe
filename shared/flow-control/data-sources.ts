import type { DataSource } from '../contract/index.ts';
import { bareToolName, nameWords } from '../text/index.ts';
import { isRecordWord } from './trusted-records.ts';

/** Words in the names of tools. */
const WORDS: readonly (readonly [DataSource, string])[] = [
  ['email', 'email emails mail mails inbox mailbox gmail outlook imap'],
  [
    'message',
    'message messages chat chats slack discord teams thread threads channel channels sms whatsapp telegram dm dms tweet tweets post posts',
  ],
  ['ticket', 'ticket tickets issue issues comment comments review reviews jira linear zendesk pull'],
  [
    'document',
    'document documents doc docs pdf drive wiki notion confluence note notes attachment attachments sheet sheets spreadsheet',
  ],
  [
    'file',
    'file files filesystem directory dir folder repo repository repositories grep glob notebook cat ls',
  ],
  [
    'web_page',
    'page pages web webpage website websites site sites url urls link browser browse navigate html http search news feed feeds scrape crawl fetch download wikipedia google bing',
  ],
  ['command_output', 'bash shell zsh sh exec execute run terminal powershell command cmd python script'],
];
const SOURCE_OF = new Map(
  WORDS.flatMap(([source, words]) => words.split(' ').map((word) => [word, source] as const)),
);
/** The most specific first: `fetch_email` returns emails, `search_contacts` records. */
const RANKING = [
  'email',
  'message',
  'ticket',
  'document',
  'file',
  'record',
  'web_page',
  'command_output',
] as const;

/** Returns the kind of data that a tool returns, by its name. */
export function dataSourceOf(toolName: string): DataSource {
  const words = nameWords(bareToolName(toolName));
  const named = new Set(
    words.map((word) => SOURCE_OF.get(word) ?? (isRecordWord(word) ? 'record' : 'other')),
  );
  return RANKING.find((source) => named.has(source)) ?? (words.includes('read') ? 'file' : 'other');
}

/** Classifies the result of an unknown tool: only a web page is recognizable. */
export function dataSourceByText(text: string): DataSource {
  return /^\s{0,200}<(?:!doctype html|html)\b/i.test(text) ? 'web_page' : 'other';
}
