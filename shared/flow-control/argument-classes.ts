import { nameWords } from '../text/index.ts';

/** The kind of value in a parameter, by its name. `text`: prose, in which only an address directs an effect. */
export type ArgumentClass = 'recipient' | 'address' | 'path' | 'command' | 'amount' | 'text';

const WORDS: Readonly<Record<ArgumentClass, string>> = {
  text: 'subject title body content contents text message msg description note notes comment comments summary html markdown prompt caption details reason memo reference purpose explanation thought old new string diff patch snippet transcript question answer feedback review bio about',
  recipient:
    'to cc bcc recipient recipients email emails mail phone mobile fax msisdn participant participants attendee attendees invitee invitees guest guests member members user users username assignee assignees channel channels room account accounts iban bic payee beneficiary counterparty contact contacts person handle collaborator collaborators audience receiver whom owner login reviewer reviewers chat chats conversation wallet upi vpa bank consignee subscriber visitor principal grantee grantees delegate trustee approver signer supplier vendor spender pubkey bankgiro plusgiro rachunek odbiorca mottagare aan destinatario destinatarios destinataire empfaenger empfanger beneficiario cuenta compte konto telefon telefono correo para',
  address:
    'url urls uri uris redirect redirects link links href endpoint webhook callback host hosts hostname domain domains server servers servidor servidores serveur ips dns connection ip cidr site website page proxy remote bucket repo repository origin upstream registry address homepage',
  path: 'path paths file files filename filepath dir directory folder dest destination source src target output location cwd',
  command: 'command commands cmd script code exec sql statement program args argv shell',
  amount:
    'amount price sum total value quantity qty limit balance money fee bid cents centimes minor units settlement cost bedrag betrag montant monto importo importe valor',
};
const CLASS_OF = new Map(
  Object.entries(WORDS).flatMap(([name, words]) =>
    words.split(' ').map((word) => [word, name as ArgumentClass] as const),
  ),
);

/** Words that make a parameter a plain value, whatever stands before them: `account_status`, `phone_model`. */
const VALUES = new Set(
  'status state type types kind count level method mode model category format size version language locale currency date day month year week time hour holiday agent'.split(
    ' ',
  ),
);
/** A command by itself and behind the name of a language or shell; behind other words a value: `zip_code`. */
const CODE = new Set(['code', 'script', 'program']);
const LANGUAGES = new Set(
  'python py javascript js typescript ts node ruby perl php java kotlin scala go rust c cpp csharp swift lua r julia sql bash sh zsh shell powershell ps batch cmd source raw inline user test setup build run exec execute eval my the new'.split(
    ' ',
  ),
);

/** Words for which an id addresses other people; any other id is the caller's own. */
const REACHED_BY_ID = new Set(
  'account channel chat room phone iban upi wallet guest guests invitee attendee participant'.split(' '),
);

/** Names of parameters that identify a person without an id. */
const PERSON_NAME = /\b(?:display|full|real) name$|^(?:displayname|fullname)$/;

/** Classifies by the last meaningful word of the name: `recipient_email`, `file_content`; null: there is none. */
export function argumentClass(name: string): ArgumentClass | null {
  const words = nameWords(name);
  if (PERSON_NAME.test(words.join(' '))) return 'recipient';
  const isId = /^ids?$/.test(words.at(-1) ?? '');
  if (isId && !REACHED_BY_ID.has(words.at(-2) ?? '')) return null;
  const last = words.findLastIndex((word) => CLASS_OF.has(word) || VALUES.has(word));
  const word = words[last] ?? '';
  const before = words[last - 1];
  const isCode = CODE.has(word) && before !== undefined && !LANGUAGES.has(before);
  return VALUES.has(word) || isCode ? null : (CLASS_OF.get(word) ?? null);
}
