/** A step as a cell says it. */
export type StepCell = { title: string; required: boolean; done: boolean };

const STEP = /^(?:[-*]\s*)?\[([ xX]?)\](!?)\s*(.*)$/;

/** Steps in one cell, a line each: `[x]` before one that is ticked, `[ ]!` before one that has to be. */
export const stepsCell = (steps: readonly StepCell[]): string =>
  steps
    .map(({ title, required, done }) => `[${done ? 'x' : ' '}]${required ? '!' : ''} ${title.replaceAll(/\s+/g, ' ')}`)
    .join('\n');

/** The steps of a cell; a line without a mark is one that is open. */
export function stepsIn(cell: string): StepCell[] {
  return cell
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const [, mark = '', required = '', title = line] = STEP.exec(line) ?? [];
      return { title: title.trim(), required: required !== '', done: mark.trim() !== '' };
    })
    .filter(({ title }) => title !== '');
}

const LABEL = /"((?:[^"]|"")*)"|[^;,"]+/g;

/** Labels in one cell, with `;` between them; one that holds a separator stands in quotes. */
export const labelsCell = (labels: readonly string[]): string =>
  labels.map(label => (/[;,"]/.test(label) ? `"${label.replaceAll('"', '""')}"` : label)).join('; ');

/** The labels of a cell, which `;` or `,` stand between. */
export const labelsIn = (cell: string): string[] =>
  [...cell.matchAll(LABEL)]
    .map(([whole, quoted]) => (quoted?.replaceAll('""', '"') ?? whole).trim())
    .filter(label => label !== '');
