import { hasMarkup } from '@cairn/base/filled-text.ts';
import { z } from '../shapes.ts';

// zod tries out `new Function` for speed; under our Content-Security-Policy that is refused, with a console message.
z.config({ jitless: true });

const key = z.string().regex(/^[a-z][a-z0-9_-]{0,59}$/);
const nonBlank = (most: number) => z.string().max(most).regex(/\S/);
const maybe = (most: number) => z.string().max(most).optional();

const contents = z.strictObject({
  schema: z.literal(1),
  /** What is asked for when the pack is installed; `{{key}}` in a text stands for its value. */
  variables: z
    .array(
      z.strictObject({
        key: key.regex(/^[a-z0-9_]*$/),
        label: nonBlank(100),
        hint: maybe(300),
        /** An example, offered. */
        value: maybe(200),
      }),
    )
    .max(30),
  policies: z
    .array(
      z.strictObject({
        key,
        title: nonBlank(180),
        code: maybe(30),
        summary: maybe(800),
        /** Markdown. */
        body: nonBlank(100_000),
        classification: z.enum(['public', 'internal', 'confidential']).optional(),
        review_months: z.int().min(1).max(120).optional(),
      }),
    )
    .max(50),
  forms: z
    .array(
      z.strictObject({
        key,
        name: nonBlank(180),
        description: maybe(2000),
        category: maybe(60),
        /** As form_versions.definition. */
        definition: z.looseObject({ items: z.array(z.unknown()) }),
      }),
    )
    .max(30),
  tasks: z
    .array(
      z.strictObject({
        key,
        title: nonBlank(280),
        notes: maybe(10_000),
        priority: z.enum(['none', 'low', 'medium', 'high', 'urgent']).optional(),
        steps: z.array(nonBlank(280)).max(30).optional(),
      }),
    )
    .max(100),
});

export type PackContents = z.infer<typeof contents>;
export type PackVariable = PackContents['variables'][number];

/** Why contents are refused; the server says the same (`marketplace.contents_fault`). */
export type PackFault =
  | 'not_json'
  | 'too_large'
  | 'too_deep'
  | 'too_many'
  | 'too_long'
  | 'shape'
  | 'key'
  | 'markup'
  | 'unknown_variable'
  | 'empty';
export type PackResult = { ok: true; contents: PackContents } | { ok: false; fault: PackFault };

/** Bytes of a pack's contents, as UTF-8 JSON. */
export const MAX_PACK_BYTES = 1_000_000;
/** Objects and lists within each other. */
const MAX_DEPTH = 24;

/** Every text in a value, names of fields too. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      yield name;
      yield* textsIn(each);
    }
}

const CODES: Readonly<Record<string, PackFault>> = { too_big: 'too_long' };

function shapeFault(issues: readonly z.core.$ZodIssue[]): PackFault {
  const [first] = issues;
  if (!first) return 'shape';
  if (first.path.at(-1) === 'key') return 'key';
  if (first.code === 'too_big' && first.path.length === 1) return 'too_many';
  return first.path.at(-1) === 'review_months' ? 'shape' : (CODES[first.code] ?? 'shape');
}

const isUnique = (items: readonly { key: string }[]): boolean =>
  new Set(items.map(item => item.key)).size === items.length;

/** Contents that came from anywhere, judged: nothing of them is run, and what could run is refused. */
export function readContents(value: unknown): PackResult {
  const parsed = contents.safeParse(value);
  if (!parsed.success) return { ok: false, fault: shapeFault(parsed.error.issues) };
  const { schema: _, ...parts } = parsed.data;
  const { variables, policies, forms, tasks } = parts;
  if (!Object.values(parts).every(isUnique)) return { ok: false, fault: 'key' };
  for (const [part, items] of Object.entries(parts))
    for (const text of textsIn(items)) if (hasMarkup(text, part !== 'forms')) return { ok: false, fault: 'markup' };
  if (policies.length + forms.length + tasks.length === 0) return { ok: false, fault: 'empty' };
  const known = new Set(variables.map(variable => variable.key));
  for (const text of textsIn(parts))
    for (const [, name = ''] of text.matchAll(/\{\{([^{}]*)\}?\}?/g))
      if (!known.has(name)) return { ok: false, fault: 'unknown_variable' };
  return { ok: true, contents: parsed.data };
}

/** How deep lists and objects of a JSON text go; counted without reading it, so that a deep one does no harm. */
function depthOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (isText && char === '\\') at += 1;
    else if (char === '"') isText = !isText;
    else if (!isText && (char === '{' || char === '[')) deepest = Math.max(deepest, ++depth);
    else if (!isText && (char === '}' || char === ']')) depth -= 1;
  }
  return deepest;
}

/**
 * A pack's contents from a file's text. An archive is no text, and is refused before anything of it is unpacked.
 *
 * @param text the file as UTF-8
 */
export function readPackFile(text: string): PackResult {
  if (text.includes('\0') || text.startsWith('PK')) return { ok: false, fault: 'not_json' };
  if (new TextEncoder().encode(text).length > MAX_PACK_BYTES) return { ok: false, fault: 'too_large' };
  if (depthOf(text) > MAX_DEPTH) return { ok: false, fault: 'too_deep' };
  try {
    return readContents(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, fault: 'not_json' };
    throw error;
  }
}
