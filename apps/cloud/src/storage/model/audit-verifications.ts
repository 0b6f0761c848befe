import { hidden, number, orNull, type RecordOf, table, text, word } from '../table.ts';
import type { VerifyProgress } from './audit.ts';

/** `ver_…`: one verification of an audit chain. */
export const auditVerificationTable = table({
  id: text,
  /** A user's or token's id, or `system`. */
  startedBy: text,
  startedAtMs: number,
  /** When it last reported progress. */
  seenAtMs: number,
  endedAtMs: orNull(number),
  rowsRead: number,
  /** null: not known yet. */
  rowsTotal: orNull(number),
  /** null: it has not ended. `failed`: the chain could not be read. */
  outcome: orNull(word<'valid' | 'invalid' | 'failed'>()),
  firstInvalid: orNull(number),
  organizationId: hidden(text),
});
export type AuditVerification = RecordOf<typeof auditVerificationTable>;

export interface AuditVerifications {
  /** Returns the id of the run. Of older runs the newest 19 are kept. */
  start(organizationId: string, startedBy: string): Promise<string>;
  progress(organizationId: string, id: string, progress: VerifyProgress): Promise<void>;
  end(
    organizationId: string,
    id: string,
    result: Pick<AuditVerification, 'outcome' | 'firstInvalid'>,
  ): Promise<void>;
  /** Newest first, at most 20. */
  list(organizationId: string): Promise<readonly AuditVerification[]>;
}
