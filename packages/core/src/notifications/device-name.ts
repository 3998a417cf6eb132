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
export function deviceName(agent: string): string {
  const known = [BROWSERS, SYSTEMS].map(list => list.find(([pattern]) => pattern.test(agent))?.[1]);
  const words = known.filter(word => word !== undefined).join(', ');
  return words === '' ? agent.slice(0, 40) : words;
}
