/**
 * The program that lies in every package with a manifest: `node verify.mjs` beside the files says whether each is as it was
 * when the package was made, and whether the audit log, or what proves presence, is one unbroken chain. It needs Node and nothing else, so that
 * whoever doubts us need not run us. Ends with 0 when all is whole, 1 when something is not.
 */
export const VERIFY_SCRIPT = String.raw`import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const faults = [];
const fault = text => faults.push(text);

/** Every file beside this one, as the manifest names them. */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [relative(here, path).split(sep).join('/')];
  });
}

function checkManifest() {
  const text = readFileSync(join(here, 'manifest.sha256'), 'utf8');
  console.log('SHA-256 of manifest.sha256: ' + sha256(Buffer.from(text)));
  const listed = new Map();
  for (const line of text.split('\n').filter(Boolean)) {
    const found = /^([0-9a-f]{64})  (.+)$/.exec(line);
    if (found) listed.set(found[2], found[1]);
    else fault('manifest.sha256 has an invalid line: ' + line);
  }
  for (const [name, hash] of listed) {
    if (!existsSync(join(here, name))) fault('missing: ' + name);
    else if (sha256(readFileSync(join(here, name))) !== hash) fault('altered: ' + name);
  }
  for (const name of files(here)) if (name !== 'manifest.sha256' && !listed.has(name)) fault('not in the manifest: ' + name);
  console.log(listed.size + ' files listed');
}

function checkLog() {
  const head = JSON.parse(readFileSync(join(here, 'audit-heads.json'), 'utf8'));
  const hashes = new Map();
  let before = '0'.repeat(64);
  let expected = 1;
  for (const line of readFileSync(join(here, 'audit-log.jsonl'), 'utf8').split('\n').filter(Boolean)) {
    const e = JSON.parse(line);
    if (e.seq !== expected) fault('audit log: entry ' + expected + ' is missing');
    const parts = [before, e.seq, head.organization_id, e.at, e.actor_id ?? '-', e.act, e.subject_table, e.subject_id, e.detail];
    if (sha256(parts.join('\n')) !== e.hash) fault('audit log: entry ' + e.seq + ' was altered or does not follow the previous entry');
    hashes.set(e.seq, e.hash);
    before = e.hash;
    expected = e.seq + 1;
  }
  for (const each of [...head.heads, head.head])
    if (each.seq > 0 && hashes.get(each.seq) !== each.hash) fault('audit log: entry ' + each.seq + ' does not match its recorded head');
  if (hashes.size !== head.head.seq) fault('audit log: ' + head.head.seq + ' entries expected, ' + hashes.size + ' found');
  console.log(hashes.size + ' entries of the audit log, head ' + before);
}

/** What proves who was where: each text hashes to its hash and names the one before; strands end where they ended. */
function checkPresence() {
  const head = JSON.parse(readFileSync(join(here, 'presence-heads.json'), 'utf8'));
  const strands = new Map();
  const photos = new Set();
  let ended = head.finished === null;
  for (const line of readFileSync(join(here, 'presence.jsonl'), 'utf8').split('\n').filter(Boolean)) {
    const e = JSON.parse(line);
    const before = strands.get(e.strand) ?? { entries: 0, hash: '0'.repeat(64) };
    const name = 'presence: entry ' + e.position + ' of strand ' + e.strand;
    if (sha256(e.body) !== e.hash) fault(name + ' was altered');
    const said = JSON.parse(e.body);
    if (said.inspection !== head.inspection || said.strand !== e.strand) fault(name + ' belongs to another inspection or strand');
    if (said.position !== e.position || e.position !== before.entries + 1 || said.previous !== before.hash)
      fault(name + ' does not follow the previous entry');
    if (said.kind === 'photo') photos.add(said.facts.sha256);
    if (said.kind === 'finished' && said.facts.content_hash === head.finished) ended = true;
    strands.set(e.strand, { entries: e.position, hash: e.hash });
  }
  for (const each of head.heads) {
    const found = strands.get(each.strand) ?? { entries: 0, hash: '' };
    if (found.entries !== each.entries || found.hash !== each.hash)
      fault('presence: strand ' + each.strand + ' has ' + found.entries + ' entries, ' + each.entries + ' expected, or its end differs');
  }
  if (strands.size !== head.heads.length) fault('presence: unexpected strand');
  if (!ended) fault('presence: the end of the inspection is missing');
  for (const name of files(here).filter(file => file.startsWith('photos/'))) {
    const hash = sha256(readFileSync(join(here, name)));
    if (!photos.has(hash) || !name.startsWith('photos/' + hash)) fault('presence: no entry lists ' + name);
  }
  const about = JSON.parse(readFileSync(join(here, 'inspection.json'), 'utf8'));
  if (about.id !== head.inspection || about.content_hash !== head.finished)
    fault('presence: inspection.json belongs to another inspection');
  const count = [...strands.values()].reduce((sum, each) => sum + each.entries, 0);
  console.log(count + ' presence entries, ' + photos.size + ' photos listed');
}

checkManifest();
const proves = ['presence-heads.json', 'presence.jsonl'].map(name => existsSync(join(here, name)));
if (proves.every(Boolean)) checkPresence();
else if (proves.some(Boolean)) fault('presence: the chain or its heads are missing');
if (existsSync(join(here, 'audit-heads.json'))) checkLog();
for (const text of faults) console.error('PROBLEM: ' + text);
console.log(faults.length === 0 ? 'Intact: every file is unchanged since this package was created.' : faults.length + ' problem(s) found.');
process.exitCode = faults.length === 0 ? 0 : 1;
`;
