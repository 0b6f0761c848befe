/**
 * The bridge into the window: the calls of `BRIDGE_CALLS` by name, and what main tells. Runs sandboxed, in a world of
 * its own; hands the page no part of Electron.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CALLS, type BridgeReply, type BridgeEvent, type WindowBridge } from '../bridge/window-bridge.ts';

const bridge: WindowBridge = {
  async invoke(call, params): Promise<BridgeReply> {
    if (!BRIDGE_CALLS.includes(call)) return { ok: false, message: 'The app knows no such call.' };
    return await ipcRenderer.invoke('csg:invoke', call, params);
  },
  onEvent(listener) {
    const onMessage = (_event: unknown, bridgeEvent: BridgeEvent): void => listener(bridgeEvent);
    ipcRenderer.on('csg:event', onMessage);
    return () => void ipcRenderer.off('csg:event', onMessage);
  },
};

contextBridge.exposeInMainWorld('agent', bridge);
