import type { Readings } from './compare-readings.ts';
import { readEntryPoints } from './entry-points.ts';
import { readMcp } from './mcp-readings.ts';
import { readPieces } from './pieces.ts';
import { readProviderBodies } from './provider-bodies.ts';
import { readPublicFunctions } from './public-functions.ts';
import { readAttackTexts, readConversations, readValues } from './read-detection.ts';
import { readVerdicts } from './verdicts.ts';

/** The recorded readings in `test/golden/readings`, by file. */
export const READINGS: Readonly<Record<string, () => Readings | Promise<Readings>>> = {
  values: readValues,
  attacks: readAttackTexts,
  conversations: readConversations,
  pieces: readPieces,
  verdicts: readVerdicts,
  'public-functions': readPublicFunctions,
  bodies: readProviderBodies,
  'entry-points': readEntryPoints,
  mcp: readMcp,
};
