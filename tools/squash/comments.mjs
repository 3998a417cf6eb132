// One comment out of those that stood above a function each time it was written anew.

const strip = lead =>
  lead
    .split(/\n\s*\n/)
    .at(-1)
    .split('\n')
    .map(line => line.replace(/^--\s?/, ''))
    .join('\n')
    .trim();
const words = text => new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);

function likeness(a, b) {
  const x = words(a);
  const y = words(b);
  return [...x].filter(word => y.has(word)).length / Math.max(1, Math.min(x.size, y.size));
}

/** What a "As before; and this" adds, as a sentence of its own. */
function addition(text) {
  const m = /^As (?:it was )?before\b[\s,;:.]*(?:and |but )?([\s\S]*)$/i.exec(text);
  if (!m) return null;
  const rest = m[1].trim().replace(/^… and /, '');
  return rest ? rest[0].toUpperCase() + rest.slice(1) : '';
}

const MAX_LINE = 138;

function wrap(text) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    if (paragraph.length + 3 <= MAX_LINE + 12) {
      lines.push(`-- ${paragraph}`.trimEnd());
      continue;
    }
    let line = '--';
    for (const word of paragraph.split(' ')) {
      if (line.length + 1 + word.length > MAX_LINE) {
        lines.push(line);
        line = '--';
      }
      line += ` ${word}`;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Where what was said at each step does not make a whole: what is said now. */
const SAID = new Map(
  Object.entries({
    'sync.place_playbook': `A personal playbook always lives in its owner's private space (product.md, decision 8), so that no employer's row
ever holds private content. Its type, owner and home never change. Whoever still has an organisation on the screen that is gone hears
that it is not found, not that a right is missing (R8.11); its people alone: to anybody else an id that was one must look like an id
that never was. Not through the outbox: there the parent's end is judged by the registry, and 23503 means that it is on its way.`,
    'sync.next_changes': `The next page of changes, by scope, from the cursors a device holds. A cursor is [epoch, v, t, id]; the epoch is the
scope's, a dot, and the version the scope stood at when this device began to read it. Only changes after that can be
answered with a stub for the device's own writes: a device that lost a scope and got it back has nothing of before.
The rows come in their order, so that no aggregate has to sort them again; what is ready is taken from its page (sync.next_ready).`,
    'sync.read_packed': `As sync.read_rows, with the rows as {"cols": ["id", …, "_s"], "vals": [[every id], …]}: null in place of a column in which no
row has a value, and each row's audiences once per audience: found beside the rows, and once for all that share them.`,
    'sync.mutation_hash': `What a mutation is, for telling it from another under the same mid. That it is sent again, which version the row had after it
(\`av\`) and whether it had changed anything (\`same\`) are no part of it.`,
    'sync.settle': `Keeps the results; forgets the refused, so that a retry is judged anew; remembers which rows this device wrote. The
refused get a result first: who is told of a refusal hears of what goes without one (x_notify_refused).`,
    'public.get_user_organization_contexts': `Where a person stands: one's organisations, and the people one supports; these stand under the person's private space,
which it does not open. Of several activations of an organisation the newest through a partner link counts, which decides where a
person works.`,
    'inbox.notify': `Tells a person something, in the caller's transaction: kept with the work or taken back with it. The same key tells
once. Nobody is told of what they did themselves (p_by), nor of a row they may not read, nor of an organisation whose membership
ended by the clock (sync.is_member). A fault here never refuses the work it tells of. By text message too.
Returns the notification's id, or null when there was nothing to tell.`,
    'inbox.claim': `Takes what may go out now on one channel. A row is handed out once: it leaves \`sending\` only by inbox.settle.
With \`p_one\` of each person only what makes one mail: the oldest of what is told at once, and where there is none, the
digest, of 500 lines at most. With the number text messages go to.`,
    'sync.guard_answer': `Devices send a finished inspection before the answers they still hold, so its conductor may add and change answers
until it is approved or closed; what was signed is held by its content_hash. Nobody changes an answer of a decided inspection: what a
device brings late is refused there as a whole, and stays on that device to be looked at.`,
    'public.decide_unsent_work': `Decides over one author's handed-over work, at most 50 pieces a call, in the order of arrival. Accepting answers the
push's results and which files an administrator has to confirm: {results, media}; declining {declined}. What the push
refuses stays in the tray with its reason. The membership is alive only inside this transaction: nobody ever sees it.
Accepted work is pushed as its author (0067), whose second step nobody can show: the administrator has shown theirs, so whoever acts
in the name of somebody with a second step is asked for none of that person. Where nothing waits of this person nothing is done in
their name.`,
    'sync.take_into_tray': `Puts mutations of one author into the tray of one organisation: {taken, known, refused: [mid]}. Callers check who may.
A report without a name is not handed over, because the tray names its author: it stays on their device. What is mixed up is refused.`,
    'sync.is_work': `Work, not the people and places it happens at: those are an administrator's to change. What belongs to a person, or is the
server's own word, is nobody's work to hand over; nor is what somebody says in their own name: decisions, deputies and
acknowledgements. Whoever comes back gives their word again. A table that is made later is none before it is named here.`,
    'public.export_audit_log': `A portion of the log as it is hashed, oldest first: {"entries", "next", "head", "heads"}. The ticket is the noted export; it
is good for every portion of it. An export is noted wherever it begins: what goes on from a portion is one that this person began
within the hour.`,
    'sync.guard_source': `In a company an id that follows from a record is refused without that record. The sample company has one such
action item; in a private space, where a person adds samples, nobody else's record is kept out: ids are judged (0200).
An id that follows from a plan is judged by sync.guard_poam_source.`,
    'public.calendar_feed': `For the server alone, whom a calendar asked: what the feed of that token holds now, with the rights its owner has now. \`tag\`: a
hash of all that the calendar's text depends on. In the language of inbox.language.`,
  }),
);

/**
 * @param leads oldest first
 * @param name of the function
 */
export function mergeLeads(leads, name) {
  const said = SAID.get(name);
  if (said) return wrap(said);
  let parts = [];
  for (const lead of leads) {
    const text = lead ? strip(lead) : '';
    if (!text) continue;
    const more = addition(text);
    if (more === null) {
      parts = parts.filter(part => likeness(part, text) < 0.5);
      if (!parts.includes(text)) parts.push(text);
    } else if (more && !parts.includes(more)) parts.push(more);
  }
  return parts.length === 0 ? '' : parts.map(wrap).join('\n');
}
