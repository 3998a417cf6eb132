import { describe, expect, test } from 'vitest';
import { workbook } from '@cairn/testing/workbook-builder.ts';
import { importFormFile } from '../import/form-file.ts';
import { readFormFiles } from '../import/form-files.ts';
import { findingText } from '../workbook/sheet-table.ts';

const NAMESPACES = `xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"
xmlns:jr="http://openrosa.org/javarosa" xmlns:odk="http://www.opendatakit.org/xforms"
xmlns:orx="http://openrosa.org/xforms" xmlns:entities="http://www.opendatakit.org/xforms/entities"`;

/** An XForm in one line behind its namespaces. */
const xform = ({ root = '', nodes = '<pump/>', model = '', body = '' }): string =>
  `<h:html ${NAMESPACES}><h:head><h:title>Pumps</h:title><model><instance><data id="pumps" version="2"${root}>${nodes}</data></instance>${model}</model></h:head><h:body>${body}</h:body></h:html>`;

const pump = '<input ref="/data/pump"><label>Pump</label></input>';
const bytes = (text: string) => new TextEncoder().encode(text);

async function read(xml: string, beside: Record<string, string> = {}) {
  const files = Object.entries({ 'pumps.xml': xml, ...beside });
  const { result } = await readFormFiles(files.map(([name, text]) => ({ name, bytes: bytes(text) })));
  return result.ok
    ? { items: result.form.items, lists: result.form.choice_lists, notes: result.notUnderstood.map(findingText) }
    : { items: [], lists: {}, notes: result.problems.map(findingText) };
}
const notesOf = async (xml: string, beside?: Record<string, string>) => (await read(xml, beside)).notes;

describe('what an XForm says and nothing here reads is named', () => {
  test.each([
    [
      'of a control',
      { body: '<input ref="/data/pump" accuracyThreshold="3"><label>Pump</label></input>' },
      'line 3, accuracyThreshold: "pump": this is not supported and was left out',
    ],
    [
      'of a text that is worked out',
      {
        nodes: '<pump/><b/>',
        body: `${pump}<input ref="/data/b"><label>Of <output value="/data/pump"/>: <output value="concat(/data/pump, '!')"/></label></input>`,
      },
      `line 3, output: "b": only answers are filled in: "concat(\${pump}, '!')" is shown as it is written`,
    ],
    [
      'of a bind',
      { model: '<bind nodeset="/data/pump" type="string" orx:max-pixels="640"/>', body: pump },
      'line 3, max-pixels: "pump": this is not supported and was left out',
    ],
    [
      'of a section',
      {
        nodes: '<g><pump/></g>',
        body: '<group ref="/data/g" intent="org.example.app()"><input ref="/data/g/pump"/></group>',
      },
      'line 3, intent: "g": this is not supported and was left out',
    ],
    [
      'places to be chosen on a map',
      {
        model:
          '<instance id="sites"><root><item><name>a</name></item></root></instance><bind nodeset="/data/pump" type="geopoint"/>',
        body: `<input ref="/data/pump"><label>Pump</label><itemset nodeset="instance('sites')/root/item"><value ref="name"/></itemset></input>`,
      },
      'line 3, itemset: "pump": this is not supported and was left out',
    ],
    [
      'an action',
      { body: `${pump}<odk:recordaudio ref="/data/pump" event="odk-instance-load"/>` },
      'line 3, recordaudio: this is not supported and was left out',
    ],
    [
      'how it is sent',
      { model: '<submission orx:auto-send="true"/>', body: pump },
      'line 3, submission: "auto-send" is not supported and was left out',
    ],
    [
      'of the form',
      { root: ' odk:delimiter="+"', body: pump },
      'line 3, delimiter: "delimiter" is not supported and was left out',
    ],
    [
      'an entity',
      {
        nodes: '<pump/><meta><entity dataset="pumps" id=""><label/></entity></meta>',
        model: '<bind nodeset="/data/meta/entity/label" calculate="/data/pump"/>',
        body: pump,
      },
      'line 3, entity: Cairn keeps no entities; what is inspected stands in its register',
    ],
    [
      'sounds of choices',
      {
        model: `<itext><translation lang="en"><text id="c-0"><value>Red</value><value form="audio">jr://audio/red.mp3</value></text></translation></itext><instance id="colours"><root><item><itextId>c-0</itextId><name>red</name></item></root></instance>`,
        body: `<select1 ref="/data/pump"><label>Pump</label><itemset nodeset="instance('colours')/root/item"><value ref="name"/><label ref="jr:itext(itextId)"/></itemset></select1>`,
      },
      'line 3, audio: the choices of "colours": this is not supported and was left out',
    ],
  ])('%s', async (_, parts, notes) => {
    expect(await notesOf(xform(parts))).toEqual([notes]);
  });

  test('a question may be called as an action is', async () => {
    const body = '<input ref="/data/recordaudio"><label>Recorded</label></input>';
    expect(await notesOf(xform({ nodes: '<recordaudio/>', body }))).toEqual([]);
  });

  test('a form that says nothing else has nothing left out; a count says that nobody adds entries', async () => {
    const repeat =
      '<repeat nodeset="/data/r" jr:count="2" jr:noAddRemove="true()"><input ref="/data/r/pump"/></repeat>';
    expect(await notesOf(xform({ nodes: '<r><pump/></r>', body: `<group ref="/data/r">${repeat}</group>` }))).toEqual(
      [],
    );
  });
});

test('of thousands of such things five hundred are told, and how many more there are', async () => {
  const strange = Array.from({ length: 600 }, (_, at) => ` s${at}="1"`).join('');
  const notes = await notesOf(xform({ body: pump.replace('<input', `<input${strange}`) }));
  expect(notes).toHaveLength(501);
  expect(notes).toContain('100 more things of this kind are not supported and were left out');
});

describe('an external select of an XForm', () => {
  const query = `<input ref="/data/pump" query="instance('pump')/root/item[site = /data/site]"><label>Pump</label></input>`;
  const xml = xform({ nodes: '<site/><pump/>', body: `<input ref="/data/site"><label>Site</label></input>${query}` });
  const itemsets = 'list_name,name,label,site\npump,p1,Pump 1,north\nvalve,v1,Valve 1,north\npump,p2,Pump 2,south\n';

  test('offers the rows of its list in itemsets.csv that pass', async () => {
    const { items, lists, notes } = await read(xml, { 'itemsets.csv': itemsets });
    expect(notes).toEqual([]);
    expect(items[1]).toEqual({
      type: 'select_one',
      name: 'pump',
      label: 'Pump',
      list: 'pump',
      choice_filter: 'site = ${site}',
    });
    expect(lists).toEqual({
      pump: [
        { name: 'p1', label: 'Pump 1', attributes: { site: 'north' } },
        { name: 'p2', label: 'Pump 2', attributes: { site: 'south' } },
      ],
    });
  });

  test.each([
    [{}, 'line 3: "pump": the list "pump" is not in this file: choose its own ("itemsets.csv") together with the form'],
    [{ 'itemsets.csv': 'list_name,name\nvalve,v1\n' }, 'line 3: "pump": "itemsets.csv" has no list "pump"'],
  ])('without its rows it is refused, and is no text: %j', async (beside, problem) => {
    expect(await notesOf(xml, beside as Record<string, string>)).toEqual([problem]);
  });
});

describe('a workbook and the XForm made of it are told the same', () => {
  test('a file that lacks the column its labels are taken from', async () => {
    const file = { 'sites.csv': 'name,title_de\na,Nord\n' };
    const book = await readFormFiles([
      {
        name: 'pumps.xlsx',
        bytes: new Uint8Array(
          workbook({
            survey: [
              ['type', 'name', 'label', 'parameters'],
              ['select_one_from_file sites.csv', 'site', 'Site', 'label=title_en'],
            ],
          }),
        ),
      },
      { name: 'sites.csv', bytes: bytes(file['sites.csv']) },
    ]);
    const body = `<select1 ref="/data/pump"><label>Site</label><itemset nodeset="instance('sites')/root/item"><value ref="name"/><label ref="title_en"/></itemset></select1>`;
    const model = '<instance id="sites" src="jr://file-csv/sites.csv"/>';
    expect(book.result.ok).toBe(false);
    expect(await notesOf(xform({ model, body }), file)).toEqual([
      'line 3: "pump": the file of the list "sites" has no column "title_en"',
    ]);
    expect((await read(xform({ model, body: body.replace('title_en', 'label') }), file)).items).toHaveLength(1);
  });

  test('a file that pulldata() reads and that was not chosen', async () => {
    const model = `<bind nodeset="/data/pump" constraint="pulldata('sites', 'open', 'name', .) = 'yes'"/>`;
    expect((await notesOf(xform({ model, body: pump }))).join()).toMatch(
      /there is no list "sites".*; if it stands in a file \(sites\.csv\), choose that together with the form$/,
    );
  });

  test('id_string is the id of the form', async () => {
    const read = await importFormFile(
      workbook({
        survey: [
          ['type', 'name', 'label'],
          ['text', 'pump', 'Pump'],
        ],
        settings: [['id_string'], ['pumps-7']],
      }),
      'pumps.xlsx',
    );
    expect(read).toMatchObject({ ok: true, formId: 'pumps-7', notUnderstood: [] });
  });
});
