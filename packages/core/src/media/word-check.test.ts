import { strToU8, zipSync, type Zippable } from 'fflate';
import { describe, expect, test } from 'vitest';
import { documentProblem } from './document-check.ts';
import { WORD_MIME } from './document-kind.ts';
import { bodyOf, NAMESPACES, relationships, TYPES, word } from './word-files-for-tests.ts';

const judged = (bytes: Uint8Array) => documentProblem(bytes, WORD_MIME);
const of = (content: string, more: Zippable = {}) => judged(word(more, TYPES, bodyOf(content)));
const run = (words: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${words}</w:t></w:r>`;
const styles = (content: string): Zippable => ({
  'word/styles.xml': strToU8(`<w:styles ${NAMESPACES}>${content}</w:styles>`),
  'word/_rels/document.xml.rels': relationships([{ type: 'styles', target: 'styles.xml' }]),
});
const style = (id: string, content: string, type = 'paragraph', more = '') =>
  `<w:style w:type="${type}" w:styleId="${id}"${more}>${content}</w:style>`;
const HIDDEN = '<w:rPr><w:vanish/></w:rPr>';
const STRICT = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

describe('a Word file is read by namespaces, as the converter reads it', () => {
  const deleted = (prefix: string, uri: string) =>
    `<${prefix}:document xmlns:${prefix}="${uri}"><${prefix}:body><${prefix}:p><${prefix}:del/></${prefix}:p></${prefix}:body></${prefix}:document>`;

  test.each([
    ['another prefix', deleted('x', W)],
    ['the strict dialect', deleted('w', STRICT)],
    ['no prefix', `<document xmlns="${W}"><body><p><del/></p></body></document>`],
    ['a prefix that is bound anew inside', deleted('w', W).replace('<w:del/>', `<y:del xmlns:y="${STRICT}"/>`)],
  ])('changes under %s are found', async (_, body) => {
    expect(await judged(word({}, TYPES, body))).toBe('changes');
  });

  test.each([
    ['an entity', `<!DOCTYPE a [<!ENTITY b "c">]>${bodyOf('<w:p/>')}`, 'bomb'],
    ['CDATA', bodyOf('<w:p><w:r><w:t><![CDATA[not]]></w:t></w:r></w:p>'), 'damaged'],
    ['a text that a comment cuts', bodyOf('<w:p><w:r><w:t>must<!-- --> not</w:t></w:r></w:p>'), 'damaged'],
    [
      'an attribute under two prefixes',
      bodyOf(`<w:p><w:r xmlns:y="${W}"><w:rPr><w:b w:val="0" y:val="1"/></w:rPr></w:r></w:p>`),
      'damaged',
    ],
    ['a prefix that stands for nothing', '<w:document><w:body/></w:document>', 'damaged'],
    ['another encoding', `<?xml version="1.0" encoding="windows-1252"?>${bodyOf('<w:p/>')}`, 'damaged'],
    ['two bodies', `<w:document ${NAMESPACES}><w:body/><w:body/></w:document>`, 'damaged'],
  ])('%s is refused', async (_, body, problem) => {
    expect(await judged(word({}, TYPES, body))).toBe(problem);
  });
});

describe('words that Word does not show are refused', () => {
  const styled = (id: string) => `<w:p><w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run('a draft')}</w:p>`;

  test.each([
    ['by the style of the paragraph', styled('A'), style('A', HIDDEN)],
    ['by what that style is based on', styled('B'), style('A', HIDDEN) + style('B', '<w:basedOn w:val="A"/>')],
    [
      'by the style of the letters',
      `<w:p>${run('a draft', '<w:rStyle w:val="C"/>')}</w:p>`,
      style('C', HIDDEN, 'character'),
    ],
    [
      'by the style of those that name none',
      `<w:p>${run('a draft')}</w:p>`,
      style('N', HIDDEN, 'paragraph', ' w:default="1"'),
    ],
    [
      'by the defaults',
      `<w:p>${run('a draft')}</w:p>`,
      `<w:docDefaults><w:rPrDefault>${HIDDEN}</w:rPrDefault></w:docDefaults>`,
    ],
    [
      'by the style of the table',
      `<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tr><w:tc><w:p>${run('a draft')}</w:p></w:tc></w:tr></w:tbl>`,
      style('T', `<w:tblStylePr w:type="firstRow">${HIDDEN}</w:tblStylePr>`, 'table'),
    ],
  ])('%s', async (_, content, sheet) => {
    expect(await of(content, styles(sheet))).toBe('hidden');
  });

  test('and a style that shows again what the one below hides is taken', async () => {
    const sheet = style('A', HIDDEN) + style('B', '<w:basedOn w:val="A"/><w:rPr><w:vanish w:val="0"/></w:rPr>');
    expect(await of(styled('B'), styles(sheet))).toBeNull();
    expect(await of(styled('C'), styles(sheet + style('C', '')))).toBeNull();
  });

  test('as a row, in the code of a field, and by a drawing', async () => {
    const row = `<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:p>${run('a draft')}</w:p></w:tc></w:tr></w:tbl>`;
    expect(await of(row)).toBe('hidden');
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const code = '<w:r><w:instrText>REF a</w:instrText></w:r>';
    expect(
      await of(`<w:p>${mark('begin')}${code}${run('a draft')}${mark('separate')}${run('5')}${mark('end')}</w:p>`),
    ).toBe('hidden');
    expect(await of(`<w:p>${mark('begin')}${code}${mark('separate')}${run('5')}${mark('end')}</w:p>`)).toBeNull();
    const shape = `<w:pict><v:shape style="visibility:hidden"><v:textbox><w:txbxContent><w:p>${run('a')}</w:p></w:txbxContent></v:textbox></v:shape></w:pict>`;
    expect(await of(`<w:p><w:r>${shape}</w:r></w:p>`)).toBe('hidden');
  });
});

describe('what Word would show otherwise is refused with what it is', () => {
  const box = (words: string) => `<w:txbxContent><w:p>${run(words)}</w:p></w:txbxContent>`;
  const variants = (choice: string, fallback: string) =>
    `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData uri="wps"><wps:wsp><wps:txbx>${box(choice)}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box(fallback)}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;

  test('variants that hold different words; those that hold the same are taken', async () => {
    expect(await of(variants('must not', 'must not'))).toBeNull();
    expect(await of(variants('must not', 'must'))).toBe('variants');
  });

  test('how something looks, said in two variants', async () => {
    const twice = `<mc:AlternateContent><mc:Choice Requires="w14"><w:vanish/></mc:Choice></mc:AlternateContent>`;
    expect(await of(`<w:p>${run('a draft', twice)}</w:p>`)).toBe('variants');
    const wrapped = `<mc:AlternateContent><mc:Choice Requires="w14"><w:rPr><w:vanish/></w:rPr></mc:Choice></mc:AlternateContent>`;
    expect(await of(`<w:p><w:r>${wrapped}<w:t>a draft</w:t></w:r></w:p>`)).toBe('variants');
    const sheet = `<mc:AlternateContent><mc:Choice Requires="w14">${style('A', HIDDEN)}</mc:Choice></mc:AlternateContent>`;
    expect(await of('<w:p/>', styles(sheet))).toBe('variants');
    const taken = `<w:p mc:ProcessContent="y:z">${run('a draft')}</w:p>`;
    expect(await of(taken)).toBe('variants');
  });

  test('documents that are put in, and controls that take their words from data', async () => {
    expect(await of('<w:altChunk r:id="rId1"/>')).toBe('linked');
    const control = (properties: string) =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:p>${run('5 bar')}</w:p></w:sdtContent></w:sdt>`;
    expect(await of(control('<w:dataBinding w:xpath="/a" w:storeItemID="{1}"/>'))).toBe('linked');
    expect(await of(control('<w:alias w:val="Pressure"/>'))).toBeNull();
    expect(await of(control('<w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>'))).toBe('unshown');
    const chunk = { 'word/_rels/document.xml.rels': relationships([{ type: 'aFChunk', target: 'a.htm' }]) };
    expect(await of('<w:p/>', chunk)).toBe('linked');
  });

  const drawn = (content: string) =>
    `<w:p><w:r><w:drawing><wp:inline><a:graphic>${content}</a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  test.each([
    ['a diagram', drawn('<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"/>')],
    [
      'a drawing with words',
      drawn(`<a:graphicData uri="x"><wps:wsp><wps:txbx>${box('a')}</wps:txbx></wps:wsp></a:graphicData>`),
    ],
    ['words beside letters', '<w:p><w:r><w:ruby/></w:r></w:p>'],
    ['words in the other direction', `<w:p><w:bdo w:val="rtl">${run('a')}</w:bdo></w:p>`],
    ['a field in short form', `<w:p>${run('At most ')}<w:fldSimple w:instr=" REF a ">${run('5')}</w:fldSimple></w:p>`],
    [
      'a number that Word draws',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>LISTNUM</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
    ],
    ['a symbol of any font', '<w:p><w:r><w:sym w:font="Arial" w:char="0035"/></w:r></w:p>'],
    ['words struck through twice', `<w:p>${run('not', '<w:dstrike/>')}</w:p>`],
    ['an element nobody knows', '<w:p><w:other/></w:p>'],
  ])('%s', async (_, content) => {
    expect(await of(content)).toBe('unshown');
  });

  test('words in the numbers of a list; what numbers are called is taken, and so is the number of a caption', async () => {
    const numbered = (text: string): Zippable => ({
      'word/numbering.xml': strToU8(
        `<w:numbering ${NAMESPACES}><w:abstractNum><w:lvl w:ilvl="0"><w:lvlText w:val="${text}"/></w:lvl></w:abstractNum></w:numbering>`,
      ),
      'word/_rels/document.xml.rels': relationships([{ type: 'numbering', target: 'numbering.xml' }]),
    });
    expect(await of('<w:p/>', numbered('Section %1.'))).toBeNull();
    expect(await of('<w:p/>', numbered('Do not %1'))).toBe('unshown');
    expect(
      await of(`<w:p>${run('Figure ')}<w:fldSimple w:instr=" SEQ Figure ">${run('5')}</w:fldSimple></w:p>`),
    ).toBeNull();
  });
});

describe('parts are those that Word and the converter both find', () => {
  const main = (target: string, type = 'officeDocument') => ({ '_rels/.rels': relationships([{ type, target }]) });

  test.each<[string, Zippable]>([
    ['a main part under another name', { ...main('word/other.xml'), 'word/other.xml': strToU8(bodyOf('<w:p/>')) }],
    ['a main part that is not there', main('word/none.xml')],
    ['none that is named', { '_rels/.rels': relationships([]) }],
    ['notes that no relationship names', { 'word/footnotes.xml': strToU8(`<w:footnotes ${NAMESPACES}/>`) }],
    ['a target with steps in it', main('word/../word/document.xml')],
    ['two names that are one to Word', { 'word/Document.xml': strToU8(bodyOf('<w:p/>')) }],
    ['a name that a reader puts in order', { 'word/./document.xml': strToU8(bodyOf('<w:p/>')) }],
  ])('%s: refused', async (_, more) => {
    expect(await judged(word(more))).not.toBeNull();
  });

  test('relationships of the strict dialect are taken where they lead to the same', async () => {
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument';
    expect(await judged(word(main('word/document.xml', strict)))).toBeNull();
  });
});

/** The plain file, with an extra field at its main part. */
const partsWith = (extra: Record<number, Uint8Array>): Zippable => ({
  '[Content_Types].xml': strToU8(TYPES),
  '_rels/.rels': relationships([{ type: 'officeDocument', target: 'word/document.xml' }]),
  'word/document.xml': [strToU8(bodyOf('<w:p/>')), { extra }],
});

describe('a ZIP says everything once', () => {
  const local = (bytes: Uint8Array, name: string) => Buffer.from(bytes).indexOf(name) - 30;
  const directory = (bytes: Uint8Array, name: string) => Buffer.from(bytes).lastIndexOf(name) - 46;
  const changed = (change: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
    const bytes = word().slice();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  const NAME = 'word/document.xml';

  test.each<[string, Uint8Array]>([
    ['another name before the bytes', changed(bytes => (bytes[local(bytes, NAME) + 30] = 0x57))],
    ['another way of packing', changed((bytes, view) => view.setUint16(local(bytes, NAME) + 8, 0, true))],
    ['another size', changed((bytes, view) => view.setUint32(local(bytes, NAME) + 22, 5, true))],
    ['a file that is a folder', changed((bytes, view) => view.setUint32(directory(bytes, NAME) + 38, 0x10, true))],
    ['a second name in the extra field', zipSync(partsWith({ 0x7075: new Uint8Array([1, 0, 0, 0, 0, 0x61]) }))],
  ])('%s: damaged', async (_, bytes) => {
    expect(await judged(bytes)).toBe('damaged');
  });

  test('extra fields that say something else are taken', async () => {
    expect(await judged(zipSync(partsWith({ 0x5455: new Uint8Array([1, 0, 0, 0, 0]) })))).toBeNull();
  });
});

test('parts that nobody reads are measured and not looked at: what is in them is no business of the check', async () => {
  expect(
    await judged(word({ 'customXml/item1.xml': strToU8('<a><b></a>'), 'word/media/a.png': new Uint8Array(50_000) })),
  ).toBeNull();
});
