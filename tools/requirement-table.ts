import { everyRow, filesOf, LAYERS, type NamedRow, type Proof, type Reasons } from './rules/requirement-rules.ts';

/** Where the table stands, from the root. */
export const REQUIREMENTS_PAGE = 'docs/requirements.md';

const HEAD = `# Requirement rows and what proves them

Made by \`npm run gen\` from the titles of the tests and \`tools/unit-only-rows.ts\`; not written by hand. A row is proven by a screen in a real browser, by HTTP against a started server
or by the real database, in this order; the claim is the title of the test. Where unit tests alone name a row, the reason stands beside them.
Open rows say what they wait for.
`;

const SECTIONS: Readonly<Record<string, string>> = {
  R2: 'Screens and routes',
  R3: 'Entities and their fields',
  R4: 'Session, organisations and roles',
  R5: 'Rules of input',
  R6: 'Roles and tiers',
  R7: 'Calls',
  R8: 'Error catalogue',
  R9: 'Constants and limits',
};

const inCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[<>*_`]/g, sign => `\\${sign}`);

/** The tests of the highest layer that name a row. */
function strongest({ tests }: NamedRow): { layer: string; proofs: readonly Proof[] } {
  const layer = LAYERS.find(each => tests[each].length > 0) ?? 'unit';
  return { layer, proofs: tests[layer] };
}

function line(id: string, row: NamedRow | undefined, { unitOnly, open }: Reasons): string {
  if (row === undefined) return `| ${id} | open | ${inCell(open[id] ?? '')} | |`;
  const { layer, proofs } = strongest(row);
  const reason = unitOnly[id];
  const claims = [...new Set(proofs.map(({ title }) => title))].join(' · ');
  const words = reason === undefined ? claims : `${claims} (${reason})`;
  return `| ${id} | ${layer} | ${inCell(words)} | ${filesOf(proofs).join(', ')} |`;
}

/** The page: every row with its layer, the claims of its tests and their files, by section. */
export function requirementTable(rows: readonly NamedRow[], reasons: Reasons): string {
  const named = new Map(rows.map(row => [row.id, row]));
  const parts = Object.entries(SECTIONS).map(([section, title]) => {
    const lines = everyRow()
      .filter(id => id.startsWith(`${section}.`))
      .map(id => line(id, named.get(id), reasons));
    return `## ${section}: ${title}\n\n| Row | Layer | What is proven | Where |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return [HEAD, ...parts].join('\n');
}
