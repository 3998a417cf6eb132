// node rename.mjs ROOT TSV   lines: file<TAB>[owner.]name<TAB>newName     file may be a * for every declaration of that name
import { project, declarations } from './proj.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
const [root, tsv] = process.argv.slice(2);
const { files, service } = project(root);
const rows = readFileSync(tsv, 'utf8')
  .split('\n')
  .filter(l => l.trim() && !l.startsWith('#'))
  .map(l => l.split('\t').map(x => x.trim()));
const program = service.getProgram();
const edits = new Map(); // file -> Map(start -> {len,text})
let missed = 0,
  done = 0;
for (const [file, full, to] of rows) {
  const name = full.split('.').at(-1),
    owner = full.includes('.') ? full.split('.').slice(0, -1).join('.') : null;
  const targets = file === '*' ? files : [`${root}/${file}`];
  let hit = 0;
  for (const f of targets) {
    const sf = program.getSourceFile(f);
    if (!sf) continue;
    if (!sf.text.includes(name)) continue;
    for (const d of declarations(sf)) {
      if (d.node.text !== name || (owner !== null && d.owner !== owner)) continue;
      hit++;
      const locs =
        service.findRenameLocations(f, d.node.getStart(sf), false, false, {
          providePrefixAndSuffixTextForRename: true,
        }) ?? [];
      for (const l of locs) {
        if (l.fileName.includes('node_modules')) continue;
        if (!edits.has(l.fileName)) edits.set(l.fileName, new Map());
        const m = edits.get(l.fileName);
        const text = (l.prefixText ?? '') + to + (l.suffixText ?? '');
        const prev = m.get(l.textSpan.start);
        if (prev && prev.text !== text) {
          // shorthand renamed from both sides: key: value
          const both = combine(prev, { prefix: l.prefixText, suffix: l.suffixText, to });
          m.set(l.textSpan.start, both);
          continue;
        }
        m.set(l.textSpan.start, { len: l.textSpan.length, text, prefix: l.prefixText, suffix: l.suffixText, to });
      }
    }
  }
  if (!hit) {
    missed++;
    console.error('not found:', file, full);
  } else done++;
}
function combine(a, b) {
  // a and b rename the two halves of a shorthand: `old: new` (prefix) and `new: old` (suffix)
  const key = [a, b].find(x => x.suffix)?.to,
    val = [a, b].find(x => x.prefix)?.to;
  if (key && val)
    return {
      len: a.len,
      text:
        key === val
          ? key
          : a.prefix?.includes(' as ') || b.prefix?.includes(' as ')
            ? `${key} as ${val}`
            : `${key}: ${val}`,
    };
  console.error('conflict', a, b);
  return a;
}
for (const [f, m] of edits) {
  let text = readFileSync(f, 'utf8');
  for (const [start, e] of [...m].sort((x, y) => y[0] - x[0]))
    text = text.slice(0, start) + e.text + text.slice(start + e.len);
  writeFileSync(f, text);
}
console.error(`${done} renamed, ${missed} not found, ${edits.size} files`);
