import { testRounds } from '../support/crash/test-rounds.ts';

testRounds('postgres');
