/** What verification says of each tampering: rows that hold, faults, checkpoints where they are not as they were, notes. */
import type { AuditReport } from '../../apps/cloud/src/storage/storage.ts';

const MANY_FAULTS = 6;

/** A report as lines; of many faults the first three. */
export function reportLines({ checked, anchored_until, faults, checkpoints, notes }: AuditReport): string[] {
  const found = faults.map(({ seq, reason, message }) => `${seq} ${reason}: ${message}`);
  const isMany = found.length > MANY_FAULTS;
  const written = checkpoints.map(
    ({ number, seq, valid, found_in }) =>
      `checkpoint ${number} of row ${seq}: ${valid ? 'valid' : 'invalid'}, in ${found_in.join('+')}`,
  );
  return [
    `${checked} rows hold, anchored until row ${anchored_until}`,
    ...(isMany ? [...found.slice(0, 3), `${found.length} in all`] : found),
    ...(written.join() === UNTOUCHED.join() ? [] : written),
    ...notes,
  ];
}

const UNTOUCHED = [
  'checkpoint 1 of row 20: valid, in database+file',
  'checkpoint 2 of row 40: valid, in database+file',
];

export const TAMPERING_REPORTS: Readonly<Record<string, readonly string[]>> = {
  'one bit of the data': [
    '59 rows hold, anchored until row 0',
    '7 row_changed: Row 7 was changed after it was written.',
  ],
  'the data, hash left': [
    '59 rows hold, anchored until row 0',
    '7 row_changed: Row 7 was changed after it was written.',
  ],
  'the data, own hash recomputed': [
    '59 rows hold, anchored until row 0',
    '8 link_broken: Row 8 does not match the hash of the previous row.',
  ],
  'the data, suffix recomputed': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_mismatch: Checkpoint 1 was signed for a different row 20.',
    '40 checkpoint_mismatch: Checkpoint 2 was signed for a different row 40.',
    '60 head_changed: The head names another hash than the last row has.',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'the data in the unanchored tail, suffix and head recomputed': [
    '60 rows hold, anchored until row 40',
    '60 head_changed: The head of the chain was not written by this service.',
  ],
  'the time': [
    '59 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
  ],
  'the actor': [
    '59 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
  ],
  'the subject': [
    '59 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
  ],
  'the kind': [
    '59 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
  ],
  'the tenant, so that the row is gone': [
    '58 rows hold, anchored until row 0',
    '3 row_missing: Row 3 is missing.',
  ],
  'the hash': [
    '58 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
    '4 link_broken: Row 4 does not match the hash of the previous row.',
  ],
  'the link': [
    '59 rows hold, anchored until row 0',
    '3 link_broken: Row 3 does not match the hash of the previous row.',
  ],
  'a hash cut short': [
    '58 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
    '4 link_broken: Row 4 does not match the hash of the previous row.',
  ],
  'the first row deleted': ['58 rows hold, anchored until row 0', '1 row_missing: Row 1 is missing.'],
  'the first rows deleted and the rest renumbered': [
    '0 rows hold, anchored until row 0',
    '1 link_broken: Row 1 does not match the hash of the previous row.',
    '2 row_changed: Row 2 was changed after it was written.',
    '3 row_changed: Row 3 was changed after it was written.',
    '20 in all',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'a row in the middle deleted': [
    '58 rows hold, anchored until row 20',
    '30 row_missing: Row 30 is missing.',
    '61 event_unrecorded: Event evt_org_aaaa_30 has no audit row: it was not written by this service.',
  ],
  'a row deleted and the suffix renumbered and recomputed': [
    '59 rows hold, anchored until row 40',
    '60 tail_missing: The chain should reach row 60 and ends at 59.',
    '60 head_changed: The head names another hash than the last row has.',
  ],
  'a range deleted': [
    '55 rows hold, anchored until row 0',
    '10 row_missing: Row 10 to 13 is missing.',
    '61 event_unrecorded: Event evt_org_aaaa_10 has no audit row: it was not written by this service.',
  ],
  'the last row deleted': [
    '59 rows hold, anchored until row 40',
    '60 tail_missing: The chain should reach row 60 and ends at 59.',
    '60 head_changed: The head names another hash than the last row has.',
    '61 event_unrecorded: Event evt_org_aaaa_60 has no audit row: it was not written by this service.',
  ],
  'the tail deleted and the head set back without its seal': [
    '50 rows hold, anchored until row 40',
    '50 head_changed: The head of the chain was not written by this service.',
    '51 event_unrecorded: Event evt_org_aaaa_52 has no audit row: it was not written by this service.',
  ],
  'all rows deleted': [
    '0 rows hold, anchored until row 0',
    '1 tail_missing: The chain should reach row 60 and ends at 0.',
    '60 head_changed: The head names another hash than the last row has.',
    '61 event_unrecorded: Event evt_org_aaaa_10 has no audit row: it was not written by this service.',
  ],
  'the whole chain deleted from the database': [
    '0 rows hold, anchored until row 0',
    '1 tail_missing: Checkpoint 1 covers row 20, but the chain ends at row 0.',
    '1 tail_missing: Checkpoint 2 covers row 40, but the chain ends at row 0.',
    '40 checkpoint_missing: Checkpoint 2 is missing from the database.',
    '1 event_unrecorded: Event evt_org_aaaa_10 has no audit row: it was not written by this service.',
    'checkpoint 1 of row 20: invalid, in file',
    'checkpoint 2 of row 40: invalid, in file',
    'Checkpoint 1 over row 20 is only in the file.',
  ],
  'two neighbours swapped': [
    '57 rows hold, anchored until row 0',
    '12 link_broken: Row 12 does not match the hash of the previous row.',
    '13 link_broken: Row 13 does not match the hash of the previous row.',
    '14 link_broken: Row 14 does not match the hash of the previous row.',
  ],
  'two far rows swapped': [
    '56 rows hold, anchored until row 0',
    '5 link_broken: Row 5 does not match the hash of the previous row.',
    '6 link_broken: Row 6 does not match the hash of the previous row.',
    '55 link_broken: Row 55 does not match the hash of the previous row.',
    '56 link_broken: Row 56 does not match the hash of the previous row.',
  ],
  'two rows swapped and the suffix recomputed': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_mismatch: Checkpoint 1 was signed for a different row 20.',
    '40 checkpoint_mismatch: Checkpoint 2 was signed for a different row 40.',
    '60 head_changed: The head names another hash than the last row has.',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'a range rotated': [
    '55 rows hold, anchored until row 0',
    '20 link_broken: Row 20 does not match the hash of the previous row.',
    '20 checkpoint_mismatch: Checkpoint 1 was signed for a different row 20.',
    '21 link_broken: Row 21 does not match the hash of the previous row.',
    '22 row_changed: Row 22 was changed after it was written.',
    '23 row_changed: Row 23 was changed after it was written.',
    '24 link_broken: Row 24 does not match the hash of the previous row.',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: valid, in database+file',
  ],
  'a row doubled under its number': [
    '60 rows hold, anchored until row 0',
    '60 row_unexpected: There are 61 rows in a chain of 60.',
    '9 row_unexpected: Row 9 was found instead of row 10.',
  ],
  'a row doubled at the border of a page': [
    '60 rows hold, anchored until row 40',
    '60 row_unexpected: There are 61 rows in a chain of 60.',
    '60 row_unexpected: Row 60 was found instead of row 61.',
  ],
  'an old row replayed at the tail': [
    '60 rows hold, anchored until row 40',
    '61 row_unexpected: The chain ends at row 60; there are rows after it.',
  ],
  'a forged row after the tail, well linked': [
    '60 rows hold, anchored until row 40',
    '61 row_unexpected: The chain ends at row 60; there are rows after it.',
  ],
  'a forged row in the middle': [
    '29 rows hold, anchored until row 20',
    '61 row_unexpected: The chain ends at row 60; there are rows after it.',
    '30 link_broken: Row 30 does not match the hash of the previous row.',
    '31 row_changed: Row 31 was changed after it was written.',
    '20 in all',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'a forged row before the first': [
    '59 rows hold, anchored until row 0',
    '0 row_unexpected: Row 0 precedes the first row.',
    '60 row_unexpected: There are 61 rows in a chain of 60.',
    '0 row_unexpected: Row 0 was found instead of row 1.',
    '1 link_broken: Row 1 does not match the hash of the previous row.',
  ],
  'another first row': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_mismatch: Checkpoint 1 was signed for a different row 20.',
    '40 checkpoint_mismatch: Checkpoint 2 was signed for a different row 40.',
    '60 head_changed: The head names another hash than the last row has.',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'a first row that names another before it': [
    '59 rows hold, anchored until row 0',
    '1 link_broken: Row 1 does not match the hash of the previous row.',
  ],
  'a fork: two rows after the same one': [
    '60 rows hold, anchored until row 20',
    '60 row_unexpected: There are 61 rows in a chain of 60.',
    '31 row_unexpected: Row 31 was found instead of row 32.',
  ],
  'an old copy of the rows': [
    '30 rows hold, anchored until row 20',
    '31 tail_missing: The chain should reach row 60 and ends at 30.',
    '60 head_changed: The head names another hash than the last row has.',
    '61 event_unrecorded: Event evt_org_aaaa_32 has no audit row: it was not written by this service.',
  ],
  'an order of names that is not canonical': [
    '59 rows hold, anchored until row 0',
    '4 row_changed: Row 4 was changed after it was written.',
  ],
  'a space in the data': [
    '59 rows hold, anchored until row 0',
    '4 row_changed: Row 4 was changed after it was written.',
  ],
  'another Unicode form': [
    '59 rows hold, anchored until row 0',
    '3 row_changed: Row 3 was changed after it was written.',
  ],
  'a field added to the data': [
    '59 rows hold, anchored until row 0',
    '4 row_changed: Row 4 was changed after it was written.',
  ],
  'a letter moved from one field to the next': [
    '59 rows hold, anchored until row 0',
    '4 row_changed: Row 4 was changed after it was written.',
    '61 event_unrecorded: Event evt_org_aaaa_4 has no audit row: it was not written by this service.',
  ],
  'the head deleted': [
    '60 rows hold, anchored until row 40',
    '60 head_changed: The head of the chain is missing.',
  ],
  "another chain's head": [
    '10 rows hold, anchored until row 0',
    '10 head_changed: The head of the chain was not written by this service.',
    '11 row_unexpected: The chain ends at row 10; there are rows after it.',
    '11 tail_missing: Checkpoint 1 covers row 20, but the chain ends at row 10.',
    '11 tail_missing: Checkpoint 2 covers row 40, but the chain ends at row 10.',
    '10 head_changed: The head names another hash than the last row has.',
    'checkpoint 1 of row 20: invalid, in database+file',
    'checkpoint 2 of row 40: invalid, in database+file',
  ],
  'a checkpoint without signature': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_missing: Checkpoint 1 is missing from the file.',
    '20 checkpoint_forged: Checkpoint 1 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: invalid, in database',
    'checkpoint 1 of row 20: valid, in file',
    'checkpoint 2 of row 40: valid, in database+file',
    'Checkpoint 1 over row 20 is only in the file.',
  ],
  'a checkpoint signed with another key': [
    '60 rows hold, anchored until row 20',
    '40 checkpoint_missing: Checkpoint 2 is missing from the file.',
    '40 checkpoint_forged: Checkpoint 2 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: invalid, in database',
    'checkpoint 2 of row 40: valid, in file',
    'Checkpoint 2 over row 40 is only in the file.',
  ],
  'a checkpoint with another spelling of its signature': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_missing: Checkpoint 1 is missing from the file.',
    '20 checkpoint_forged: Checkpoint 1 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: invalid, in database',
    'checkpoint 1 of row 20: valid, in file',
    'checkpoint 2 of row 40: valid, in database+file',
    'Checkpoint 1 over row 20 is only in the file.',
  ],
  'a checkpoint that names another row': [
    '60 rows hold, anchored until row 20',
    '39 checkpoint_missing: Checkpoint 2 is missing from the file.',
    '39 checkpoint_forged: Checkpoint 2 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 39: invalid, in database',
    'checkpoint 2 of row 40: valid, in file',
    'Checkpoint 2 over row 40 is only in the file.',
  ],
  'an old checkpoint under a new number': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_missing: Checkpoint 3 is missing from the file.',
    '20 checkpoint_forged: Checkpoint 3 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: valid, in database+file',
    'checkpoint 3 of row 20: invalid, in database',
  ],
  "another chain's checkpoint": [
    '60 rows hold, anchored until row 0',
    '10 checkpoint_missing: Checkpoint 3 is missing from the file.',
    '10 checkpoint_forged: Checkpoint 3 was not signed by this service, or was changed.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: valid, in database+file',
    'checkpoint 3 of row 10: invalid, in database',
  ],
  'the first checkpoint taken out of the database': [
    '60 rows hold, anchored until row 40',
    '60 checkpoint_missing: Checkpoint 1 is missing from the database.',
    'checkpoint 1 of row 20: valid, in file',
    'checkpoint 2 of row 40: valid, in database+file',
    'Checkpoint 1 over row 20 is only in the file.',
  ],
  'all checkpoints taken out of the database': [
    '60 rows hold, anchored until row 20',
    '40 checkpoint_missing: Checkpoint 2 is missing from the database.',
    'checkpoint 1 of row 20: valid, in file',
    'checkpoint 2 of row 40: valid, in file',
    'Checkpoint 1 over row 20 is only in the file.',
  ],
  'the last checkpoint taken out of the file': [
    '60 rows hold, anchored until row 20',
    '40 checkpoint_missing: Checkpoint 2 is missing from the file.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: valid, in database',
  ],
  'an old copy of the file': [
    '60 rows hold, anchored until row 20',
    '40 checkpoint_missing: Checkpoint 2 is missing from the file.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: valid, in database',
  ],
  'an old checkpoint replayed in the file': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_replayed: Checkpoint 1 occurs in the file again, after newer ones.',
  ],
  'a checkpoint line with another algorithm': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_missing: Checkpoint 1 is missing from the file.',
    'checkpoint 1 of row 20: valid, in database',
    'checkpoint 2 of row 40: valid, in database+file',
    'Line 2 of the checkpoint file is invalid.',
  ],
  'a checkpoint line with a member more': [
    '60 rows hold, anchored until row 0',
    '20 checkpoint_missing: Checkpoint 1 is missing from the file.',
    'checkpoint 1 of row 20: valid, in database',
    'checkpoint 2 of row 40: valid, in database+file',
    'Line 2 of the checkpoint file is invalid.',
  ],
  'a checkpoint from another file': [
    '60 rows hold, anchored until row 20',
    '40 checkpoint_mismatch: Checkpoint 3 was signed for a different row 40.',
    '40 checkpoint_replayed: Checkpoint 3 was written to a different file.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: valid, in database+file',
    'checkpoint 3 of row 40: invalid, in file',
  ],
  'rows, head and checkpoints set back to an old copy': [
    '20 rows hold, anchored until row 20',
    '21 tail_missing: Checkpoint 2 covers row 40, but the chain ends at row 20.',
    '21 event_unrecorded: Event evt_org_aaaa_22 has no audit row: it was not written by this service.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: invalid, in file',
    'Checkpoint 2 over row 40 is only in the file.',
  ],
  'rows and head set back to just before the row that a checkpoint vouches for': [
    '39 rows hold, anchored until row 20',
    '40 tail_missing: Checkpoint 2 covers row 40, but the chain ends at row 39.',
    '40 event_unrecorded: Event evt_org_aaaa_40 has no audit row: it was not written by this service.',
    'checkpoint 1 of row 20: valid, in database+file',
    'checkpoint 2 of row 40: invalid, in file',
    'Checkpoint 2 over row 40 is only in the file.',
  ],
};
