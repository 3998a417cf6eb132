/** Deeper files are refused before they are read: readers of XML and JSON call themselves for what is inside, and exhaust the stack. */
export const MAX_FILE_DEPTH = 200;

/** What may hold anything, with its end. */
const APART = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Where an XML text nests deeper than `MAX_FILE_DEPTH`. A text that breaks off is looked at up to there: its reader says the
 * rest.
 *
 * @returns the place of that tag, from 0; null where there is none
 */
export function tooDeepTag(xml: string): number | null {
  let depth = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const apart = APART.find(([begin]) => xml.startsWith(begin, at));
    const end = apart ? endOf(xml, at, apart) : tagEnd(xml, at);
    if (end === null) return null;
    if (!apart && !xml.startsWith('<!', at) && xml[end - 2] !== '/') depth += xml[at + 1] === '/' ? -1 : 1;
    if (depth > MAX_FILE_DEPTH) return at;
    at = end;
  }
  return null;
}

function endOf(xml: string, at: number, [begin, close]: readonly [string, string]): number | null {
  const found = xml.indexOf(close, at + begin.length);
  return found < 0 ? null : found + close.length;
}

/** A quoted `>` does not end a tag. No pattern for the whole of one: such patterns exhaust the stack on megabytes. */
function tagEnd(xml: string, at: number): number | null {
  const marks = /[>"']/g;
  marks.lastIndex = at;
  for (let mark = marks.exec(xml); mark; mark = marks.exec(xml)) {
    if (mark[0] === '>') return marks.lastIndex;
    const close = xml.indexOf(mark[0], marks.lastIndex);
    if (close < 0) return null;
    marks.lastIndex = close + 1;
  }
  return null;
}

/** Whether a JSON text nests deeper than `MAX_FILE_DEPTH`. */
export function isTooDeepJson(text: string): boolean {
  let [depth, isInText] = [0, false];
  for (const [part] of text.matchAll(/\\.|["[\]{}]/gs)) {
    if (part === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    if (depth > MAX_FILE_DEPTH) return true;
  }
  return false;
}
