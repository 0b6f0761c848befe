import { readEntryPoints } from '../../support/readings/entry-points.ts';
import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readMcp } from '../../support/readings/mcp-readings.ts';

expectRecorded('entry-points', readEntryPoints);
expectRecorded('mcp', readMcp);
