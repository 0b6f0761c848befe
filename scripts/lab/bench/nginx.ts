import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { hasCommand, type StartedProcess, startProcess, TARGET_CORE } from './start-process.ts';

export const HAS_NGINX = hasCommand('nginx', ['-v']);

/** One process without a master, upstream connections kept open, nothing logged. */
function configOf(port: number, providerUrl: string): string {
  return `daemon off; master_process off; pid nginx.pid; error_log stderr notice;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  client_body_buffer_size 64k; keepalive_requests 1000000;
  upstream provider { server ${new URL(providerUrl).host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port} backlog=8192;
    location / {
      proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_read_timeout 570s;
    }
  }
}
`;
}

/** nginx as a plain proxy: what a pass-through costs in C. */
export async function startNginx(
  providerUrl: string,
): Promise<{ started: StartedProcess; url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'csg-nginx-'));
  const port = await freePort();
  await writeFile(path.join(folder, 'nginx.conf'), configOf(port, providerUrl));
  const started = await startProcess({
    cores: TARGET_CORE,
    command: ['nginx', '-p', folder, '-c', 'nginx.conf'],
    ready: /event method/,
  });
  return {
    started,
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    async stop() {
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
