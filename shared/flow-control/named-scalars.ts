/** Common words that do not name a record. */
const EVERYDAY = new Set(
  `the and for with from this that please send pay email mail message write tell ask make create new all any today
  tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june
  july august september october november december name address phone account amount date time status type open closed
  active pending paid true false yes none null high low medium default customer order invoice meeting team office home
  work user admin manager total price check find get show list update delete add reply thanks hello dear hey can could
  would you what when where who how why okay sure let
  付款 支付 转账 订单 客户 邮件 会议 发票 合同 项目 完成 确认 请求 注文 顧客 会議 請求書 送信 予定 確認 承認 契約 メール お客様 주문 고객 회의 송금 확인 결제 이메일 승인`.split(
    /\s+/,
  ),
);

/** True for a word that names nothing by itself. */
export const isCommonWord = (word: string): boolean => EVERYDAY.has(word.toLowerCase());

/** Capitalized, or as short as "van". */
const NAME_WORD = /^(?:\p{Lu}[\p{L}\p{M}.'’-]*|\p{Ll}{1,3})$/u;

/** A name in a script without capitals and without spaces between words. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]{2,20}$/u;
/** Letters of languages that inflect names. */
const INFLECTED = /[\p{Script=Cyrillic}\p{Script=Greek}ąćęłńóśźżčďěňřšťůžőű]/iu;
const MIN_STEM = 5;
const MAX_ENDING = 3;

/** True if one of the words is the same name in another grammatical case: `Смирновой`, `Смирнова`. */
function isInflected(name: string, words: ReadonlySet<string>): boolean {
  if (!INFLECTED.test(name)) return false;
  for (const word of words) {
    let same = 0;
    while (same < name.length && name[same] === word[same]) same++;
    if (same >= MIN_STEM && Math.max(name.length, word.length) - same <= MAX_ENDING) return true;
  }
  return false;
}

/** Maximum number of characters searched for scalars; beyond it no scalar counts as named. */
const MAX_SEARCHED = 200_000_000;

/**
 * Returns a function that tests whether the user named a scalar: as a whole, or by one capitalized word of it. Field
 * names and common words do not count.
 */
export function nameFinder(ownTexts: readonly string[]): (scalar: string) => boolean {
  const own = ownTexts.join('\n');
  const folded = ` ${own.toLowerCase().replace(/[^\p{L}\p{N}@.+-]+/gu, ' ')} `;
  const words = new Set(folded.split(' '));
  let left = MAX_SEARCHED;
  const isWritten = (phrase: string): boolean => {
    const [first = ''] = phrase.split(' ', 1);
    if (!words.has(first) && !words.has(`${first}.`)) return false;
    left -= folded.length;
    return left >= 0 && (folded.includes(` ${phrase} `) || folded.includes(` ${phrase}. `));
  };
  const capitals = new Set(ownTexts.flatMap((text) => text.match(/\p{Lu}[\p{L}\p{M}'’-]{2,40}/gu) ?? []));
  return (scalar) => {
    const trimmed = scalar.trim();
    if ((trimmed.length < 3 && !UNSPACED.test(trimmed)) || EVERYDAY.has(trimmed.toLowerCase())) return false;
    const phrase = trimmed
      .toLowerCase()
      .replace(/[^\p{L}\p{N}@.+-]+/gu, ' ')
      .trim();
    const isWord = /^\p{Ll}+$/u.test(trimmed) || /^\d{1,3}$/.test(trimmed);
    if (!isWord && phrase.length >= 3 && isWritten(phrase)) return true;
    const parts = trimmed.split(/\s+/);
    if (parts.length > 4) return false;
    if (parts.some((word) => UNSPACED.test(word) && own.includes(word))) return true;
    if (!parts.every((word) => NAME_WORD.test(word))) return false;
    return parts.some(
      (word) => !EVERYDAY.has(word.toLowerCase()) && (capitals.has(word) || isInflected(word, capitals)),
    );
  };
}
