/** Which backend this copy of the app speaks to; served beside the app, so that one build serves every backend. */
export type Config = { backendUrl: string; publishableKey: string };

const KEPT = 'cairn.config';
/** ms; a network that says nothing must not hold up a device that knows its backend already. */
const PATIENCE = { kept: 3_000, unknown: 30_000 };

/**
 * Reads /config.json; without a network (or a server that answers) the copy this device kept from last time serves.
 * @throws {Error} when it can be had from neither, or is not what it should be
 */
export async function loadConfig(): Promise<Config> {
  const kept = keptConfig();
  if (kept && !navigator.onLine) return kept;
  try {
    const config = await fetchConfig(kept ? PATIENCE.kept : PATIENCE.unknown);
    localStorage.setItem(KEPT, JSON.stringify(config));
    return config;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

function keptConfig(): Config | null {
  const text = localStorage.getItem(KEPT);
  if (text === null) return null;
  try {
    const config: unknown = JSON.parse(text);
    return isConfig(config) ? config : null;
  } catch {
    // Half written by a browser that died: as good as none.
    localStorage.removeItem(KEPT);
    return null;
  }
}

async function fetchConfig(patience: number): Promise<Config> {
  const response = await fetch('/config.json', {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  const config: unknown = await response.json();
  if (!isConfig(config)) throw new TypeError('config.json lacks backendUrl or publishableKey');
  const backendUrl = new URL(config.backendUrl, location.origin).href.replace(/\/$/, '');
  return { backendUrl, publishableKey: config.publishableKey };
}

function isConfig(value: unknown): value is Config {
  if (typeof value !== 'object' || value === null) return false;
  if (!('backendUrl' in value) || !('publishableKey' in value)) return false;
  return typeof value.backendUrl === 'string' && typeof value.publishableKey === 'string';
}
