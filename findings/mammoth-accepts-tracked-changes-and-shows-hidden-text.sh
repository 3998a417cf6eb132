#!/usr/bin/env bash
# mammoth 1.13.0: changes that nobody has accepted are taken as accepted, hidden text is shown, formulas are gone, and for the first two
# nothing is said.
#
# A Word file under review holds <w:del> and <w:ins>; Word shows both until somebody decides. convertToHtml drops what is proposed to go
# and keeps what is proposed to come, with an empty list of messages: "Guards must not be removed", with "not" proposed to go, is
# read as its opposite. A run with <w:vanish/>, which Word neither shows nor prints, comes out as ordinary text. A formula is left out;
# there `messages` names an unrecognised element.
#
# Instead: look for <w:ins>, <w:del>, <w:moveFrom>, <w:moveTo>, <w:vanish/> with <w:t> in its run, and <m:t> in word/document.xml (and in
# foot- and endnotes) before the file is converted, and ask for a final version.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mammoth@1.13.0 fflate@0.8.3
cat >try.mjs <<'JS'
import { strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';
const OFFICE = 'http://schemas.openxmlformats.org';
const W = `${OFFICE}/wordprocessingml/2006/main`;
const M = `${OFFICE}/officeDocument/2006/math`;
const docx = paragraph =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
      ),
      '_rels/.rels': strToU8(
        `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="${W}" xmlns:m="${M}"><w:body><w:p>${paragraph}</w:p></w:body></w:document>`,
      ),
    }),
  );
const run = (words, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;
const papers = {
  changes: `${run('Guards must ')}<w:del w:id="1" w:author="A"><w:r><w:delText xml:space="preserve">not </w:delText></w:r></w:del>${run('be removed.')}`,
  hidden: `${run('Seen. ')}${run('A draft.', '<w:vanish/>')}`,
  formula: `<m:oMath><m:r><m:t>p = 5</m:t></m:r></m:oMath>${run('bar')}`,
};
const seen = {};
for (const [name, paragraph] of Object.entries(papers)) {
  const { value, messages } = await mammoth.convertToHtml({ buffer: docx(paragraph) });
  seen[name] = { html: value, messages: messages.length };
  console.log(name, seen[name]);
}
const is = (name, html, messages) => seen[name].html === html && seen[name].messages === messages;
const holds =
  is('changes', '<p>Guards must be removed.</p>', 0) &&
  is('hidden', '<p>Seen. A draft.</p>', 0) &&
  is('formula', '<p>bar</p>', 1);
process.exit(holds ? 0 : 1);
JS
node try.mjs
