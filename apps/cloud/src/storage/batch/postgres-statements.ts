import { LABEL_COLUMNS, USAGE_COUNTS } from './usage-rows.ts';

const added = (table: string): string =>
  USAGE_COUNTS.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/** Named, so that each connection parses them once. They take arrays: a batch of any size is one statement. */
export const POSTGRES_STATEMENTS = {
  insertEvents: {
    name: 'csg_insert_events',
    text: `INSERT INTO security_events (id, organization_id, project_id, key_id, device_id, request_id, direction,
      route, model, decision, threat_type, confidence, findings, unscanned, failed, latency_us, at_ms,
      judged_by, decided_by, session, tags)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::float8[], $13::text[], $14::text[], $15::text[],
      $16::bigint[], $17::bigint[], $18::text[], $19::text[], $20::text[], $21::text[])
     ON CONFLICT (id) DO NOTHING RETURNING id`,
  },
  lockUsage: {
    name: 'csg_lock_usage',
    text: `INSERT INTO usage_counters (account_id, period, requests, device_requests)
     SELECT a, p, 0, 0 FROM unnest($1::text[], $2::text[]) AS t (a, p)
     ON CONFLICT (account_id, period) DO UPDATE SET requests = usage_counters.requests
     RETURNING account_id, period, requests`,
  },
  addUsage: {
    name: 'csg_add_usage',
    text: `INSERT INTO usage_counters (account_id, period, requests, device_requests)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
     ON CONFLICT (account_id, period) DO UPDATE SET requests = usage_counters.requests + excluded.requests,
       device_requests = usage_counters.device_requests + excluded.device_requests`,
  },
  /** Arrays in the order of USAGE_COLUMNS. */
  addDetails: {
    name: 'csg_add_details',
    text: `INSERT INTO usage_details (organization_id, day, project_id, key_id, device_id, model, requests, blocked, redacted,
      rejected, calls, call_errors, unmetered, input_tokens, output_tokens, scans, scan_us, call_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[])
     ON CONFLICT (organization_id, day, project_id, key_id, device_id, model)
     DO UPDATE SET ${added('usage_details')}`,
  },
  /** Arrays in the order of LABEL_COLUMNS. */
  addLabels: {
    name: 'csg_add_labels',
    text: `INSERT INTO usage_labels (${LABEL_COLUMNS.join(', ')})
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
      $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::text[])
     ON CONFLICT (organization_id, project_id, day, label, key_id, device_id, model)
     DO UPDATE SET ${added('usage_labels')}`,
  },
  lockHeads: {
    name: 'csg_lock_heads',
    text: `SELECT organization_id, seq, hash, seal FROM audit_heads WHERE organization_id = ANY ($1::text[])
     ORDER BY organization_id FOR UPDATE`,
  },
  lastRow: {
    name: 'csg_last_row',
    text: 'SELECT seq, hash FROM audit_rows WHERE organization_id = $1 ORDER BY seq DESC LIMIT 1',
  },
  /** For the first head of a chain: a second writer waits here, then reads the head that the first one wrote. */
  insertHead: {
    name: 'csg_insert_head',
    text: `INSERT INTO audit_heads (organization_id, seq, hash, seal) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id) DO NOTHING`,
  },
  insertRows: {
    name: 'csg_insert_rows',
    text: `INSERT INTO audit_rows (organization_id, seq, at_ms, kind, actor, subject, data, prev_hash, hash)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::bytea[], $9::bytea[])`,
  },
  moveHeads: {
    name: 'csg_move_heads',
    text: `UPDATE audit_heads h SET seq = t.seq, hash = t.hash, seal = t.seal
     FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[]) AS t (organization_id, seq, hash, seal)
     WHERE h.organization_id = t.organization_id`,
  },
  insertDeliveries: {
    name: 'csg_insert_deliveries',
    text: `INSERT INTO webhook_deliveries (id, organization_id, project_id, endpoint_id, kind, event, event_id, payload, is_test, status,
      attempts, failures, due_at_ms, lease_ends_at_ms, created_at_ms)
     SELECT t.*, 0, 'pending', 0, 0, $9, 0, $9
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) AS t
     ON CONFLICT (id) DO NOTHING`,
  },
  touchKeys: {
    name: 'csg_touch_keys',
    text: `UPDATE keys k SET last_used_at_ms = t.at_ms FROM unnest($1::text[], $2::bigint[]) AS t (id, at_ms)
     WHERE k.id = t.id`,
  },
} as const;
