import type { ServerCalls } from '../../../shared/server/server-calls.ts';
import { loadConfig } from './config.ts';

/** Asked as nobody: a code alone says what may be seen and done, and who asks is nobody's business. */
async function openCalls(): Promise<ServerCalls> {
  const { callsOfNobody } = await import('./supabase-gate.ts');
  return callsOfNobody(await loadConfig());
}

const opened: { calls?: Promise<ServerCalls> } = {};

/** One client for the page: the library warns of a second one. What could not be loaded is tried again. */
export async function visitorCalls(): Promise<ServerCalls> {
  try {
    return await (opened.calls ??= openCalls());
  } catch (error) {
    delete opened.calls;
    throw error;
  }
}
