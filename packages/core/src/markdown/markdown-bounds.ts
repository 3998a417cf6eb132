import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';

/** The bound of `CONTENT_BOUNDS` that a text is past. `content.markdown_fault` of the database gives the same. */
export type MarkdownFault = Extract<keyof typeof CONTENT_BOUNDS, `markdown_${string}`>;

/** What a text costs to parse, counted without parsing it, in time that grows with its length alone. */
export type MarkdownMeasure = {
  characters: number;
  lines: number;
  indent: number;
  nesting: number;
  run: number;
  cells: number;
  work: number;
};

/** Where a paragraph surely ends: at a blank line, or before an item of a list or a heading. Anywhere else it is taken to go on. */
const UNIT_END = /\n[ \t]*(?=\n)|\n(?= {0,3}(?:[-*+]|1[.)])[ \t]+[^ \t\n])|\n(?= {0,3}#{1,6}[ \t])/;
const MARKS = /[*_~`[\]!<&\\]/g;
const RUN = /([*_~`[\]!<>()])\1+/g;
const PREFIX = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])+/;
const MARKERS = />|[-*+][ \t]|\d{1,9}[.)][ \t]/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const most = (values: Iterable<number>): number => {
  let found = 0;
  for (const value of values) if (value > found) found = value;
  return found;
};
const columnsOf = (line: string): number => (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
const pipesIn = (line: string): number => line.split('|').length - 1;

const workOf = (text: string): number => text.length * count(text, MARKS);

/** A table all of whose rows begin with its line: each cell is a text of its own. */
function isTable(lines: readonly string[]): boolean {
  const [, second = ''] = lines;
  return second.includes('-') && /^ {0,3}\|[ :|-]*$/.test(second) && lines.every(line => /^ {0,3}\|/.test(line));
}

/** What one paragraph, heading, item or table costs. */
function measureUnit(unit: string): { cells: number; work: number } {
  const lines = unit.split('\n').filter(line => line !== '');
  // A list's item is put together line by line, and looked at anew with each.
  const joining = lines.length ** 2;
  if (!unit.includes('|')) return { cells: 0, work: joining + workOf(unit) };
  const cells = lines.length * (most(lines.map(pipesIn)) + 1);
  return {
    cells,
    work: joining + (isTable(lines) ? lines.reduce((sum, line) => sum + workOf(line), 0) : workOf(unit)),
  };
}

/** Counts all that `CONTENT_BOUNDS` bounds in a Markdown text. */
export function measureMarkdown(text: string): MarkdownMeasure {
  const plain = text.replaceAll(/\r\n?/g, '\n');
  const lines = plain.split('\n');
  const units = plain.split(UNIT_END).map(measureUnit);
  return {
    characters: text.length,
    lines: lines.length,
    indent: most(lines.map(columnsOf)),
    nesting: most(lines.map(line => count(PREFIX.exec(line)?.[0] ?? '', MARKERS))),
    run: most(plain.match(RUN)?.map(({ length }) => length) ?? []),
    cells: units.reduce((sum, { cells }) => sum + cells, 0),
    work: units.reduce((sum, { work }) => sum + work, 0),
  };
}

/** The first bound a Markdown text is past; null where it is within all of them. */
export function markdownFault(text: string): MarkdownFault | null {
  // What is too long is not even counted.
  if (text.length > CONTENT_BOUNDS.markdown_characters) return 'markdown_characters';
  if (count(text, /\r\n?|\n/g) >= CONTENT_BOUNDS.markdown_lines) return 'markdown_lines';
  const measure = measureMarkdown(text);
  for (const part of ['indent', 'nesting', 'run', 'cells', 'work'] as const)
    if (measure[part] > CONTENT_BOUNDS[`markdown_${part}`]) return `markdown_${part}`;
  return null;
}

/** Small enough to be parsed where it is shown, in a few milliseconds: nothing is seen to come in later. */
const SMALL = { characters: 6000, work: 200_000, cells: 600, nesting: 8, indent: 24 };

export function isSmallMarkdown(text: string): boolean {
  if (text.length > SMALL.characters) return false;
  const measure = measureMarkdown(text);
  return (Object.keys(SMALL) as (keyof typeof SMALL)[]).every(part => measure[part] <= SMALL[part]);
}
