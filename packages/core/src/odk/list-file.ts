import { csvRows, separatorOf, utf8Text } from '@cairn/base/csv.ts';
import type { Choice } from '../forms/definition/form-definition.ts';
import type { NamedFile } from '../files/form-package.ts';
import { isTooDeepJson } from '../files/nesting.ts';
import { type Element, MarkupError, readElements, textOf } from './xform-element.ts';

/** One row of a file of choices, by the names of its columns. */
export type ListRow = ReadonlyMap<string, string>;

/** What a file of choices holds, or why it cannot be read, in one sentence. */
type ListFile = { rows: ListRow[]; kind: 'csv' | 'geojson' | 'xml' } | { problem: string };

/** Of one file: as many as a list of a form may have. */
const MAX_ROWS = 20_000;

/** Whether a file by its name may hold choices of a form. */
export const isListFile = (name: string): boolean => /\.(csv|geojson|xml)$/i.test(name);

/** The last part of a path, however it is written; letter case makes no difference. */
export const fileKey = (name: string): string => (name.split(/[/\\]/).at(-1) ?? name).trim().toLowerCase();

/** Its name without the ending: what `instance()` and `pulldata()` call it. */
export const listName = (name: string): string => (name.split(/[/\\]/).at(-1) ?? name).replace(/\.[^.]*$/, '').trim();

/**
 * Reads choices that stand in a file of their own beside a form: CSV, GeoJSON or XML, told apart by its ending.
 *
 * Source: ODK, "External datasets"; the place of a GeoJSON feature becomes the column `geometry`, in ODK's spelling.
 */
export function readListFile({ name, bytes }: NamedFile): ListFile {
  const text = utf8Text(bytes)?.replace(/^\uFEFF/, '');
  if (text === undefined) return { problem: `"${name}" is no text in UTF-8` };
  const read = /\.geojson$/i.test(name) ? geoJson(text) : /\.xml$/i.test(name) ? xml(text) : csv(text);
  if ('problem' in read) return { problem: `"${name}" ${read.problem}` };
  if (read.rows.length === 0) return { problem: `"${name}" has no rows` };
  if (read.rows.length > MAX_ROWS) return { problem: `"${name}" has more than ${MAX_ROWS.toLocaleString('en')} rows` };
  return read;
}

function csv(text: string): ListFile {
  const [head = [], ...rows] = csvRows(text, separatorOf(text));
  const columns = head.map(column => column.trim());
  return {
    kind: 'csv',
    rows: rows.map(
      cells => new Map(columns.flatMap((column, at) => (column === '' ? [] : [[column, cells[at]?.trim() ?? '']]))),
    ),
  };
}

type Data = Record<string, unknown>;
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
const plain = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';

function geoJson(text: string): ListFile {
  if (isTooDeepJson(text)) return { problem: 'is nested too deeply' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: 'is no JSON' };
  }
  if (!isData(json) || !Array.isArray(json['features'])) return { problem: 'is no GeoJSON with features' };
  return { kind: 'geojson', rows: json['features'].filter(isData).map(feature) };
}

function feature({ id, properties, geometry }: Data): ListRow {
  const row = new Map(
    Object.entries(isData(properties) ? properties : {}).map(([name, value]) => [name, plain(value)]),
  );
  if (id !== undefined) row.set('id', plain(id));
  const places = isData(geometry) ? placesOf(geometry) : [];
  if (places.length > 0) row.set('geometry', places.map(([lon, lat]) => `${lat} ${lon} 0 0`).join('; '));
  return row;
}

/** The points of a geometry as GeoJSON writes them, longitude first: of an area its outer ring. */
function placesOf({ type, coordinates }: Data): number[][] {
  const list: unknown = type === 'Polygon' && Array.isArray(coordinates) ? coordinates[0] : coordinates;
  const points: unknown = type === 'Point' ? [list] : list;
  const isPoint = (point: unknown): point is number[] =>
    Array.isArray(point) && point.length >= 2 && point.every(part => typeof part === 'number');
  return Array.isArray(points) ? points.filter(isPoint) : [];
}

function xml(text: string): ListFile {
  try {
    return { kind: 'xml', rows: rowsOf(readElements(text)) };
  } catch (error) {
    if (error instanceof MarkupError) return { problem: `is no XML: ${error.message}` };
    throw error;
  }
}

/** The items of a list in an XForm, or in a file of its own. */
export const rowsOf = (root: Element): Map<string, string>[] =>
  root.children
    .filter(({ name }) => name === 'item')
    .map(item => new Map(item.children.map(cell => [cell.name, textOf(cell)])));

/** What the columns of a file stand for in a list of choices. */
type Columns = { value: string; label: string };

/** The columns a file has its values and labels in, where the form does not say. */
export const usualColumns = (kind: 'csv' | 'geojson' | 'xml'): Columns =>
  kind === 'geojson' ? { value: 'id', label: 'title' } : { value: 'name', label: 'label' };

/** Rows as choices. What is in no column of `value` is called by the number of its row, so that it can be looked up. */
export function choicesFrom(rows: readonly ListRow[], { value, label }: Columns): Choice[] {
  return rows.map((row, index) => {
    const words = row.get(label) ?? '';
    return {
      name: (row.get(value) || String(index + 1)).slice(0, 200),
      ...(words !== '' && { label: words }),
      ...furtherColumns(row),
    };
  });
}

/** What choice filters and look-ups read of a row besides its name and label. */
export function furtherColumns(row: ListRow): Pick<Choice, 'attributes'> {
  const others = [...row].filter(([column, cell]) => !['name', 'label', '__proto__'].includes(column) && cell !== '');
  return others.length > 0 ? { attributes: Object.fromEntries(others) } : {};
}
