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

/** "Chrome, Android" from how a browser names itself; what is not known, as it came, cut short. */
function deviceName(agent: string): string {
  const known = [BROWSERS, SYSTEMS].map(list => list.find(([pattern]) => pattern.test(agent))?.[1]);
  const words = known.filter(word => word !== undefined).join(', ');
  return words === '' ? agent.slice(0, 40) : words;
}

/** What a sentence is filled with, a device under the name people know. */
export function withAgent(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof params['agent'] === 'string' ? { ...params, agent: deviceName(params['agent']) } : params;
}
