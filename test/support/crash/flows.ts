/** The work in progress when a process is killed, and the requests after its restart. */
import { attackCall, batchCall, createCall, keyOf, plainCall, revokeCall, rotateCall } from './calls.ts';
import type { FlowName, Point } from './points.ts';
import type { TestEnv } from './test-env.ts';

export interface Round {
  readonly point: Point;
  /** Identifies the work of this round. */
  readonly mark: string;
  readonly random: () => number;
  /** For points that come after the client has its response. */
  readonly kill: () => void;
}

interface Flow {
  /** Runs before the point is armed. */
  prepare?(testEnv: TestEnv, round: Round): Promise<void>;
  act(testEnv: TestEnv, round: Round): Promise<void>;
  /** Runs once everything is up again and all leases have expired: resolves when all started work has ended. */
  finish?(testEnv: TestEnv, round: Round): Promise<void>;
}

const PAGES_OF_A_BATCH = 3;
const MAX_DECISIONS = 5;

/** Ids of the keys that are rotated or revoked, by the round's mark. */
const keyIds = new WeakMap<TestEnv, Map<string, string>>();

export const FLOW: Readonly<Record<FlowName, Flow>> = {
  request: {
    async act(testEnv, { mark, random }) {
      await testEnv.sendTapped(plainCall(mark, random() < 0.5));
    },
  },
  delivery: {
    async act(testEnv, { point, mark, random }) {
      testEnv.refuse(point.isRefused === true);
      await testEnv.sendTapped(attackCall(mark, random));
    },
  },
  batch: {
    async act(testEnv, { point, mark, kill }) {
      const urls = Array.from({ length: PAGES_OF_A_BATCH }, (_, n) => `${testEnv.taps.site.url}/${mark}${n}`);
      await testEnv.sendTapped(batchCall(mark, urls));
      if (point.moment === 'told') kill();
    },
  },
  upload: {
    async act(testEnv, { mark, random }) {
      const count = 1 + Math.floor(random() * MAX_DECISIONS);
      testEnv.device().decide(Array.from({ length: count }, (_, n) => `evt_${mark}${n}`));
    },
    finish: (testEnv) => testEnv.device().drained(),
  },
  key: {
    async prepare(testEnv, { point, mark }) {
      if (point.change === 'create') return;
      const made = await testEnv.send(createCall(`${mark}before-`));
      const ids = keyIds.get(testEnv) ?? new Map<string, string>();
      keyIds.set(testEnv, ids.set(mark, keyOf(made).id));
    },
    async act(testEnv, { point, mark, random, kill }) {
      const keyId = keyIds.get(testEnv)?.get(mark) ?? '';
      await testEnv.sendTapped(
        point.change === 'create'
          ? createCall(mark)
          : point.change === 'rotate'
            ? rotateCall(mark, keyId)
            : revokeCall(mark, keyId, random() < 0.5),
      );
      if (point.moment === 'told') kill();
    },
  },
};
