import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readPublicFunctions } from '../../support/readings/public-functions.ts';

expectRecorded('public-functions', readPublicFunctions);
