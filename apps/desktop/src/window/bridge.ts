import type { BridgeAnswers, BridgeCall, BridgeParams, WindowBridge } from '../bridge/window-bridge.ts';

declare global {
  interface Window {
    /** Put there by preload. */
    readonly agent: WindowBridge;
  }
}

/** Asks the app. Rejects with the sentence that a person is to read. */
export async function ask<Call extends BridgeCall>(
  call: Call,
  ...[params]: BridgeParams[Call] extends null ? [] : [BridgeParams[Call]]
): Promise<BridgeAnswers[Call]> {
  const reply = await window.agent.ask(call, params ?? null);
  if (reply.ok) return reply.value as BridgeAnswers[Call];
  throw new Error(reply.sentence);
}
