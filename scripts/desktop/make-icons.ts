/**
 * `node scripts/bootstrap.mjs scripts/desktop/make-icons.ts`: renders the images of build/icons from their SVG with
 * Chromium. Run by hand after a change; the results are committed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findTool } from '../system-tools.ts';
import { BUILD_DIR, ensurePackagingTools } from './packaging-tools.ts';

const ICONS = path.join(BUILD_DIR, 'icons');
const LINUX_SIZES = [16, 32, 48, 64, 128, 256, 512];
const MAC_TYPES = { ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 } as const;
/** Size of the tray icon, in pixels at scale 1. */
const TRAY_SIZE = 22;

interface Ico {
  addFromPng(png: Uint8Array, asPng: boolean | null, raw: boolean): Promise<void>;
  encode(): Uint8Array;
}
interface Icns {
  addFromPng(png: Uint8Array, types: readonly string[], raw: boolean): Promise<void>;
  encode(): Uint8Array;
}

async function draw(page: Page, file: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  const svg = readFileSync(file, 'utf8').replace('<svg ', `<svg width="${size}" height="${size}" `);
  await page.setContent(`<style>*{margin:0}svg{display:block}</style>${svg}`);
  return await page.screenshot({ omitBackground: true });
}

if (import.meta.main) {
  ensurePackagingTools();
  const { IconIco, IconIcns } = createRequire(path.join(BUILD_DIR, 'package.json'))(
    '@shockpkg/icon-encoder',
  ) as {
    IconIco: new () => Ico;
    IconIcns: new () => Icns;
  };
  const executablePath = findTool('browser');
  if (executablePath === undefined) throw new Error('Drawing the icons needs Chromium, which was not found.');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const app = path.join(ICONS, 'app.svg');
  const drawn = new Map<number, Buffer>();
  for (const size of [...LINUX_SIZES, 1024]) drawn.set(size, await draw(page, app, size));
  for (const size of LINUX_SIZES) writeFileSync(path.join(ICONS, `${size}x${size}.png`), drawn.get(size)!);
  const ico = new IconIco();
  for (const size of [256, 64, 48, 32, 16]) await ico.addFromPng(drawn.get(size)!, null, false);
  writeFileSync(path.join(ICONS, 'icon.ico'), ico.encode());
  const icns = new IconIcns();
  for (const [type, size] of Object.entries(MAC_TYPES))
    await icns.addFromPng(drawn.get(size)!, [type], false);
  writeFileSync(path.join(ICONS, 'icon.icns'), icns.encode());
  const tray = path.join(ICONS, 'tray');
  for (const name of readdirSync(tray).filter((file) => file.endsWith('.svg'))) {
    const file = path.join(tray, name);
    const base = file.slice(0, -'.svg'.length);
    writeFileSync(`${base}.png`, await draw(page, file, TRAY_SIZE));
    writeFileSync(`${base}@2x.png`, await draw(page, file, 2 * TRAY_SIZE));
  }
  await browser.close();
}
