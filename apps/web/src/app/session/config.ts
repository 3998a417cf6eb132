/** Which backend this copy of the app speaks to; served beside the app, so that one build serves every backend. */
export type Config = { backendUrl: string; publishableKey: string };

/**
 * Reads /config.json; the service worker answers with its last copy when there is no network.
 * @throws {Error} when it cannot be had or is not what it should be
 */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
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
