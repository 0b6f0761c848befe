import { THEME_TOKENS } from '@csg/shared/theme';
import { escapeXml, picture } from '../charts/picture.ts';

/** What `--cpu-prof` writes, as far as it is read here (Chrome DevTools protocol, Profiler.Profile). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

interface Frame {
  readonly name: string;
  /** Microseconds of this function and of all that it called. */
  time: number;
  readonly callees: Map<string, Frame>;
}

const WIDTH = 1_200;
const ROW = 17;
const TOP = 40;
/** Frames under this part of the whole are not drawn. */
const LEAST = 0.002;
const LETTER = 6.2;
/** Not work: waiting, and the profiler's own. */
const NO_WORK = new Set(['(idle)', '(root)']);

/** Who called whom and how much processor time it took, widest first, from the second half of a profile on. */
export function drawFlames(title: string, profile: CpuProfile): string {
  const root = gather(profile);
  const parts: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number): void => {
    const width = (frame.time / root.time) * WIDTH;
    if (frame.time < root.time * LEAST) return;
    deepest = Math.max(deepest, depth);
    const y = TOP + depth * ROW;
    const share = ((frame.time / root.time) * 100).toFixed(1);
    const label = frame.name.slice(0, Math.max(0, Math.floor((width - 4) / LETTER)));
    parts.push(
      `<g><title>${escapeXml(frame.name)} ${share} %</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colorOf(frame.name)}"/>${
        label.length < 4 ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escapeXml(label)}</text>`
      }</g>`,
    );
    let at = x;
    for (const callee of byTime(frame)) {
      draw(callee, at, depth + 1);
      at += (callee.time / root.time) * WIDTH;
    }
  };
  let at = 0;
  for (const frame of byTime(root)) {
    draw(frame, at, 0);
    at += (frame.time / root.time) * WIDTH;
  }
  return picture(title, WIDTH, TOP + (deepest + 1) * ROW + 8, [
    `<text x="0" y="20" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    `<g font-size="11" fill="#101820">`,
    ...parts,
    '</g>',
  ]);
}

function gather({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const root: Frame = { name: 'all', time: 0, callees: new Map() };
  const paths = new Map<number, readonly Frame[]>();
  const pathOf = (id: number): readonly Frame[] => {
    const known = paths.get(id);
    if (known !== undefined) return known;
    const parent = parents.get(id);
    const above = parent === undefined ? [root] : pathOf(parent);
    const name = nameOf(byId.get(id)!.callFrame);
    let path = above;
    if (!NO_WORK.has(name)) {
      const caller = above.at(-1)!;
      const frame = caller.callees.get(name) ?? { name, time: 0, callees: new Map() };
      caller.callees.set(name, frame);
      path = [...above, frame];
    }
    paths.set(id, path);
    return path;
  };
  for (let i = Math.floor(samples.length / 2); i < samples.length; i++) {
    const id = samples[i]!;
    if (NO_WORK.has(nameOf(byId.get(id)!.callFrame))) continue;
    for (const frame of pathOf(id)) frame.time += timeDeltas[i]!;
  }
  return root;
}

/** The function, and the package or the folder of ours that it is in. */
function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  const place =
    /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
    /(?:apps\/cloud\/src|apps\/desktop\/src|shared)\/(.+)$/.exec(url)?.[1] ??
    /^node:.*/.exec(url)?.[0];
  return place === undefined ? name : `${name} ${place}:${lineNumber + 1}`;
}

function byTime(frame: Frame): Frame[] {
  return [...frame.callees.values()].sort((a, b) => b.time - a.time);
}

const { harbor } = THEME_TOKENS.colors;
/** Ours, packages, Node and the engine below. */
function colorOf(name: string): string {
  if (/ node:/.test(name)) return '#d8dde3';
  if (/ (detection|text|providers)\//.test(name)) return '#e9b872';
  if (/\.ts:\d+$/.test(name)) return harbor[3];
  return / /.test(name) ? '#9fcf9f' : '#e3e3e3';
}
