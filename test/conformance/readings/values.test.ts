import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readValues } from '../../support/readings/read-detection.ts';

expectRecorded('values', readValues);
