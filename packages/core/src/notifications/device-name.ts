const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux|CrOS/, 'Linux'],
] as const;

const MORE = {
  en: (device: string, more: number) => `${device} and ${more} more`,
  de: (device: string, more: number) => `${device} und ${more} weiteren`,
};
const UNKNOWN = { en: 'another device', de: 'einem anderen Gerät' };

/** "Chrome, Android" from how a browser names itself; null where nothing of it is known: whoever signs in writes no words of ours. */
function deviceName(agent: string): string | null {
  const known = [BROWSERS, SYSTEMS].map(list => list.find(([pattern]) => pattern.test(agent))?.[1]);
  return known.filter(word => word !== undefined).join(', ') || null;
}

/** What a sentence is filled with, a device under the name people know, and how many came after it (`more`). */
export function withAgent(
  params: Readonly<Record<string, unknown>>,
  language: 'en' | 'de',
): Readonly<Record<string, unknown>> {
  const { agent, more, ...others } = params;
  if (typeof agent !== 'string') return params;
  const name = deviceName(agent);
  if (typeof more === 'number' && more > 0)
    return { ...others, agent: MORE[language](name ?? UNKNOWN[language], more) };
  return name === null ? others : { ...others, agent: name };
}
