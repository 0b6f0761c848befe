const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const PLAIN_LINE_MS = 10_000;

/**
 * Shows one step on standard error: an animated line on a terminal, otherwise a plain line every ten seconds.
 * @param {string} label the current step, such as `Installing packages`
 * @param {() => string} detail its progress, called at every redraw
 */
export function startProgress(label, detail = () => '') {
  const out = process.stderr;
  const startedMs = Date.now();
  let frame = 0;
  const text = () =>
    [label, detail(), `${Math.round((Date.now() - startedMs) / 1000)} s`].filter(Boolean).join('  ');
  const draw = () => {
    if (out.isTTY) out.write(`\r\u001b[2K${FRAMES[frame++ % FRAMES.length]} ${text()}`);
    else out.write(`  ${text()}\n`);
  };
  if (out.isTTY) draw();
  else out.write(`${label} …\n`);
  const timer = setInterval(draw, out.isTTY ? FRAME_MS : PLAIN_LINE_MS);
  /** @param {string} mark */
  const end = (mark) => {
    clearInterval(timer);
    out.write(`${out.isTTY ? '\r\u001b[2K' : ''}${mark} ${text()}\n`);
  };
  return { succeed: () => end('✓'), fail: () => end('✗') };
}
