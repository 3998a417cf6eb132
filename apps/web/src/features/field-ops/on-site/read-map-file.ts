import { newId } from '@cairn/base/id.ts';
import { MAP_HEADER_BYTES, readMapHeader, type MapProblem } from '@cairn/core/on-site/map-header.ts';
import { plainAttribution, type MapFile } from '@cairn/core/on-site/site-maps.ts';
import { FileSource, PMTiles } from 'pmtiles';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';

/** Layers the Protomaps basemap draws; a vector map without any of them would be a blank sheet. */
const LAYERS = new Set([
  'earth',
  'landcover',
  'landuse',
  'water',
  'roads',
  'buildings',
  'boundaries',
  'places',
  'pois',
]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function hasKnownLayer(metadata: unknown): boolean {
  const layers = isObject(metadata) ? metadata['vector_layers'] : undefined;
  return Array.isArray(layers) && layers.some(layer => isObject(layer) && LAYERS.has(String(layer['id'])));
}

/** Its directory and its words, unpacked: a header alone may promise anything. */
async function insideOf(map: PMTiles): Promise<unknown> {
  try {
    await map.getHeader();
    return await map.getMetadata();
  } catch {
    // Whatever the library stumbles over: bytes that are not what the header says.
    return undefined;
  }
}

/** Reads a picked file and judges by its content whether it is a map that can be drawn here. */
export async function readMapFile(file: File): Promise<{ map: MapFile } | { problem: MapProblem }> {
  const beginning = new Uint8Array(await file.slice(0, MAP_HEADER_BYTES).arrayBuffer());
  const read = readMapHeader(beginning, file.size);
  if ('problem' in read) return read;
  const metadata = await insideOf(new PMTiles(new FileSource(file)));
  if (metadata === undefined) return { problem: 'cut_off' };
  if (read.header.tiles === 'vector' && !hasKnownLayer(metadata)) return { problem: 'unknown_layers' };
  const bytes = await file.arrayBuffer();
  const attribution = plainAttribution(isObject(metadata) ? metadata['attribution'] : '');
  const sha256 = await sha256Hex(bytes);
  return { map: { ...read.header, id: newId(), bytes, sha256, fileName: file.name, attribution } };
}
