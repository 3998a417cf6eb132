import { strFromU8, strToU8 } from 'fflate';
import { elapsedClock, isElapsed } from './workbook-cells.ts';

type Files = Record<string, Uint8Array>;

/** `[h]:mm:ss`, which needs no entry of its own. */
const BUILT_IN_ELAPSED = '46';
const FORMAT = /<(?:\w+:)?numFmt\s[^>]*>/g;
const CELL_STYLES = /<(?:\w+:)?cellXfs[\s>].*?<\/(?:\w+:)?cellXfs>/s;
const STYLE = /<(?:\w+:)?xf[\s/>][^>]*>/g;
const CELL = /<((?:\w+:)?c)(\s[^>]*)>(\s*<((?:\w+:)?v)>)([^<]*)</g;

const attributeOf = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/**
 * The files of a workbook in which time that has passed (`[h]:mm`) stands as its text: a reader takes it for a day in 1900.
 */
export function withElapsedAsText(files: Files): Files {
  const styles = Object.keys(files).find(name => name.endsWith('styles.xml'));
  const elapsed = elapsedStyles(strFromU8((styles && files[styles]) || new Uint8Array()));
  if (elapsed.size === 0) return files;
  const changed = Object.entries(files).map(([name, bytes]): [string, Uint8Array] =>
    /worksheets\/[^/]*\.xml$/.test(name) ? [name, withTexts(bytes, elapsed)] : [name, bytes],
  );
  return Object.fromEntries(changed);
}

/** The numbers of the cell styles that show time that has passed. */
function elapsedStyles(styles: string): Set<string> {
  const formats = [...styles.matchAll(FORMAT)].filter(([tag]) => isElapsed(attributeOf(tag, 'formatCode')));
  const ids = new Set([BUILT_IN_ELAPSED, ...formats.map(([tag]) => attributeOf(tag, 'numFmtId'))]);
  const cells = [...(CELL_STYLES.exec(styles)?.[0] ?? '').matchAll(STYLE)];
  return new Set(cells.flatMap(([tag], index) => (ids.has(attributeOf(tag, 'numFmtId')) ? [String(index)] : [])));
}

function withTexts(bytes: Uint8Array, elapsed: ReadonlySet<string>): Uint8Array {
  const sheet = strFromU8(bytes);
  const changed = sheet.replaceAll(
    CELL,
    (whole, tag: string, attributes: string, open: string, _v: string, value: string) => {
      const isNumber = ['', 'n'].includes(attributeOf(attributes, 't')) && value.trim() !== '';
      const days = Number(value);
      if (!isNumber || !Number.isFinite(days) || days < 0 || !elapsed.has(attributeOf(attributes, 's'))) return whole;
      return `<${tag}${attributes.replace(/\st="n"/, '')} t="str">${open}${elapsedClock(days)}<`;
    },
  );
  return changed === sheet ? bytes : strToU8(changed);
}
