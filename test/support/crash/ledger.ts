/** The requests of clients and their responses, to compare with the records. */

export interface Call {
  readonly kind: 'chat' | 'guard' | 'batch' | 'create' | 'rotate' | 'revoke' | 'toggle';
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string | null;
  /** Unique to this call; contains its model if it has one. */
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
  /** How often the call was sent. */
  sent: number;
  /** Responses in order; an attempt without one is not included. */
  readonly answers: Reply[];
  /** Errors of the attempts without a response. */
  readonly broken: string[];
}

export interface Ledger {
  readonly entries: readonly Entry[];
  /** Sends the call, or repeats it. Null: the client got no response. */
  send(address: string, apiKey: string, call: Call): Promise<Reply | null>;
}

const HELD = 409;

/** The first response with a final outcome. */
export function outcomeOf(entry: Entry): Reply | undefined {
  return entry.answers.find((acknowledged) => acknowledged.status !== HELD);
}

/** Attempts that the service may have worked on: neither held back nor served from a stored response. */
export function attemptsOf(entry: Entry): number {
  return (
    entry.sent -
    entry.answers.filter((acknowledged) => acknowledged.isReplay || acknowledged.status === HELD).length
  );
}

/** Calls with a final outcome, by kind. */
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
      // Forwarded to the provider, where it identifies the request before its body has arrived.
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
