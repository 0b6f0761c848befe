import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  SUPERVISOR_DEFAULTS as DEFAULTS,
  SUPERVISOR_START,
  type SupervisorInput,
  type SupervisorOutput,
  type SupervisorState,
  superviseStep,
} from '../../../apps/desktop/src/supervisor/machine.ts';

/** Feeds events to the machine, with a clock moved manually. */
function machine() {
  let state: SupervisorState = SUPERVISOR_START;
  let nowMs = 1_000;
  const feed = (input: SupervisorInput): string[] => {
    const step = superviseStep(state, input, nowMs, DEFAULTS);
    state = step.state;
    return step.outputs.map(({ type }) => type);
  };
  return {
    feed,
    get state() {
      return state;
    },
    /** Advances to the moment something is due. */
    wake(): string[] {
      assert.notEqual(state.wakeAtMs, null, 'nothing is due');
      nowMs = state.wakeAtMs!;
      return feed({ type: 'tick' });
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    protect(): void {
      feed({ type: 'ready', port: 4711 });
      feed({ type: 'probe-passed' });
    },
  };
}

test('the computer is directed to a proxy only after a successful probe', () => {
  const m = machine();
  assert.deepEqual(m.feed({ type: 'start' }), ['start']);
  assert.deepEqual(m.feed({ type: 'ready', port: 4711 }), ['probe']);
  assert.equal(m.state.protects, false);
  assert.deepEqual(m.feed({ type: 'probe-passed' }), ['protect', 'report']);
  assert.deepEqual([m.state.name, m.state.protects], ['quiet', true]);
});

test('a crash restores the settings first, and the restart waits', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  assert.deepEqual(m.feed({ type: 'exited', reason: 'SIGKILL' }), ['release', 'report']);
  assert.deepEqual([m.state.name, m.state.restarts], ['retrying', 0]);
  assert.equal(m.state.wakeAtMs, 1_000 + DEFAULTS.firstPauseMs);
  assert.deepEqual(m.wake(), ['start', 'report']);
  assert.equal(m.state.restarts, 1);
  m.protect();
  assert.equal(m.state.name, 'quiet');
});

test('a probe without a response is a hang: settings restored, then the kill, within five seconds', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  const startMs = m.state.nowMs;
  assert.deepEqual(m.wake(), ['probe']);
  assert.deepEqual(m.wake(), ['release', 'kill', 'report']);
  assert.ok(m.state.nowMs - startMs < 5_000, `${m.state.nowMs - startMs} ms`);
});

test('a late timer means that the agent stalled, not the proxy', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  m.wake();
  m.pass(DEFAULTS.probeTimeoutMs + 3_000);
  assert.deepEqual(m.feed({ type: 'tick' }), ['probe']);
  assert.deepEqual(m.feed({ type: 'probe-passed' }), []);
  m.wake();
  assert.deepEqual(m.wake(), ['release', 'kill', 'report']);
});

test('a probe does not move the next wake-up', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  m.wake();
  const { wakeAtMs } = m.state;
  m.pass(3);
  m.feed({ type: 'probe-passed' });
  assert.equal(m.state.wakeAtMs, wakeAtMs, 'one timer serves both');
});

test('one slow probe is not a hang', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  m.wake();
  m.feed({ type: 'probe-failed', reason: 'slow' });
  assert.deepEqual(m.feed({ type: 'probe-passed' }), []);
  assert.equal(m.state.failures, 0);
});

test('pauses grow, the budget runs out, and a user can retry', () => {
  const m = machine();
  m.feed({ type: 'start' });
  const pauses: number[] = [];
  let last: string[] = [];
  for (let i = 0; i <= DEFAULTS.budget; i++) {
    last = m.feed({ type: 'exited', reason: 'again' });
    if (m.state.phase !== 'pausing') break;
    pauses.push(m.state.wakeAtMs! - m.state.nowMs);
    m.wake();
  }
  assert.deepEqual(pauses, [250, 500, 1_000, 2_000, 4_000]);
  assert.deepEqual([m.state.name, m.state.restarts], ['gave_up', 5]);
  assert.deepEqual(last, ['report']);
  assert.equal(m.state.wakeAtMs, null);
  assert.deepEqual(m.feed({ type: 'tick' }), []);
  assert.deepEqual(m.feed({ type: 'try-again' }), ['start']);
  m.protect();
  assert.equal(m.state.name, 'quiet');
});

test('old restarts no longer count', () => {
  const m = machine();
  m.feed({ type: 'start' });
  for (let i = 0; i < 20; i++) {
    m.protect();
    m.pass(DEFAULTS.budgetWindowMs + 1);
    m.feed({ type: 'exited', reason: 'now and then' });
    assert.equal(m.state.name, 'retrying');
    m.wake();
  }
});

test('a process that never gets ready is killed', () => {
  const m = machine();
  m.feed({ type: 'start' });
  assert.deepEqual(m.wake(), ['kill', 'report']);
});

test('stop restores the settings and ends the proxy', () => {
  const m = machine();
  m.feed({ type: 'start' });
  m.protect();
  assert.deepEqual(m.feed({ type: 'stop' }), ['release', 'end']);
  assert.deepEqual(m.feed({ type: 'exited', reason: 'told to' }), []);
  assert.equal(m.state.wakeAtMs, null);
});

const inputs: fc.Arbitrary<SupervisorInput> = fc.oneof(
  fc.constantFrom<SupervisorInput>(
    { type: 'start' },
    { type: 'ready', port: 1 },
    { type: 'exited', reason: 'x' },
    { type: 'probe-passed' },
    { type: 'probe-failed', reason: 'x' },
    { type: 'tick' },
    { type: 'try-again' },
    { type: 'stop' },
  ),
);

test('in any order of events, with clock jumps, the promises hold', () => {
  const history = fc.array(fc.tuple(inputs, fc.integer({ min: -10_000, max: 60_000 })), { maxLength: 200 });
  fc.assert(
    fc.property(history, (events) => {
      let state = SUPERVISOR_START;
      let nowMs = 0;
      let pointsAtProxy = false;
      let alive = false;
      for (const [input, ms] of events) {
        nowMs += ms;
        if (input.type === 'exited') alive = false;
        const step = superviseStep(state, input, nowMs, DEFAULTS);
        for (const output of step.outputs as SupervisorOutput[]) {
          if (output.type === 'start') {
            assert.ok(!alive || input.type === 'exited', 'never two processes');
            alive = true;
          }
          if (output.type === 'kill' || output.type === 'end') {
            assert.ok(!pointsAtProxy, 'settings first');
            alive = false;
          }
          if (output.type === 'protect') pointsAtProxy = true;
          if (output.type === 'release') pointsAtProxy = false;
        }
        state = step.state;
        assert.equal(state.protects, pointsAtProxy);
        if (state.name === 'gave_up' || state.phase === 'stopped') assert.ok(!pointsAtProxy);
        const isWaiting = ['idle', 'gave_up', 'stopped'].includes(state.phase);
        assert.equal(state.wakeAtMs === null, isWaiting, `${state.phase} has a timer`);
      }
    }),
    { seed: 7, numRuns: 500 },
  );
});
