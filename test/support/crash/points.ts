/** Points for killing processes: twelve in each of five flows that must lose or double nothing. */
import type { SqlMoment, WireMoment } from './moment.ts';

const FLOWS = ['request', 'delivery', 'batch', 'upload', 'key'] as const;
export type FlowName = (typeof FLOWS)[number];
export type TapName = 'client' | 'provider' | 'receiver' | 'site' | 'device';
export type Victim = 'service' | 'device';

export type Moment =
  | { readonly tap: TapName; readonly wire: WireMoment }
  | { readonly sql: SqlMoment; readonly of: Victim }
  /** The client has the complete response. */
  | 'told';

export interface Point {
  readonly flow: FlowName;
  readonly name: string;
  readonly moment: Moment;
  readonly kills: Victim;
  /** The change that the key flow makes. */
  readonly change?: 'create' | 'rotate' | 'revoke';
  /** The receiver rejects at first. */
  readonly isRefused?: true;
}

type Row = readonly [
  name: string,
  moment: Moment,
  more?: Partial<Pick<Point, 'kills' | 'change' | 'isRefused'>>,
];

const on = (tap: TapName, wire: WireMoment): Moment => ({ tap, wire });
const sql = (
  when: SqlMoment['when'],
  statement: string,
  holds?: string,
  more: { readonly nth?: number; readonly of?: Victim } = {},
): Moment => {
  const { nth, of = 'service' } = more;
  return {
    of,
    sql: { when, statement, ...(holds !== undefined && { holds }), ...(nth !== undefined && { nth }) },
  };
};

const CLAIM = '^insert into "idempotency_records"';
const KEEP = '^update "idempotency_records" set "state"';
const DECISION = '^insert into security_events';
const NOTICE = '^insert into webhook_deliveries';
const LEASE = '^update "webhook_deliveries" set "lease_id"';
const SETTLE = '^update "webhook_deliveries" set "status"';
const PAGES = '^insert into "scrape_pages"';
const TAKE_PAGE = '^update "scrape_pages" set "lease_id"';
const END_PAGE = '^update "scrape_pages" set "status"';
const NEW_KEY = '^insert into "keys"';
const END_KEY = '^update "keys" set "expires_at_ms"';
const REVOKE = '^(delete from "keys"|update "keys" set "is_active")';
/** The first belongs to the request, or is stored within the transaction of the work. */
const ANSWER = { nth: 2 } as const;
const OF_DEVICE = { of: 'device' } as const;
const DEVICE = { kills: 'device' } as const;

const ROWS: Readonly<Record<FlowName, readonly Row[]>> = {
  request: [
    ['half of it has come', on('client', 'half')],
    ['its idempotency key is claimed, uncommitted', sql('committing', CLAIM, '$')],
    ['its idempotency key is claimed', sql('committed', CLAIM, '$')],
    ['its decision is written', sql('written', DECISION, '$')],
    ['its decision commits', sql('committing', DECISION, '$')],
    ['its decision is committed', sql('committed', DECISION, '$')],
    ['the provider has half of it', on('provider', 'half')],
    ['the provider has all of it', on('provider', 'whole')],
    ['half of the answer has come', on('provider', 'answer-half')],
    ["the answer's decision is committed", sql('committed', DECISION, '$', ANSWER)],
    ['the answer is kept for a repetition', sql('committed', KEEP, '$')],
    ['the client has half of the answer', on('client', 'answer-half')],
  ],
  delivery: [
    ['it is written', sql('written', NOTICE, '$')],
    ['it commits, with its decision', sql('committing', NOTICE, '$')],
    ['it is committed', sql('committed', NOTICE, '$')],
    ['it is leased, uncommitted', sql('written', LEASE)],
    ['it is leased', sql('committed', LEASE)],
    ['the receiver is connected', on('receiver', 'connected')],
    ['the receiver has the head', on('receiver', 'head')],
    ['the receiver has half of it', on('receiver', 'half')],
    ['the receiver has all of it', on('receiver', 'whole')],
    ["the receiver's answer has come", on('receiver', 'answer-head')],
    ['its end commits', sql('committing', SETTLE)],
    ['its failure is committed', sql('committed', SETTLE), { isRefused: true }],
  ],
  batch: [
    ['half of it has come', on('client', 'half')],
    ['its pages are written', sql('written', PAGES, '$')],
    ['it is committed', sql('committed', PAGES, '$')],
    ['its whole answer is kept for a repetition', sql('committed', KEEP, '$', ANSWER)],
    ['its client was told', 'told'],
    ['a page is leased, uncommitted', sql('written', TAKE_PAGE)],
    ['a page is leased', sql('committed', TAKE_PAGE)],
    ['the site was asked for a page', on('site', 'whole')],
    ['half of a page has come', on('site', 'answer-half')],
    ["a page's decision is committed", sql('committed', DECISION, 'scrape')],
    ["a page's result commits", sql('committing', END_PAGE)],
    ["a page's result is committed, others wait", sql('committed', END_PAGE)],
  ],
  upload: [
    [
      'the device has written a decision',
      sql('committing', '^insert or ignore into events', '$', OF_DEVICE),
      DEVICE,
    ],
    [
      'the device has committed a decision',
      sql('committed', '^insert or ignore into events', '$', OF_DEVICE),
      DEVICE,
    ],
    ['the device dies with half sent', on('device', 'half'), DEVICE],
    ['the device dies with all sent', on('device', 'whole'), DEVICE],
    ['the device dies with half of the answer', on('device', 'answer-half'), DEVICE],
    ['the device begins to forget', sql('committing', '^delete from events', undefined, OF_DEVICE), DEVICE],
    ['the device has forgotten', sql('committed', '^delete from events', undefined, OF_DEVICE), DEVICE],
    ['the service dies with half of it', on('device', 'half')],
    ['the service has written it', sql('written', DECISION, '$')],
    ['the service commits it', sql('committing', DECISION, '$')],
    ['the service has committed it', sql('committed', DECISION, '$')],
    ['the service dies with half of the answer out', on('device', 'answer-half')],
  ],
  key: [
    ['create: half of it has come', on('client', 'half'), { change: 'create' }],
    ['create: it is written', sql('written', NEW_KEY, '$'), { change: 'create' }],
    ['create: it is committed', sql('committed', NEW_KEY, '$'), { change: 'create' }],
    ['create: the client has half of the answer', on('client', 'answer-half'), { change: 'create' }],
    ['rotate: the new one is written', sql('written', NEW_KEY, '$'), { change: 'rotate' }],
    ['rotate: the old one is ended, uncommitted', sql('committing', END_KEY), { change: 'rotate' }],
    ['rotate: it is committed', sql('committed', END_KEY), { change: 'rotate' }],
    ['rotate: its client was told', 'told', { change: 'rotate' }],
    ['revoke: it is written', sql('written', REVOKE), { change: 'revoke' }],
    ['revoke: it commits', sql('committing', REVOKE), { change: 'revoke' }],
    ['revoke: it is committed', sql('committed', REVOKE), { change: 'revoke' }],
    ['revoke: its client was told', 'told', { change: 'revoke' }],
  ],
};

export const POINTS: readonly Point[] = FLOWS.flatMap((flow) =>
  ROWS[flow].map(([name, moment, more]) => ({ flow, name, moment, kills: 'service' as const, ...more })),
);
