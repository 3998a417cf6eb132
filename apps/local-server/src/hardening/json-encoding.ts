import type { PostgresType } from 'postgres';

/**
 * lite 0.10 gives the driver JSON that is text already, and the driver's serializer makes a JSON string of it once more:
 * jsonb arguments of functions and auth metadata arrive as one string. Text is passed as it is.
 */
const serialize = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const parse = (text: string): unknown => JSON.parse(text);

export const jsonTypes: Record<'json' | 'jsonb', PostgresType> = {
  json: { to: 114, from: [114], serialize, parse },
  jsonb: { to: 3802, from: [3802], serialize, parse },
};
