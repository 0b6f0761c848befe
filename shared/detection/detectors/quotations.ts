import { ATTACK } from '../operating-points/attacks.ts';

/*
 * Work on a quotation: who asks to translate, correct, label or explain words does not say them. The words in quotation
 * marks then count for nothing, and what stands outside of them counts as always.
 */

/** Longer quotations end nowhere that a reader would look for. UTF-16 units. */
const MAX_QUOTED = 4_000;
/** Shorter ones are names and single words. */
const MIN_QUOTED = 8;
const PAIRS = ['""', '“”', '„“', '„”', '«»', '»«', '「」', '『』', '‘’', '‹›', '《》'];
/** A mark that opens again ends the search, so that each character is searched once. */
const ofPair = ([open, close]: string): string =>
  `${open}[^${open}${close}]{${MIN_QUOTED},${MAX_QUOTED}}${close}`;
/** An apostrophe within a word closes nothing. */
const SINGLE = `(?<![\\p{L}\\d])'(?:[^'\\n]|(?<=\\p{L})'(?=\\p{L})){${MIN_QUOTED},1000}'(?!\\p{L})`;
const FENCED = '```[^`]{8,4000}```';
const QUOTED = new RegExp([FENCED, ...PAIRS.map(ofPair), SINGLE].join('|'), 'gu');

const WORK = new RegExp(
  [
    'translat|proofread|correct|rephras|reword|rewrit|\\bedit|polish|shorten|summar|paraphras|classif|\\blabel|\\brate\\b|rating|\\bgrade|\\bscore|explain|\\bmeans?\\b|meaning|\\bwhy\\b|polite|softer|friendl|formal|grammar|spelling|reported speech|subtitle|caption|punctuat|\\btests?\\b|pytest|example|dataset|training (?:data|set)|stor(?:y|ies)|scene|dialogue|chapter|screenplay|novel|poem|scam|phish|spam|how (?:do|can|should|would) (?:i|we|you)|tone|comma|typos?\\b',
    'übersetz|korrigier|umformul|umschreib|höflich|zusammenfass|bewert|erklär|bedeut|geschichte|rechtschreib|indirekte',
    'tradui|corrige|reformul|résum|expliqu|signifie|veut dire|poli\\b|histoire|scène|orthograph',
    'traduc|traduz|traduç|corrig|corrij|reescrib|reescrev|resum|explic|explíc|significa|quiere decir|educad|cortés|historia|história|ortograf',
    'traduci|correggi|riscriv|riformul|riassum|spiega|gentil|storia|racconto',
    'vertaal|verbeter|herschrijf|samenvat|uitleg|betekent|verhaal|overset|översätt|rätta|förklara|förklarar|betyder|oversett|rett|forklar|kään|korjaa|selitä|tarkoittaa|tarina',
    'przetłumacz|tłumacz|popraw|wyjaśni|znaczy|opowiadani|přelož|oprav|vysvětl|znamená|povíd|prelož|vysvetli|fordít|javíts|magyaráz|jelent|tradu|corecteaz|înseamn|prevedi|ispravi|objasni|znači|преведи|поправи|обясни|означава',
    'перевед|перевод|исправ|перепиш|переформул|объясн|значит|вежлив|рассказ|істор|переклад|виправ|поясн|означа|оповідан|μετάφρα|μεταφρα|διόρθω|εξήγη|σημαίν|ιστορ',
    'çevir|düzelt|açıkla|ne demek|kibar|hikaye|tərcümə|ترجم|صحح|اشرح|معنى|لخص|صياغة|قصة|ترجمه|تصحیح|توضیح|یعنی|ترجمہ|تشریح|תרגם|תרגמ|תקן|הסבר|פירוש|סיפור',
    'अनुवाद|सुधार|समझा|मतलब|अर्थ|कहानी|অনুবাদ|সংশোধন|ব্যাখ্যা|অর্থ|மொழிபெயர்|திருத்|விளக்க|அர்த்த|అనువ|సరిచే|వివరి|แปล|แก้ไข|อธิบาย|แปลว่า|หมายความ',
    'dịch|sửa|giải thích|nghĩa|tóm tắt|truyện|terjemah|perbaiki|jelaskan|artinya|ringkas|cerita|betulkan|isalin|itama|ipaliwanag|tafsiri|sahihisha|eleza',
    '翻译|翻譯|改写|改寫|润色|潤色|校对|校對|解释|解釋|意思|总结|總結|礼貌|禮貌|分类|分類|评分|標註|标注|故事|翻訳|訳し|校正|直し|説明|意味|要約|丁寧|物語|小説|번역|교정|고쳐|설명|뜻|요약|공손|이야기|소설',
  ].join('|'),
  'iu',
);
/** The quotation is to be obeyed, or goes on where its words end. */
const OBEYED = new RegExp(
  [
    'follow|obey|execut|carry (?:it |them |this )?out|comply|do (?:what|as|exactly)|\\bact (?:on|as|like)\\b|and then (?:do|answer|act)|answer (?:it|this|the)|respond to|say (?:only|just)|only (?:say|answer|reply)|append|complete|continue|finish|repeat|respond with|reply with|start(?:s|ing)? with|begin(?:s|ning)? with|print|output',
    'befolg|ausführ|führe? .{0,20}\\baus\\b|gehorch|vervollständig|wiederhol|suis|exécut|obéi|complète|répète|sigue|siga|obede|ejecut|execut|complet|repite|repet|esegu|obbed|ripet|volg|gehoorza|voer .{0,20}\\buit\\b|wykonaj|proveď|dodrž|выполн|следуй|подчин|продолж|повтор|uygula|itaat|نفذ|اتبع|أكمل|كرر|执行|執行|遵循|服从|按照|重复|继续|実行|従っ|続け|繰り返|실행|따라|반복|계속',
  ].join('|'),
  'iu',
);

type Range = readonly [start: number, end: number];

/** What was found in a text. */
interface TextReading {
  readonly evaluation: unknown;
  readonly hits: readonly unknown[];
  readonly logOdds: number;
}

/**
 * Returns the reading of what stands around quotations that a user asks to work on, unless that is suspicious itself;
 * else the reading of the whole text. `readAround` reads a text.
 */
export function besideQuotations<T extends TextReading>(
  whole: T,
  text: string,
  readAround: (around: string) => T,
): T {
  if (whole.evaluation === undefined && whole.hits.length === 0) return whole;
  const quotations = workedQuotations(text);
  if (quotations.length === 0) return whole;
  const around = readAround(withoutRanges(text, quotations));
  return around.logOdds > ATTACK.aroundQuotation ? whole : around;
}

/** Returns the quotations that a text asks to work on; none if it asks to obey them. Linear. */
function workedQuotations(text: string): readonly Range[] {
  const found = Array.from(
    text.matchAll(QUOTED),
    ({ index, 0: { length } }): Range => [index, index + length],
  );
  if (found.length === 0) return found;
  const around = withoutRanges(text, found);
  return WORK.test(around) && !OBEYED.test(around) ? found : [];
}

/** Blanks ranges, so that all offsets stay. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}
