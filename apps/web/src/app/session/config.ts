/** Which backend this copy of the app speaks to; served beside the app, so that one build serves every backend. */
export type Config = { backendUrl: string; publishableKey: string };

/**
 * Reads /config.json; the service worker answers with its last copy when there is no network.
 * @throws {Error} when it cannot be had or is not what it should be
 */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  const config = (await response.json()) as Partial<Config>;
  if (typeof config.backendUrl !== 'string' || typeof config.publishableKey !== 'string') {
    throw new TypeError('config.json lacks backendUrl or publishableKey');
  }
  return {
    backendUrl: new URL(config.backendUrl, location.origin).href.replace(/\/$/, ''),
    publishableKey: config.publishableKey,
  };
}
