import type { Readings } from './compare-readings.ts';
import { readDoors } from './doors.ts';
import { readEntryPoints } from './entry-points.ts';
import { readMcp } from './mcp-readings.ts';
import { readPieces } from './pieces.ts';
import { readProviderBodies } from './provider-bodies.ts';
import { readAttackTexts, readConversations, readValues } from './read-detection.ts';
import { readVerdicts } from './verdicts.ts';

/** The recorded readings in `test/golden/readings`, by file. */
export const READINGS: Readonly<Record<string, () => Readings | Promise<Readings>>> = {
  values: readValues,
  attacks: readAttackTexts,
  conversations: readConversations,
  pieces: readPieces,
  verdicts: readVerdicts,
  doors: readDoors,
  bodies: readProviderBodies,
  'entry-points': readEntryPoints,
  mcp: readMcp,
};
