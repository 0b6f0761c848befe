import type { BridgeResults, BridgeCall, BridgeParams, WindowBridge } from '../bridge/window-bridge.ts';

declare global {
  interface Window {
    /** Put there by preload. */
    readonly agent: WindowBridge;
  }
}

/** Asks the app. Rejects with the sentence that a person is to read. */
export async function invoke<Call extends BridgeCall>(
  call: Call,
  ...[params]: BridgeParams[Call] extends null ? [] : [BridgeParams[Call]]
): Promise<BridgeResults[Call]> {
  const reply = await window.agent.invoke(call, params ?? null);
  if (reply.ok) return reply.value as BridgeResults[Call];
  throw new Error(reply.message);
}
