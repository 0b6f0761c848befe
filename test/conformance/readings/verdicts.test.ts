import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readVerdicts } from '../../support/readings/verdicts.ts';

expectRecorded('verdicts', readVerdicts);
