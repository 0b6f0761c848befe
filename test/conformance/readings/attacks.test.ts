import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readAttackTexts } from '../../support/readings/read-detection.ts';

expectRecorded('attacks', readAttackTexts);
