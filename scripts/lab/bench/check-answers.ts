import { openConnection } from './one-connection.ts';
import type { Target } from './targets.ts';
import type { Workload } from './workloads.ts';

/**
 * Before anything is measured: every target answers with the provider's bytes, and ours says that it scanned and allowed.
 * Throws otherwise; a gateway that refuses is fast and proves nothing.
 */
export async function checkAnswers(targets: readonly Target[], workload: Workload): Promise<void> {
  for (const target of targets) {
    const connection = openConnection(target);
    const { status, headers, body } = await connection.post(workload.body);
    await connection.close();
    const where = `${target.name}, ${workload.name}`;
    if (status !== 200) throw new Error(`${where}: answered ${status}: ${body.toString().slice(0, 300)}`);
    if (!body.equals(workload.answer) && !sameJson(body, workload.answer)) {
      throw new Error(`${where}: the answer is not the provider's: ${body.toString().slice(0, 300)}`);
    }
    if (!target.name.startsWith('ours')) continue;
    if (!body.equals(workload.answer)) throw new Error(`${where}: the bytes of the answer were changed`);
    if (headers['x-service-decision'] !== 'allow') {
      throw new Error(`${where}: decided ${String(headers['x-service-decision'])}; the text has to pass`);
    }
  }
}

/** Peers may write the same JSON anew, or add their findings beside it. */
function sameJson(body: Buffer, due: Buffer): boolean {
  try {
    const { hook_results: _, ...got } = JSON.parse(body.toString()) as Record<string, unknown>;
    return JSON.stringify(got) === JSON.stringify(JSON.parse(due.toString()));
  } catch {
    return false;
  }
}
