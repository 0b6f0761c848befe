import { type OptInType, optInReach } from '../pii/registry.ts';
import { piiSpans } from '../redact-pii.ts';
import type { Workspace } from '../workspace.ts';

/** The minimum of new text before the text is read again, so that reading stays linear. */
const STRIDE = 256;

/**
 * Determines up to which offset a text that arrives in pieces contains no value of the given types. Names, dates and
 * addresses are plain words, so all of the text is read, as far as later text cannot change its findings. After the
 * first finding nothing more is released.
 */
export class OptInGate {
  private readonly types: readonly OptInType[];
  private readonly workspace: Workspace;
  private readonly before: number;
  private readonly after: number;
  /** The end of the text, from `base` on. */
  private tail = '';
  private base = 0;
  private readUntil = 0;
  private released = 0;
  private isClosed = false;

  constructor(types: readonly OptInType[], workspace: Workspace) {
    this.types = types;
    this.workspace = workspace;
    const { before, after } = optInReach(types);
    this.before = before;
    this.after = after;
  }

  /** Adds a piece; returns the length of the text that can be released, whatever follows. */
  push(piece: string): number {
    if (this.types.length === 0) return Number.POSITIVE_INFINITY;
    if (this.isClosed) return this.released;
    this.tail += piece;
    const end = this.base + this.tail.length;
    if (end - this.readUntil >= STRIDE) this.read(end);
    return this.released;
  }

  private read(end: number): void {
    this.readUntil = end;
    const settled = end - this.after;
    if (settled <= 0) return;
    const found = piiSpans(this.tail, this.types, this.workspace);
    if (found.some(({ start }) => this.base + start <= settled)) {
      this.isClosed = true;
      this.tail = '';
      return;
    }
    // Does not split a surrogate pair.
    const isHalf = isLowSurrogate(this.tail.charCodeAt(settled - this.base));
    this.released = Math.max(this.released, isHalf ? settled - 1 : settled);
    const from = Math.max(0, settled - this.before - this.base);
    this.tail = this.tail.slice(from);
    this.base += from;
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
