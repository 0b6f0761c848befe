import { runProcess } from './run-process.ts';
import { serve } from './serve.ts';

if (import.meta.main) await runProcess(serve);
