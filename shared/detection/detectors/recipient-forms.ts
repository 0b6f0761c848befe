/** What an instruction in data wants done with a value that the data itself names. */
export type RecipientAction = 'pay' | 'message' | 'share' | 'post' | 'upload' | 'direct';

/** The wording of such an instruction. All expressions run on one sentence, so they stay cheap. */
export interface InstructionForm {
  readonly kind: RecipientAction;
  /**
   * Characters one of which is near the beginning of every value. `x` counts only after a 0, a digit only after two
   * letters.
   */
  readonly marks: string;
  /** The value, from its first character on. */
  readonly value: RegExp;
  /** The verb, somewhere in the sentence before the value. */
  readonly verb: RegExp;
  /** What is handed over, between the verb and the value. */
  readonly object?: RegExp;
  /** The text directly before the value. */
  readonly link?: RegExp;
  /** Matches a user's task that asks for such an act. */
  readonly asked: RegExp;
  readonly reason: string;
}

/** What precedes an imperative: the start of the sentence, a comma, or a word that introduces it. */
const LEAD =
  '(?:^\\W*|[,–—] ?|(?<![\\p{L}\\p{N}])(?:please|kindly|would you|could you|bitte|now|first|then|also|next|finally|immediately|instead|so|and|or|must|should|shall|agents?|assistants?|bots?|it|do|by|step \\d+|paso \\d+|étape \\d+|noch|dann|zuerst|puis|luego|depois|poi|затем|потом|önce|hãy) )';
const PASSIVE =
  '(?<!\\p{L})(?:must|should|shall|has to|have to|had to|is to|are to|needs? to|ought to|deber[áa]n?|doit|doivent)(?: \\p{L}+)? (?:be |être |ser )?';

/** Matches imperatives after LEAD, or participles after "must be". */
function verbs(active: string, passive: string): RegExp {
  return new RegExp(`(?:${LEAD}(?:${active})|${PASSIVE}(?:${passive}))(?![\\p{L}\\p{N}_-])`, 'iu');
}

/** Things that no honest text asks an unknown reader to hand over. */
const INSIDE =
  /(?<!\p{L})(?:tokens?|keys?|passwords?|passcodes?|credentials?|secrets?|salar\w+|private|inbox|mailbox|conversation|customers?|clients?|env|environment|std(?:out|err)|unreleased|confidential|internal|database|contracts?|drafts?|cookies?|prompts?|session|history|everything|contents?|summary|results?|outputs?|findings|files?|logs?|data|lists?|notes|documents?|answers?|reply|replies|messages?|(?:e-?)?mails?|claves?|contraseñas?|passwör\w+|zugangsdaten|wachtwoorden|identifiants|credenciais|credenziali|chaves|tokeny|пароли|ключи|kredensial|şifre\w*|dateien|protokoll|documentos|resultado|samenvatting)(?!\p{L})/iu;
const LINK_TO =
  /(?:^|[\s"'(<*`])(?:to|into|at|on|in|with|nach|an|auf|unter|sur|dans|vers|à|a|en|em|para|su|op|naar|na|pod adresem|na kanale|на|в|via|di)\s*["'`(<*]*$/iu;
const URL = /^https?:\/\/[^\s"'<>)]+/i;

export const INSTRUCTION_FORMS: readonly InstructionForm[] = [
  {
    kind: 'pay',
    marks: 'x0123456789',
    value:
      /^(?:0x[\da-f]{40}|bc1[a-z\d]{20,60}|[a-z]{2}\d{2}(?: ?[a-z\d]{4}){2,7}(?: ?[a-z\d]{1,4})?)(?!\w)/i,
    verb: verbs(
      'transfer|wire|pay|send|sending|paying|transferring|evacuate|remit|deposit|withdraw|move|sweep|stake|top up|donate|settle|refund|use|change|replace|override|swap|überweisen?|zahlen?|vire[zr]?|envoie|envía|transfiere|paga|pague|transfira|trasferisci|effettua|maak|stort|betaal|przelej|przenieś|переведи|выведи|betala|kirim',
      'wired|paid|moved|sent|transferred|deposited|credited|replaced|abonarse|versée?',
    ),
    asked:
      /\b(?:pay|bills?|invoices?|transfer|wire|refund|rent|send (?:the )?money|donate|swap|withdraw|überweis\w*|rechnung|facture|paga)\b/i,
    reason: 'Tells the reader of the data to pay to an account that the data names.',
  },
  {
    kind: 'message',
    marks: '+(',
    value: /^(?:\+\d{1,3}[ -]?\(?\d[\d ().-]{6,16}\d|\(\d{3}\) ?\d{3}-\d{4})/,
    verb: verbs(
      'text|texting|sms|send|message|notify|ping|whatsapp|forward|redirect|replace|set|schick|sende|envoie|manda|envía|mande|invia|stuur|app|przekaż|отправь|перешли|ilet|gửi',
      'messaged|texted|sent|forwarded|redirected|replaced',
    ),
    asked: /\b(?:text|sms|message|whatsapp|call)\b/i,
    reason: 'Tells the reader of the data to message a number that the data names.',
  },
  {
    kind: 'share',
    marks: '@',
    value: /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/,
    verb: verbs(
      'share|sharing|grant|give|add|open|invite|re-add|make|append|let|gib|teile|donne|partage|comparte|invita|conceda|aggiungi|geef|udostępnij|bjud',
      'invited|added|shared|granted|ajoutée?',
    ),
    link: /(?:^|[\s,])(?:with|to|for|für|à|con|a|agli|aan|invite|add|re-add|append|give|grant|make|let|in)\s*["'`(<*]*$/iu,
    asked: /\b(?:share|invite|grant|access|add)\b/i,
    reason: 'Tells the reader of the data to give access to an address that the data names.',
  },
  {
    kind: 'post',
    marks: '#',
    value: /^#[a-z][\w-]{2,}/i,
    verb: verbs(
      'post|send|drop|paste|dump|dumping|publish|announce|share|put|relay|repost|broadcast|write|copy|forward|stell|partage|publica|cole|incolla|zet|wklej|опубликуй|tempel',
      'posted|published|announced|shared|sent|copied',
    ),
    object: INSIDE,
    link: LINK_TO,
    asked: /\b(?:post|slack|channel|announce)\b/i,
    reason: 'Tells the reader of the data to post in a channel that the data names.',
  },
  {
    kind: 'upload',
    marks: ':',
    value: URL,
    verb: verbs(
      'post|submit|upload|uploading|sending|report|push|send|deliver|publish|export|sync|transmit|forward|leak|lade|publie|sube|envie|carica|opublikuj|загрузи|odešli',
      'posted|submitted|uploaded|pushed|sent|delivered|published|transmitted',
    ),
    object: INSIDE,
    link: LINK_TO,
    asked: /\b(?:post|upload|submit|push|publish|webhook)\b/i,
    reason: 'Tells the reader of the data to send what it knows to an address that the data names.',
  },
  {
    kind: 'direct',
    marks: ':',
    value: URL,
    verb: new RegExp(
      `${
        verbs(
          '(?:tell|inform|warn|ask|direct|advise|notify|remind|instruct|urge|have|make)(?: the| this| your| any| all)? (?:users?|readers?|customers?|clients?|visitors?|person|human|people)|sag dem nutzer|dis à l.utilisateur|dile al usuario|avise o usuário|di.? all.utente|vertel de gebruiker|powiedz użytkownikowi|скажи пользователю|kullanıcıya',
          '(?:directed|referred)',
        ).source
      }|${LEAD}(?:show|display|say|recommend|present|give)(?!\\p{L}).{0,60}\\bto (?:the|this|your) (?:user|reader|customer)`,
      'iu',
    ),
    asked: /\b(?:link|url|address|website|help page)\b/i,
    reason: 'Tells the reader of the data to send the user to an address that the data names.',
  },
];
