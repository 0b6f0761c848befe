import { CONCEPT_NAMES } from '../lexicon/tables.ts';
import {
  COMMAND,
  isOrderVerb,
  OBLIGATION,
  POLITE_COMMAND,
  PROHIBITION,
  REQUEST,
  readSentenceTypes,
} from '../model/sentence-type.ts';
import { UNIT } from '../operating-points/units.ts';
import { CodeBuffer } from '../read/codes.ts';
import { readText } from '../read/read-text.ts';
import { KIND_RUN, TokenizedText } from '../read/tokenized-text.ts';
import { hasOrderEnding, isImperative } from './imperatives.ts';

/** Longer sentences are read up to here. UTF-16 units. */
const MAX_SENTENCE = 2_048;
const ORDERS: ReadonlySet<number> = new Set([COMMAND, POLITE_COMMAND, PROHIBITION, REQUEST, OBLIGATION]);
/** What one thing has to do after another. */
const STEP =
  /^[\s>*_#"'/+-]*(?:\(?\d{1,2}[.)]\s|(?:step|schritt|étape|paso|passo|шаг|krok|stap|adım|bước|langkah)\s*\d|(?:and |und |et |y |e )?(?:then|after (?:that|this|which)|afterwards?|next|finally|lastly|also|danach|dann|anschließend|zuletzt|außerdem|ensuite|puis|enfin|après|luego|después|entonces|además|por último|depois|em seguida|então|затем|потом|после этого|далее|dopo|quindi|poi|infine|daarna|vervolgens|następnie|potem|sonra|ardından|sau đó|kemudian|lalu)(?![\p{L}]))|^\s*(?:然后|接着|之后|随后|最后|另外|その後|次に|それから|最後に|그런 다음|그 후|다음으로|ثم|بعد ذلك|फिर|उसके बाद)/iu;
/** What stands for the order that comes next. */
const POINTS_ON =
  /(?:the following|as follows|like this|folgende\w*|wie folgt|suivante?s?|siguientes?|seguintes?|seguent[ei]|следующ\p{L}+|volgende|następując\p{L}+|aşağıdaki\p{L}*|以下|下列|次の|다음|التالي\p{L}*|निम्नलिखित)[^.!?]{0,60}$|[:：]\s*$/iu;
/** Verbs of orders, in all languages of the lexicon. */
const ACTS: ReadonlySet<number> = new Set(
  'ignore reveal repeat send delete run answer must pretend refuse'
    .split(' ')
    .map((name) => CONCEPT_NAMES.indexOf(name)),
);
const AI = CONCEPT_NAMES.indexOf('ai');
const MUST = CONCEPT_NAMES.indexOf('must');
/** English imperatives that are function words of the lexicon. */
const SHORT_VERB =
  /^(?:tell|give|make|take|put|keep|get|go|use|let|say|show|ask|do|be|leave|see|try|come|look)$/i;
/** Marks before a new clause. */
const CLAUSE = ':：—–;-(';
/** Words before the verb of an order, at most this many. */
const LEAD =
  /^(?:\p{L}{2,}ly|please|now|so|then|just|always|never|instead|also|and|first|next|once|but|you|not|don['’]t)$/iu;
const MAX_LEADS = 3;
/** What follows a verb and no noun. */
const OBJECT =
  /^(?:a|an|the|all|any|every|each|no|your|my|his|her|its|their|our|this|that|these|those|it|them|him|me|us|to|only|what|how|with|as|if|whether|one|two|three|both|everything|nothing)$/i;
const PREPOSITION =
  /^(?:in|into|at|on|by|from|to|out|up|off|over|through|under|for|about|around|away|back|down)$/i;
/** Words that begin statements before "the" or "a". */
const NO_VERB =
  /^(?:.{1,2}|.*(?:ing|ed|[^s]s)|the|this|that|these|those|there|here|what|which|who|when|where|why|how|and|but|for|nor|yet|both|each|some|most|many|much|none|all|any|only|even|not|yesterday|today|tonight|tomorrow|once|twice|maybe|perhaps|with|from|into|over|under|after|before|since|until|during|while|though|although|because|unless|like|than|then|also|just|still|about|between|without|within|through|against|along|among|around|beside|besides|beyond|near|per|via|plus|half|such|our|your|her|his|its|their|you|they|she|was|were|has|had|have|can|will|would|could|should|may|might|must|never|often|later|soon|now|\p{Lu}\p{Ll}+['’]s)$/iu;
/** All but the first letters of what stands between the beginnings of two words. */
const NOT_OF_WORD = /[^\p{L}\p{M}\p{N}'’][\s\S]*$/u;
const DOES_FOLLOWING =
  /\b(?:do|does|perform|carry out|execute|apply|obey|follow|complete)\b[^.]{0,40}\bfollowing\b/i;
/** What an order may depend on, or whom it is for. */
const CONDITION =
  /^[^\p{L}]*(?:if|when|while|before|after|once|whenever|for|to|as|in|on|upon|prior|until|unless|without|instead|by|at|from|during|along|besides|rather|where|wenn|falls|bevor|sobald|si|quand|lorsque|avant|cuando|antes|se|quando|если|когда|перед|als|wanneer|jeśli|gdy|kiedy)\b/iu;
/** In an order the verb is among the first words of the sentence, or at its end. */
const FIRST_WORDS = 4;
const LAST_WORDS = 2;

/** Reads sentences of untrusted data for orders. Not reentrant. */
export class OrderReader {
  private readonly codes = new CodeBuffer(MAX_SENTENCE);
  private readonly reading = new TokenizedText(MAX_SENTENCE);

  /** True for a command, a request, an obligation, a prohibition, or a step after another; `isAfterOrder`: right after one. */
  isOrder(sentence: string, isAfterOrder = false): boolean {
    if (STEP.test(sentence) || DOES_FOLLOWING.test(sentence)) return true;
    const { reading } = this;
    const read = this.codes.write(sentence.slice(0, MAX_SENTENCE));
    readText(read, 0, read.string.length, reading, true);
    readSentenceTypes(read.string, reading);
    this.codes.clear(read.string.length);
    const { words, sentenceType } = reading;
    if (words < 2) return false;
    for (let unit = 0; unit < reading.units; unit++) if (ORDERS.has(sentenceType[unit]!)) return true;
    if (this.hasOrderClause(read.string, isAfterOrder) || this.obligesAssistant(read.string)) return true;
    return reading.frames < words * UNIT.frames && this.isForeignOrder(read.string);
  }

  /** True for a sentence about an assistant that must do something, or that depends on there being one. */
  private obligesAssistant(sentence: string): boolean {
    const { words, concept } = this.reading;
    const meanings = new Set(concept.subarray(0, words));
    return meanings.has(AI) && (meanings.has(MUST) || CONDITION.test(sentence));
  }

  private isForeignOrder(sentence: string): boolean {
    if (hasOrderEnding(sentence) || firstWords(sentence).some(isImperative)) return true;
    const { words, concept, kind } = this.reading;
    for (let word = 0; word < words; word++) {
      const isPlace = word < FIRST_WORDS || word >= words - LAST_WORDS || (kind[word]! & KIND_RUN) !== 0;
      if (isPlace && ACTS.has(concept[word]!)) return true;
    }
    return false;
  }

  /** True if a clause begins with a verb of an order: the first one, one after a mark or after a condition. */
  private hasOrderClause(sentence: string, isAfterOrder: boolean): boolean {
    const { words, start } = this.reading;
    const written = Array.from({ length: words }, (_, word) =>
      sentence.slice(start[word]!, start[word + 1] ?? sentence.length).replace(NOT_OF_WORD, ''),
    );
    let isCondition = false;
    for (let word = 0; word < words; word++) {
      const before =
        word === 0
          ? ':'
          : sentence
              .slice(start[word - 1]!, start[word]!)
              .trimEnd()
              .at(-1)!;
      const isClause = CLAUSE.includes(before);
      if (isClause) isCondition = CONDITION.test(sentence.slice(start[word]!));
      if (!isClause && before !== ',') continue;
      let verb = word;
      while (verb < word + MAX_LEADS && LEAD.test(written[verb] ?? '')) verb++;
      if (this.isVerb(written, verb, { isSure: isClause || isCondition, isAfterOrder })) return true;
    }
    return false;
  }

  /**
   * True if a word is a verb of an order. `isSure`: one must stand here, if this is no statement; known verbs count by
   * themselves, others by the word after them.
   */
  private isVerb(
    words: readonly string[],
    at: number,
    { isSure, isAfterOrder }: { readonly isSure: boolean; readonly isAfterOrder: boolean },
  ): boolean {
    const word = words[at];
    if (word === undefined) return false;
    const next = words[at + 1] ?? '';
    const isKnown =
      isOrderVerb(this.reading.hash[at]!) || SHORT_VERB.test(word) || ACTS.has(this.reading.concept[at]!);
    if (isKnown) return isSure || OBJECT.test(next);
    if (!isSure || NO_VERB.test(word)) return false;
    return OBJECT.test(next) || (isAfterOrder && PREPOSITION.test(next));
  }

  /** True if a sentence says that an order follows. */
  pointsOn(sentence: string): boolean {
    return POINTS_ON.test(sentence.slice(-200));
  }
}

/** Returns the first words of a sentence in lower case. */
function firstWords(sentence: string): string[] {
  return (
    sentence
      .slice(0, 80)
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu)
      ?.slice(0, 3) ?? []
  );
}
