import { strToU8, zipSync, type Zippable } from 'fflate';

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** What Word declares at the root of a part, as far as tests use it. */
export const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
].join(' ');

export const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`;

export const bodyOf = (content: string): string => `<w:document ${NAMESPACES}><w:body>${content}</w:body></w:document>`;

type RelationshipEntry = { type: string; target: string; mode?: string };

/** A part of relationships; `type` in short, or whole where it has a colon. */
export const relationships = (told: readonly RelationshipEntry[]): Uint8Array =>
  strToU8(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${told
      .map(({ type, target, mode }, index) => {
        const whole = type.includes(':') ? type : `${OFFICE}/${type}`;
        return `<Relationship Id="rId${index + 1}" Type="${whole}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`;
      })
      .join('')}</Relationships>`,
  );

/** A Word file of one paragraph, and what is given besides or instead. */
export const word = (
  more: Zippable = {},
  types = TYPES,
  body = bodyOf('<w:p><w:r><w:t>Lock out first.</w:t></w:r></w:p>'),
): Uint8Array<ArrayBuffer> =>
  zipSync({
    '[Content_Types].xml': strToU8(types),
    '_rels/.rels': relationships([{ type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': strToU8(body),
    ...more,
  });
