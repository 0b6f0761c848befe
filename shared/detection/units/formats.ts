import type { Span, Steps } from '../../text/index.ts';
import { UNIT } from '../operating-points/units.ts';
import { readCells } from './cells.ts';
import { readCurly, readPython } from './code.ts';
import { linesOf, paragraphs, shareOf } from './lines.ts';
import { readMarkdown } from './markdown.ts';
import { readMarkup } from './markup.ts';
import { readDiff, readMails, readMessages } from './messages.ts';
import { tagPairs } from './tag-pairs.ts';
import { innermost, overlaps, type Part } from './unit.ts';
import { readYaml } from './yaml.ts';

const MARKUP = /<\/[a-z][\w:.-]*\s*>|<[a-z][\w:.-]*(?:\s[^<>]*)?\/>/i;
const YAML_LINE = /^\s*(?:- )?(?:["']?[\w.$ /-]{1,40}["']?:(?:\s|$)|- |#)/;
const YAML_KEY = /^\s*(?:- )?["']?[\w.$ /-]{1,40}["']?:(?:\s|$)/m;
const PYTHON_LITERAL = /^\s*[[({]\s*(?:[[({'"]|\w+\()|^\s*\w+\(\w+=/;
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:def|class|import|from|return|elif|const|let|var|function|public|private|package|func|fn|use|using|async|export|#include|if \(|for \(|while \()\b|^\s*(?:\/\/|\/\*|\*\s|#!|@\w+)|^\s*[\w.[\]]+ [-+*]?= \S|^\s*(?:if|for|while|with|try|except|else)\b.*:\s*$/;
const PYTHON_LINE = /^\s*(?:def |class |import |from \S+ import|elif |except|if .*:\s*$|for .*:\s*$|#)/;
const MARKDOWN = /^\s{0,3}(?:#{1,6} |[-*+] |\d{1,3}[.)] |>|\||```|~~~)|<!--/m;
/** Deeper nesting of block quotes and lists takes the parser of Markdown quadratic time. */
const DEEP = /^(?:\s*(?:>|[-*+]|\d{1,3}[.)])){12}/m;

/** The parts of a text in the form of its format: nested or in order. Undefined: the text has none, it is prose. */
export function* readFormat(text: string): Steps<Part[] | undefined> {
  const pairs = tagPairs(text);
  const inside = yield* readStructure(text);
  if (inside === undefined) return pairs.length === 0 ? undefined : pairs;
  const isAround = (part: Span, pair: Span): boolean =>
    part.start <= pair.start && part.end >= pair.end && part.end - part.start > pair.end - pair.start;
  const breaks = (part: Span): boolean => pairs.some((pair) => overlaps(pair, part) && !isAround(part, pair));
  return [...pairs, ...inside.filter((part) => !breaks(part))];
}

function* readStructure(text: string): Steps<Part[] | undefined> {
  const lines = linesOf(text).filter((line) => line.text.trim() !== '');
  const messages = readMails(lines) ?? readDiff(lines) ?? readMessages(lines);
  if (messages !== undefined) return messages;
  if (PYTHON_LITERAL.test(text)) return framed(text, yield* readPython(text));
  if (MARKUP.test(text)) return yield* readMarkup(text);
  const cells = readCells(text, lines);
  if (cells !== undefined) return cells;
  if (lines.length > 1 && YAML_KEY.test(text) && shareOf(lines, YAML_LINE) >= UNIT.yamlLines)
    return yield* readYaml(text);
  if (lines.length > 2 && shareOf(lines, CODE_LINE) >= UNIT.codeLines) {
    const isPython = shareOf(lines, PYTHON_LINE) > UNIT.pythonLines;
    return framed(text, yield* isPython ? readPython(text) : readCurly(text));
  }
  return MARKDOWN.test(text) && !DEEP.test(text) ? yield* readMarkdown(text) : undefined;
}

/** In code only literals and comments are for readers. */
function framed(text: string, parts: readonly Part[]): Part[] {
  return [{ start: 0, end: text.length, isFrame: true }, ...parts];
}

/** Returns the units of a text in order; what no unit covers is cut into paragraphs. */
export function filled(text: string, parts: readonly Part[]): Part[] {
  const units = innermost(parts);
  const all: Part[] = [];
  let at = 0;
  const ends: Part = { start: text.length, end: text.length };
  for (const unit of [...units, ends]) {
    for (const { start, end } of paragraphs(text.slice(at, Math.max(at, unit.start))))
      all.push({ start: at + start, end: at + end });
    if (unit.end > unit.start && unit.isFrame !== true) all.push(unit);
    at = Math.max(at, unit.end);
  }
  return all;
}
