import { strToU8, zipSync, zlibSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { documentProblem } from './document-check.ts';
import { documentKind, MAX_DOCUMENT_BYTES, PDF_MIME, WORD_MIME } from './document-kind.ts';
import { bodyOf, NAMESPACES, relationships, TYPES, word } from './word-files-for-tests.ts';

const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const pdf = (objects: string, end = '%%EOF\n') =>
  latin(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n${objects}\ntrailer\n<< /Root 1 0 R >>\n${end}`);
const packed = (objects: string, dictionary = '/Type /ObjStm /Filter /FlateDecode /N 1 /First 4') => {
  const body = Array.from(zlibSync(strToU8(objects)), each => String.fromCharCode(each)).join('');
  return pdf(`5 0 obj\n<< ${dictionary} /Length ${body.length} >>\nstream\n${body}\nendstream\nendobj`);
};
const rels = (type: string, target: string) => relationships([{ type, target, mode: 'External' }]);
/** The same ZIP, whose last entry says that it unpacks to that many bytes, before its bytes as in the directory. */
function announcing(zip: Uint8Array, size: number): Uint8Array {
  const bytes = zip.slice();
  const view = new DataView(bytes.buffer);
  let last = 0;
  for (let at = 0; at + 4 < bytes.length; at += 1) if (view.getUint32(at, true) === 0x02014b50) last = at;
  view.setUint32(last + 24, size, true);
  view.setUint32(view.getUint32(last + 42, true) + 22, size, true);
  return bytes;
}

describe('a PDF', () => {
  test('is taken where it only says what to draw', async () => {
    expect(await documentProblem(pdf(''), PDF_MIME)).toBeNull();
    expect(await documentProblem(pdf('3 0 obj\n<< /OpenAction [4 0 R /Fit] >>\nendobj'), PDF_MIME)).toBeNull();
    expect(await documentProblem(packed('7 0 << /Type /Page >>'), PDF_MIME)).toBeNull();
    // What a stream draws is no name.
    const drawn = '4 0 obj\n<< /Length 40 >>\nstream\n(/JavaScript /Launch ) Tj\nendstream\nendobj';
    expect(await documentProblem(pdf(drawn), PDF_MIME)).toBeNull();
  });

  test('that carries a program, starts something or holds files is refused, also where the name is spelled in numbers', async () => {
    for (const action of [
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>',
      '/AA << /O << /S /Launch /F (cmd.exe) >> >>',
      '/S /J#61va#53cript',
      '/Names << /EmbeddedFiles 9 0 R >>',
      '/AcroForm << /XFA 3 0 R >>',
      '/A << /S /SubmitForm >>',
    ])
      expect(await documentProblem(pdf(`3 0 obj\n<< ${action} >>\nendobj`), PDF_MIME)).toBe('active');
  });

  test('of gaps, or of names spelled in numbers, is looked at in one go', async () => {
    const gaps = packed('7 0 << /Type /Page >>', `/Type /ObjStm /Filter ${' '.repeat(30_000)} /N 1 /First 4`);
    const numbers = pdf(`3 0 obj\n<< /${'#41'.repeat(200_000)} >>\nendobj`);
    const begun = performance.now();
    expect(await documentProblem(gaps, PDF_MIME)).toBe('damaged');
    expect(await documentProblem(numbers, PDF_MIME)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('that packs its program into a stream of objects is refused; so is one that packs them in an unusual way', async () => {
    expect(await documentProblem(packed('7 0 << /S /JavaScript /JS (x) >>'), PDF_MIME)).toBe('active');
    const odd = packed('7 0 << /S /JS >>', '/Type /ObjStm /Filter [/ASCIIHexDecode /FlateDecode]');
    expect(await documentProblem(odd, PDF_MIME)).toBe('damaged');
  });

  test('that is closed with a password is refused', async () => {
    expect(await documentProblem(pdf('', '<< /Encrypt 8 0 R >>\n%%EOF'), PDF_MIME)).toBe('encrypted');
  });

  test('whose objects unpack to more than a phone holds is refused', async () => {
    expect(await documentProblem(packed(' '.repeat(70_000_000)), PDF_MIME)).toBe('bomb');
  });

  test('that is something else besides, or breaks off, is refused', async () => {
    const both = new Uint8Array([...pdf(''), ...word()]);
    expect(await documentProblem(both, PDF_MIME)).toBe('damaged');
    expect(await documentProblem(pdf('<html><script>alert(1)</script>'), PDF_MIME)).toBe('damaged');
    expect(await documentProblem(pdf('', ''), PDF_MIME)).toBe('damaged');
    expect(await documentProblem(latin('<script>alert(1)</script>%PDF-1.7 %%EOF'), PDF_MIME)).toBe('unknown');
  });
});

describe('a Word file', () => {
  test('is taken with links and pictures', async () => {
    expect(await documentProblem(word(), WORD_MIME)).toBeNull();
    const linked = { 'word/_rels/document.xml.rels': rels('hyperlink', 'https://example.com') };
    expect(await documentProblem(word(linked), WORD_MIME)).toBeNull();
  });

  test('of before 2007, or closed with a password, is refused', async () => {
    const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
    expect(documentKind(old)).toBe('old_word');
    expect(await documentProblem(old, WORD_MIME)).toBe('old_word');
  });

  test('with macros is refused, by its parts and by what it says it is', async () => {
    expect(await documentProblem(word({ 'word/vbaProject.bin': strToU8('x') }), WORD_MIME)).toBe('macros');
    expect(await documentProblem(word({ 'word/activeX/activeX1.bin': strToU8('x') }), WORD_MIME)).toBe('macros');
    const enabled = TYPES.replace(
      'vnd.openxmlformats-officedocument.wordprocessingml.document',
      'vnd.ms-word.document.macroEnabled',
    );
    expect(await documentProblem(word({}, enabled), WORD_MIME)).toBe('macros');
  });

  test('that fetches a template or an object from elsewhere is refused', async () => {
    for (const type of ['attachedTemplate', 'oleObject', 'frame', 'subDocument'])
      expect(
        await documentProblem(
          word({ 'word/_rels/settings.xml.rels': rels(type, 'https://evil.example/x.dotm') }),
          WORD_MIME,
        ),
      ).toBe('active');
  });

  test('that would be read otherwise here than in Word is refused with what it is', async () => {
    const run = (words: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${words}</w:t></w:r>`;
    const of = (paragraph: string) => documentProblem(word({}, TYPES, bodyOf(`<w:p>${paragraph}</w:p>`)), WORD_MIME);
    const deleted = '<w:del w:id="1" w:author="A"><w:r><w:delText>not </w:delText></w:r></w:del>';
    expect(await of(`${run('Guards must ')}${deleted}${run('be removed.')}`)).toBe('changes');
    expect(await of(`<w:ins w:id="2" w:author="A">${run('always')}</w:ins>`)).toBe('changes');
    expect(await of('<w:pPr><w:rPr><w:del w:id="3" w:author="A"/></w:rPr></w:pPr>')).toBe('changes');
    expect(await of(run('a draft', '<w:vanish/>'))).toBe('hidden');
    expect(await of('<m:oMath><m:r><m:t>p &lt; 5 bar</m:t></m:r></m:oMath>')).toBe('formulas');
    const note = `<w:footnote w:id="2"><w:p>${run('a draft', '<w:vanish w:val="1"/>')}</w:p></w:footnote>`;
    const notes = word({
      'word/footnotes.xml': strToU8(`<w:footnotes ${NAMESPACES}>${note}</w:footnotes>`),
      'word/_rels/document.xml.rels': relationships([{ type: 'footnotes', target: 'footnotes.xml' }]),
    });
    expect(await documentProblem(notes, WORD_MIME)).toBe('hidden');
  });

  test('of tags that never end, or of nothing but runs, is looked at in one go', async () => {
    const open = '<Relationship '.repeat(20_000);
    const runs = bodyOf(`<w:p>${'<w:r/>'.repeat(20_000)}<w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r></w:p>`);
    const begun = performance.now();
    expect(await documentProblem(word({ 'word/_rels/a.rels': strToU8(open) }), WORD_MIME)).toBe('damaged');
    expect(await documentProblem(word({}, TYPES, runs), WORD_MIME)).toBe('hidden');
    // 400 kB: seconds where each tag is looked for anew.
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('with borders inside its tables, hidden codes of fields and marks of hidden paragraphs is taken', async () => {
    const body = [
      '<w:tbl><w:tblPr><w:tblBorders><w:insideH w:val="single"/><w:insideV w:val="single"/></w:tblBorders></w:tblPr></w:tbl>',
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:instrText>XE "Guards"</w:instrText></w:r></w:p>',
      '<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Seen</w:t></w:r></w:p>',
      '<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Seen as well</w:t></w:r></w:p>',
    ].join('');
    const taken = word({}, TYPES, bodyOf(body));
    expect(await documentProblem(taken, WORD_MIME)).toBeNull();
  });

  test('that unpacks to far more than it is, says less than it is, or names entities is refused', async () => {
    const zeros = new Uint8Array(60_000_000);
    expect(await documentProblem(word({ 'word/media/a.bin': zeros }), WORD_MIME)).toBe('bomb');
    const lying = announcing(word({ 'word/media/a.bin': zeros }), 1000);
    expect(await documentProblem(lying, WORD_MIME)).toBe('bomb');
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><w:document>&b;</w:document>';
    expect(await documentProblem(word({}, TYPES, laughs), WORD_MIME)).toBe('bomb');
    const many = Object.fromEntries(Array.from({ length: 2100 }, (_, n) => [`word/${n}.xml`, strToU8('')]));
    expect(await documentProblem(word(many), WORD_MIME)).toBe('damaged');
  });

  test('that is another archive, leads out of itself or goes on behind its end is refused', async () => {
    expect(await documentProblem(zipSync({ 'a.txt': strToU8('a') }), WORD_MIME)).toBe('unknown');
    expect(await documentProblem(word({ '../../evil.xml': strToU8('<a/>') }), WORD_MIME)).toBe('damaged');
    expect(await documentProblem(new Uint8Array([...word(), ...strToU8('<script>')]), WORD_MIME)).toBe('damaged');
    expect(await documentProblem(word().subarray(0, 200), WORD_MIME)).toBe('damaged');
  });
});

test('a type that is announced and not the one inside, an empty file and one that is too large are refused', async () => {
  expect(await documentProblem(word(), PDF_MIME)).toBe('unknown');
  expect(await documentProblem(new Uint8Array(0), PDF_MIME)).toBe('empty');
  expect(await documentProblem(new Uint8Array(MAX_DOCUMENT_BYTES + 1), PDF_MIME)).toBe('too_large');
  expect(await documentProblem(strToU8('{\\rtf1 hello}'), WORD_MIME)).toBe('unknown');
});
