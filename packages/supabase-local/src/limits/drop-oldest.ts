/** Forgets what was set longest ago, where a map holds more than `max`. @returns what it was; undefined where nothing went */
export function dropOldest<Key, Value>(entries: Map<Key, Value>, max: number): Value | undefined {
  if (entries.size <= max) return undefined;
  const [oldest] = entries;
  if (!oldest) return undefined;
  const [key, value] = oldest;
  entries.delete(key);
  return value;
}
