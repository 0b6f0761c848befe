/**
 * The bridge into the window: the calls of `BRIDGE_CALLS` by name, and what main tells. Runs sandboxed, in a world of
 * its own; hands the page no part of Electron.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CALLS, type BridgeReply, type Told, type WindowBridge } from '../bridge/window-bridge.ts';

const bridge: WindowBridge = {
  async ask(call, params): Promise<BridgeReply> {
    if (!BRIDGE_CALLS.includes(call)) return { ok: false, sentence: 'The app knows no such call.' };
    return await ipcRenderer.invoke('csg:ask', call, params);
  },
  onTold(listener) {
    const hear = (_event: unknown, told: Told): void => listener(told);
    ipcRenderer.on('csg:told', hear);
    return () => void ipcRenderer.off('csg:told', hear);
  },
};

contextBridge.exposeInMainWorld('agent', bridge);
