import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readProviderBodies } from '../../support/readings/provider-bodies.ts';

expectRecorded('bodies', readProviderBodies);
