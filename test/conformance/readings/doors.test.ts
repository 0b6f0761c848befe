import { readDoors } from '../../support/readings/doors.ts';
import { expectRecorded } from '../../support/readings/expect-recorded.ts';

expectRecorded('doors', readDoors);
