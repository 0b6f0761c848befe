import { withinPiece } from '../reach.ts';
import type { Rule } from './rule.ts';

/** What databases and servers read as a space; MySQL runs what a comment with an exclamation mark holds. */
const GAP = '(?:[ +]|%20|%0[9abd]|/\\*[^*]{0,40}\\*/|/\\*!\\d{0,6}|\\*/)';
/** The same, or an opening bracket: one class, so that locating a match stays cheap. */
const OPEN = `(?:${GAP}|\\()`;
const CONSTANT =
  '(?:[-+]?\\d{1,15}(?:\\.\\d{1,6})?|0x[0-9a-f]{1,12}|\'[^\']{0,24}\'|"[^"]{0,24}"|true|false|null|@@\\w{1,24})';
/** Functions that read the database or the time; not followed by a space, as words of a sentence are. */
const CALL =
  '(?:sleep|pg_sleep|benchmark|ascii|ord|substr|substring|mid|length|char_length|if|ifnull|elt|extractvalue|updatexml|user|database|schema|version|current_user|count|convert|cast|char|concat|row|randomblob|dbms_\\w{1,20}\\.\\w{1,30})\\(';
const SUBQUERY = `\\(${GAP}*select(?:${GAP}|\\()`;
const CASE = `case${GAP}+when\\b`;
const COMMENT = `(?:--${GAP}*[-+]?$|#$|;|/\\*)`;

/** A condition that needs nothing of the query around it. */
const CONDITION = [
  `${CONSTANT}${GAP}*(?:[=<>!]{1,3}|%3d)(?:${OPEN}|-)*(?:${CONSTANT}|select|${CALL}|[a-z_]\\w{0,40}\\()`,
  `${CONSTANT}${GAP}*(?:(?:[-+*/%^]\\d{1,12}){1,8}${GAP}*[=<>]|(?:not${GAP}+)?(?:r?like|regexp|in)${GAP}*['"(\\d]|between${GAP}+['"\\d]|is${GAP}+(?:not${GAP}+)?(?:null|true|false)\\b)`,
  `[a-z_][\\w.]{0,40}${GAP}*(?:(?:=|<|>|!=|r?like${GAP}|regexp${GAP})${GAP}*['"]|is${GAP}+(?:not${GAP}+)?null\\b|in${OPEN}+(?:select|'))`,
  ...[
    CALL,
    CASE,
    'select(?:\\(|\\b)',
    'exists ?\\(',
    '@@\\w',
    `(?:true|false)${GAP}*(?:$|[-#;)/&|=<>]|(?:and|or|union|order|limit|group|having)\\b)`,
  ],
  `\\d{1,12}${GAP}*${COMMENT}`,
].join('|');

/** What continues a query behind a number. */
const CONTINUATION = [
  `(?:or|and|xor|\\|\\||&&|%26%26|%7c%7c)${OPEN}*(?:not${OPEN}+|!)?(?:${CONDITION})`,
  `having${OPEN}+(?:not${OPEN}+)?(?:${CONSTANT}${GAP}*[=<>!]|[a-z_]\\w{0,30}\\()`,
  `group${GAP}+by${GAP}+[\\w.,]{1,60}${GAP}+having\\b`,
  `order${GAP}+by${OPEN}+(?:\\d{1,3}(?:,${GAP}*\\d{1,3})*${GAP}*(?:${COMMENT}|$)|(?:select\\b|${CASE}|${CALL}|rand\\())`,
  `limit${GAP}+\\d{1,9}.{0,20}${GAP}(?:procedure|into|union)\\b`,
  `procedure${GAP}+analyse\\b`,
].join('|');

/** What combines the number itself with a query. */
const OPERATION = `(?:[-+*/%^|&=<>!]{1,2}|r?like|regexp|(?:not${GAP}+)?in|div|mod)${OPEN}*(?:${SUBQUERY}|${CASE}|(?:pg_)?sleep\\(|benchmark\\()`;

/** A further query; it may follow a number at once: `1e0union`. */
const QUERY = `(?:union|except|intersect|minus)(?:${GAP}+(?:all|distinct))?${OPEN}*select\\b`;

/** A further statement. */
const STATEMENT = `;${GAP}*(?:select${GAP}+(?:.{1,80}${GAP}from\\b|\\w{1,30}\\(|@@)|declare${GAP}+@|set${GAP}+@|waitfor${GAP}|shutdown${GAP}*(?:;|--|$|with\\b)|create${GAP}+(?:or${GAP}+replace${GAP}+)?(?:table|user|database|view|function|procedure|login|role|trigger|index|alias)\\b|call${GAP}+\\w{1,40}\\(|execute${GAP}+(?:immediate|sp_|xp_)|merge${GAP}+into\\b|replace${GAP}+into\\b|grant${GAP}+.{1,60}${GAP}to\\b|if${GAP}*\\()`;

const NUMBER = '[-+]?(?:\\d{1,15}(?:\\.\\d{0,6})?(?:e\\d{1,3})?|0x[0-9a-f]{1,12}|null|true|false)';

/** Behind a number SQL needs no quote to end the value. */
export const SQL_NUMBER_RULE: Rule = {
  id: 'call.sql-number',
  type: 'unsafe_tool_call',
  pattern: `^${GAP}*\\(?(?:[a-z_]\\w{0,40}=)?${NUMBER}(?:(?:${GAP}|\\))+(?:${CONTINUATION})|(?:\\|\\||&&|%26%26|%7c%7c)${OPEN}*(?:${CONDITION})|(?:${GAP}|\\))*(?:${OPERATION}|${QUERY}|${STATEMENT}))`,
  keywords: [
    ...[
      ' or',
      ' and',
      ' xor',
      '+or',
      '+and',
      '+xor',
      '%0',
      '%20',
      '%26',
      '/or',
      '/and',
      '/xor',
      ')or',
      ')and',
      ')xor',
    ],
    ...[
      '||',
      '&&',
      'union',
      'having',
      'order',
      'limit',
      'procedure',
      'select',
      'case',
      'sleep',
      'benchmark',
      ';',
    ],
  ],
  confidence: 0.82,
  reach: withinPiece(400),
  reason: 'Continues a number as SQL.',
  match: [
    '1 or 1=1',
    '-1 or 2>1',
    '1 and 1=2',
    '1 union select password from users',
    '1 union(select 1,2)',
    '1/*!50000union*/ /*!select*/ 1',
    '1e0union select 1',
    '1 intersect select 1',
    '1 and 2*3*8=6*8',
    '1%26%261=1',
    '1 and 1=(select count(*) from users)',
    '1 having 1=1',
    '7) or (7=7',
    "3 or 'a'='a'",
    '1/**/or/**/3=3',
    '1%20or%202=2',
    '1+and+1=1',
    'id=1 or true',
    '1 or not 1=2',
    "5 or name like '%a%'",
    '1 or email is not null',
    '1 and ascii(substring(version(),1,1))>50',
    '1 order by 10--',
    '1 order by 3',
    '1 or 1--',
    '1||1=1',
    '1*(select 1 from pg_sleep(5))',
    '1-sleep(5)',
    '1;select pg_sleep(5)',
    '1; select name from users',
    '1; waitfor delay 0',
    '1 limit 1 into outfile x',
    '1 procedure analyse(1)',
    '0x1 or 1 in (1)',
  ],
  noMatch: [
    '1 or 2',
    '5 or more in (any) order',
    '1 and 2 is enough',
    '3 or true stories',
    '3 and true love',
    '2 or 3 -- not sure',
    '12 having dinner',
    '1 order by 5 pm',
    '10 orders by monday',
    '3 union members selected a speaker',
    '1; select the second option',
    '2; create a file',
    '7 in select stores',
    'id = 7 and name = 5',
    '1 left (outside)',
    '1-if(a1>2,3,4)',
    '2026-11-30 and later',
    '100%20off or more',
  ],
};
