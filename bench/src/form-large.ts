import type { Json } from '@cairn/schema';

const ENTRIES = 50;
const ASKED = 250;
const IN_REPEAT = 10;

type Question = Record<string, Json>;

/** Every question hangs on the one before it, and says its answer; every other one passes or fails. */
function run(sign: string, count: number): Question[] {
  return Array.from({ length: count }, (_, index): Question => {
    const before = index > 0 ? `${sign}${index - 1}` : null;
    const isNumber = index % 2 === 1;
    return {
      type: isNumber ? 'integer' : 'pass_fail',
      name: `${sign}${index}`,
      label: before === null ? `Point ${sign}${index}` : `Point ${sign}${index} after \${${before}}`,
      required: true,
      ...(before !== null && { relevant: `\${${before}} != ''` }),
      ...(isNumber && { constraint: '. >= 0 and . < 1000' }),
      ...(!isNumber && { on_fail: { photo: 'required', priority: 'high' } }),
    };
  });
}

/**
 * 300 questions: 250 one after the other, and 5 repeats of 10 that have 50 entries each; a sum over each repeat. 2,750 answers
 * can be given.
 */
export function largeForm(): Json {
  const repeats = Array.from({ length: 5 }, (_, index) => [
    { type: 'repeat', name: `r${index}`, label: `Row ${index}`, items: run(`r${index}q`, IN_REPEAT) },
    { type: 'calculate', name: `sum${index}`, calculation: `sum(\${r${index}q1})` },
  ]);
  return { format: 1, title: 'Large check', items: [...run('q', ASKED), ...repeats.flat()] };
}

/** An answer to every question and entry, by its path. */
export function largeAnswers(): { question: string; value: Json }[] {
  const answered = (path: string, index: number) => ({ question: path, value: index % 2 === 1 ? index % 90 : 'pass' });
  const asked = Array.from({ length: ASKED }, (_, index) => answered(`q${index}`, index));
  const entries = Array.from({ length: 5 * ENTRIES }, (_, place) => {
    const [repeat, entry] = [`r${Math.floor(place / ENTRIES)}`, place % ENTRIES];
    const path = `${repeat}[k${entry}]`;
    const inside = Array.from({ length: IN_REPEAT }, (__, index) => answered(`${path}.${repeat}q${index}`, index));
    return [{ question: path, value: entry }, ...inside];
  });
  return [...asked, ...entries.flat()];
}
