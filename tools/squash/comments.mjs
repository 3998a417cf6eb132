// One comment out of those that stood above a function each time it was written anew.

const strip = lead => lead.split(/\n\s*\n/).at(-1).split('\n').map(line => line.replace(/^--\s?/, '')).join('\n').trim();
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
  const rest = m[1].trim();
  return rest ? rest[0].toUpperCase() + rest.slice(1) : '';
}

const MAX_LINE = 138;

function wrap(text) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    if (paragraph.length + 3 <= MAX_LINE + 12) { lines.push(`-- ${paragraph}`.trimEnd()); continue; }
    let line = '--';
    for (const word of paragraph.split(' ')) {
      if (line.length + 1 + word.length > MAX_LINE) { lines.push(line); line = '--'; }
      line += ` ${word}`;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** @param leads oldest first */
export function mergeLeads(leads) {
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
