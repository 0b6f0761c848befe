import { expectRecorded } from '../../support/readings/expect-recorded.ts';
import { readConversations } from '../../support/readings/read-detection.ts';

expectRecorded('conversations', readConversations);
