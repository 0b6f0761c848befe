/** What is under way when a process is killed, and what is asked once it is back. */
import { attackCall, batchCall, createCall, keyOf, plainCall, revokeCall, rotateCall } from './calls.ts';
import type { FlowName, Point } from './points.ts';
import type { World } from './world.ts';

export interface Round {
  readonly point: Point;
  /** Of what is done in this round alone. */
  readonly mark: string;
  readonly random: () => number;
  /** For points that come when the client has been told. */
  readonly kill: () => void;
}

interface Flow {
  /** Before the point is armed. */
  prepare?(world: World, round: Round): Promise<void>;
  act(world: World, round: Round): Promise<void>;
  /** Once everything runs again and every lease is over: resolves when all that was begun has ended. */
  finish?(world: World, round: Round): Promise<void>;
}

const PAGES_OF_A_BATCH = 3;
const MAX_DECISIONS = 5;

/** The key that is rotated or revoked, by the round's mark. */
const keyIds = new WeakMap<World, Map<string, string>>();

export const FLOW: Readonly<Record<FlowName, Flow>> = {
  request: {
    async act(world, { mark, random }) {
      await world.sendTapped(plainCall(mark, random() < 0.5));
    },
  },
  delivery: {
    async act(world, { point, mark, random }) {
      world.refuse(point.isRefused === true);
      await world.sendTapped(attackCall(mark, random));
    },
  },
  batch: {
    async act(world, { point, mark, kill }) {
      const urls = Array.from({ length: PAGES_OF_A_BATCH }, (_, n) => `${world.taps.site.url}/${mark}${n}`);
      await world.sendTapped(batchCall(mark, urls));
      if (point.moment === 'told') kill();
    },
  },
  upload: {
    async act(world, { mark, random }) {
      const count = 1 + Math.floor(random() * MAX_DECISIONS);
      world.device().decide(Array.from({ length: count }, (_, n) => `evt_${mark}${n}`));
    },
    finish: (world) => world.device().drained(),
  },
  key: {
    async prepare(world, { point, mark }) {
      if (point.change === 'create') return;
      const made = await world.send(createCall(`${mark}before-`));
      const ids = keyIds.get(world) ?? new Map<string, string>();
      keyIds.set(world, ids.set(mark, keyOf(made).id));
    },
    async act(world, { point, mark, random, kill }) {
      const keyId = keyIds.get(world)?.get(mark) ?? '';
      await world.sendTapped(
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
