import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readPieces } from '../../support/readings/pieces.ts';

expectRecorded('pieces', readPieces);
