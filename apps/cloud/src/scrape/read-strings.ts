const QUOTES = '"\'`';

/**
 * Finds the string literals and comments of a script, a style sheet or JSON, unescaped. Not a parser: it only has to
 * find text that a model would read, in linear time for any input.
 */
export function readStrings(code: string, add: (text: string) => void): void {
  for (let at = 0; at < code.length; ) {
    const char = code[at]!;
    if (QUOTES.includes(char)) {
      const end = endOfLiteral(code, at);
      const literal = code.slice(at + 1, end);
      add(literal.includes('\\') ? unescapeLiteral(literal) : literal);
      at = end + 1;
    } else {
      const comment = commentAt(code, at);
      if (comment === undefined) {
        at++;
        continue;
      }
      const end = indexOrEnd(code, comment.closes, at + comment.opens.length);
      add(code.slice(at + comment.opens.length, end));
      at = end + comment.closes.length;
    }
  }
}

const COMMENTS = [
  { opens: '/*', closes: '*/' },
  { opens: '//', closes: '\n' },
  { opens: '<!--', closes: '\n' },
] as const;

/** `://` in a URL does not start a comment. */
function commentAt(code: string, at: number): (typeof COMMENTS)[number] | undefined {
  const char = code[at];
  if (char !== '/' && char !== '<') return undefined;
  const comment = COMMENTS.find(({ opens }) => code.startsWith(opens, at));
  return comment?.opens === '//' && code[at - 1] === ':' ? undefined : comment;
}

/** A line break ends a literal that the quote in a regular expression started. */
function endOfLiteral(code: string, start: number): number {
  const quote = code[start]!;
  for (let at = start + 1; at < code.length; at++) {
    const char = code[at];
    if (char === '\\') at++;
    else if (char === quote || (char === '\n' && quote !== '`')) return at;
  }
  return code.length;
}

function unescapeLiteral(literal: string): string {
  return literal.replace(
    /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|(\r?\n)|(.))/gis,
    (_all, four?: string, braced?: string, two?: string, line?: string, one?: string) => {
      const hex = four ?? braced ?? two;
      if (hex !== undefined) {
        const point = Number.parseInt(hex, 16);
        return point <= 0x10ffff ? String.fromCodePoint(point) : '';
      }
      if (line !== undefined) return '';
      return one === 'n' || one === 'r' || one === 't' ? ' ' : (one ?? '');
    },
  );
}

function indexOrEnd(text: string, search: string, from: number): number {
  const found = text.indexOf(search, from);
  return found === -1 ? text.length : found;
}
