/** What clients sent and were told: what the books are held against. */

export interface Call {
  readonly kind: 'chat' | 'guard' | 'batch' | 'create' | 'rotate' | 'revoke' | 'toggle';
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string | null;
  /** Of this call alone; its model where it has one. */
  readonly mark: string;
  readonly idempotencyKey: string | null;
}

export interface Reply {
  readonly status: number;
  readonly requestId: string;
  readonly eventId: string;
  readonly isReplay: boolean;
  readonly retryAfter: string | null;
  readonly text: string;
}

export interface Entry {
  readonly call: Call;
  /** How often it was sent. */
  sent: number;
  /** Answers in their order; a try without one is not among them. */
  readonly answers: Reply[];
  /** What became of tries without one. */
  readonly broken: string[];
}

export interface Ledger {
  readonly entries: readonly Entry[];
  /** Sends it once more where it was sent before. Null: no client was told anything. */
  send(address: string, apiKey: string, call: Call): Promise<Reply | null>;
}

const HELD = 409;

/** The first answer that said how it ended. */
export function outcomeOf(entry: Entry): Reply | undefined {
  return entry.answers.find((acknowledged) => acknowledged.status !== HELD);
}

/** Tries that the service may have worked on: neither held back nor answered from what was kept. */
export function worksOf(entry: Entry): number {
  return (
    entry.sent -
    entry.answers.filter((acknowledged) => acknowledged.isReplay || acknowledged.status === HELD).length
  );
}

/** Calls that were told how they ended, by what they were. */
export function acknowledgedCalls({ entries }: Pick<Ledger, 'entries'>, ...kinds: Call['kind'][]) {
  return entries.flatMap((entry) => {
    const acknowledged = outcomeOf(entry);
    return kinds.includes(entry.call.kind) && acknowledged !== undefined ? [{ entry, acknowledged }] : [];
  });
}

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  const byMark = new Map<string, Entry>();
  return {
    entries,
    async send(address, apiKey, call) {
      let entry = byMark.get(call.mark);
      if (entry === undefined) {
        entry = { call, sent: 0, answers: [], broken: [] };
        byMark.set(call.mark, entry);
        entries.push(entry);
      }
      entry.sent += 1;
      try {
        const acknowledged = await ask(address, apiKey, call);
        entry.answers.push(acknowledged);
        return acknowledged;
      } catch (error) {
        const { cause = error } = error as Error;
        entry.broken.push(String(cause));
        return null;
      }
    },
  };
}

async function ask(address: string, apiKey: string, call: Call): Promise<Reply> {
  const response = await fetch(`${address}/api/v1${call.path}`, {
    method: call.method,
    headers: {
      'x-api-key': apiKey,
      // Goes on to the provider: it tells whose the request is before its body has come.
      authorization: `Bearer sk-${call.mark}`,
      ...(call.body === null ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotencyKey === null ? {} : { 'idempotency-key': call.idempotencyKey }),
    },
    body: call.body,
  });
  const { headers, status } = response;
  return {
    status,
    requestId: headers.get('x-request-id') ?? '',
    eventId: headers.get('x-service-event-id') ?? '',
    isReplay: headers.get('x-idempotency-replayed') === 'true',
    retryAfter: headers.get('retry-after'),
    text: await response.text(),
  };
}
