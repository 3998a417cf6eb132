import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileForm } from '../forms/definition/compiled-form.ts';
import { formState } from '../forms/answers/form-state.ts';
import { valueAt } from '../forms/answers/form-values.ts';
import type { ImportedForm } from '../odk/checked-form.ts';
import { importFormFile } from '../import/form-file.ts';
import { findingText } from '../workbook/sheet-table.ts';
import { importXForm } from './xform.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

/** An XForm; each part begins on a line of its own. */
const xform = ({ itext = '', instance = '<a/>', more = '', binds = '', body = '' }): string => `<?xml version="1.0"?>
<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa">
<h:head><h:title>Check</h:title><model>${itext}
<instance><data id="check" version="3">${instance}</data></instance>
${more}
${binds}
</model></h:head><h:body>
${body}
</h:body></h:html>`;

function imported(xml: string): ImportedForm {
  const result = importXForm(xml, 'check.xml');
  if (!result.ok) throw new Error(result.problems.map(findingText).join('\n'));
  return result;
}

function problemsOf(xml: string): string[] {
  const result = importXForm(xml, 'check.xml');
  return result.ok ? [] : result.problems.map(findingText);
}

describe('what an XForm says becomes a form', () => {
  test('groups with and without nodes, repeats, and every path as the name it stands for', () => {
    const { form, formId, formVersion } = imported(
      xform({
        instance: '<g><a/><r><n/><p/></r></g><sum/><b/><n2/>',
        binds: `<bind nodeset="/data/g/a" type="int" required="true()" jr:requiredMsg="Needed"/>
<bind nodeset="/data/g/r/n" type="int" relevant="../../a &gt; 1 and /data/b = 'x'" constraint=". &lt; 9" jr:constraintMsg="Too much"/>
<bind nodeset="/data/g/r/p" calculate="position(..)"/>
<bind nodeset="/data/sum" calculate="sum( /data/g/r/n )"/>`,
        body: `<group appearance="field-list"><label>Page</label>
<group ref="/data/g"><label>G</label><input ref="/data/g/a"><label>A</label></input>
<group ref="/data/g/r"><label>R</label><repeat nodeset="/data/g/r" jr:count="/data/g/a"><input ref="/data/g/r/n"><label>N of <output value="/data/g/a"/></label></input></repeat></group>
</group></group>
<select1 ref="/data/b"><label>B</label><item><label>X</label><value>x</value></item></select1>`,
      }),
    );
    expect([formId, formVersion]).toEqual(['check', '3']);
    expect(form.choice_lists).toEqual({ b: [{ name: 'x', label: 'X' }] });
    expect(form.items).toEqual([
      {
        type: 'group',
        name: 'group_1',
        label: 'Page',
        appearance: 'field-list',
        items: [
          {
            type: 'group',
            name: 'g',
            label: 'G',
            items: [
              { type: 'integer', name: 'a', label: 'A', required: true, required_message: 'Needed' },
              {
                type: 'repeat',
                name: 'r',
                label: 'R',
                count: '${a}',
                items: [
                  {
                    type: 'integer',
                    name: 'n',
                    label: 'N of ${a}',
                    relevant: "${a} > 1 and ${b} = 'x'",
                    constraint: '. < 9',
                    constraint_message: 'Too much',
                  },
                  { type: 'calculate', name: 'p', calculation: 'position(..)' },
                ],
              },
            ],
          },
        ],
      },
      { type: 'select_one', name: 'b', label: 'B', list: 'b' },
      { type: 'calculate', name: 'sum', calculation: 'sum(${n})' },
    ]);
    const compiled = compileForm(form);
    if (!compiled.ok) throw new Error('does not compile');
    const given = (value: string | number) => ({ value, note: null, mediaIds: [] });
    const { values } = formState(
      compiled.compiled,
      new Map([
        ['group_1.g.a', given(2)],
        ['b', given('x')],
        ['group_1.g.r[1].n', given(3)],
        ['group_1.g.r[2].n', given(4)],
      ]),
      moment,
    );
    expect(valueAt(values, 'sum')?.value).toBe(7);
  });

  test('texts in two languages, pictures by name, lists with a filter, defaults', () => {
    const { form, notUnderstood } = imported(
      xform({
        itext: `<itext><translation lang="German"><text id="a:label"><value>Wo?</value></text></translation><translation lang="English" default="true()"><text id="a:label"><value>Where, <output value=" /data/b "/>?</value></text><text id="t1"><value>Ulm</value></text><text id="x"><value>X</value><value form="image">jr://images/x.png</value></text></translation></itext>`,
        instance: '<a/><b>words</b><c/><d>7</d>',
        more: `<instance id="towns"><root><item><itextId>t1</itextId><name>ulm</name><country>de</country></item></root></instance>
<setvalue event="odk-instance-first-load" ref="/data/c" value="today()"/>`,
        binds: '<bind nodeset="/data/c" type="date"/><bind nodeset="/data/d" type="int"/>',
        body: `<select1 ref="/data/a"><label ref="jr:itext('a:label')"/><itemset nodeset="instance('towns')/root/item[country= /data/b ]"><value ref="name"/><label ref="jr:itext(itextId)"/></itemset></select1>
<input ref="/data/b"><label>B</label></input><input ref="/data/c"/><input ref="/data/d"/>`,
      }),
    );
    expect(form.languages).toEqual(['English', 'German']);
    expect(form.choice_lists).toEqual({
      towns: [{ name: 'ulm', label: { English: 'Ulm' }, attributes: { country: 'de' } }],
    });
    expect(form.items).toEqual([
      {
        type: 'select_one',
        name: 'a',
        label: { English: 'Where, ${b}?', German: 'Wo?' },
        list: 'towns',
        choice_filter: 'country = ${b}',
      },
      { type: 'text', name: 'b', label: 'B', default: 'words' },
      { type: 'date', name: 'c', default_expression: 'today()' },
      { type: 'integer', name: 'd', default: 7 },
    ]);
    expect(notUnderstood).toEqual([]);
  });
});

describe('what cannot be taken over is named with its line', () => {
  test.each([
    [
      'an own question of another app',
      { binds: '<bind nodeset="/data/a" type="xform"/>' },
      'line 8: "a": questions of type "xform" are not supported',
    ],
    [
      'a map of buildings',
      { body: '<upload mediatype="osm/*" ref="/data/a"/>\n<input ref="/data/b"/>' },
      'line 8: "a": this would open the OpenStreetMap app OpenMapKit, which Cairn does not: it was left out',
    ],
    [
      'what others record',
      {
        binds: '<bind nodeset="/data/a" jr:preload="timestamp" jr:preloadParams="start"/>',
        body: '<input ref="/data/b"/>',
      },
      'line 6: "a" was left out: Cairn itself records who inspected, when and on which form',
    ],
  ])('%s', (_, parts, note) => {
    const body = '<input ref="/data/a"/>\n<input ref="/data/b"/>';
    const { notUnderstood } = imported(xform({ instance: '<a/><b/>', body, ...parts }));
    expect(notUnderstood.map(findingText)).toEqual([note]);
  });
});

describe('a form that cannot work is refused, with its line', () => {
  const ask = '<input ref="/data/a"/>';
  test.each([
    ['no XML', 'line 1: Root element is missing or invalid', 'hello'],
    ['no form', 'line 1: this is no XForm: it has no model or no body', '<a/>'],
    ['an element that is not closed', 'line 9', xform({ body: '<input ref="/data/a">' })],
    ['no question', 'there is no question in this form', xform({})],
    [
      'an expression that cannot be read',
      'line 6, relevant: "a": ")" is missing before the end (character 7 of: 1 + (1)',
      xform({ binds: '<bind nodeset="/data/a" relevant="1 + (1"/>', body: ask }),
    ],
    [
      'a function nobody knows',
      'line 6, constraint: "a": unknown function pullata() (character 1 of: pullata(\'x\'))',
      xform({ binds: '<bind nodeset="/data/a" constraint="pullata(\'x\')"/>', body: ask }),
    ],
    [
      'a path that leads nowhere',
      'line 6, relevant: "a": there is no question "b" (character 1 of: ${b})',
      xform({ binds: '<bind nodeset="/data/a" relevant="/data/b"/>', body: ask }),
    ],
    [
      'a question without a node',
      'line 8: this input asks for "/data/z", which is no node of the form',
      xform({ body: '<input ref="/data/z"/>' }),
    ],
    [
      'a list that stands elsewhere',
      'line 8: "a": the list "towns" is not in this file',
      xform({
        more: '<instance id="towns" src="jr://file-csv/towns.csv"/>',
        body: `<select1 ref="/data/a"><itemset nodeset="instance('towns')/root/item"/></select1>`,
      }),
    ],
    [
      'a range without an end',
      'line 8: "a": a range has numbers as its ends and step, not from 1 to NaN in steps of 1',
      xform({ body: '<range ref="/data/a" start="1" step="1"/>' }),
    ],
  ])('%s', (_, problem, xml) => {
    const [first = ''] = problemsOf(xml);
    expect(first.slice(0, problem.length)).toBe(problem);
  });

  test('a document type that would grow without end is refused', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "${'x'.repeat(100)}"><!ENTITY c "&b;&b;">]><a>&c;</a>`;
    expect(problemsOf(bomb)[0]).toMatch(/^line 1/);
  });
});

const folder = fileURLToPath(new URL('../../../../../shared/data/xforms/', import.meta.url));
const sample = (name: string): string | null => {
  if (existsSync(folder)) return readFileSync(`${folder}${name}`, 'utf8');
  process.stdout.write(`${folder} is absent: the sample XForms of others are not tried.\n`);
  return null;
};

describe('XForms that others made', () => {
  test('all-widgets.xml: every question is asked but the one that opens another app, which is named', () => {
    const xml = sample('all-widgets.xml');
    if (xml === null) return;
    const { form, questions, notUnderstood } = imported(xml);
    expect(questions).toBe(71);
    const compiled = compileForm(form);
    expect(compiled.ok).toBe(true);
    const named = notUnderstood.map(findingText).filter(text => /another app|printer|OpenMapKit/.test(text));
    expect(named.map(text => /"(\w+)"/.exec(text)?.[1])).toEqual([
      'ex_string_widget',
      'ex_printer_widget',
      'ex_integer_widget',
      'ex_decimal_widget',
      'osm_building',
    ]);
  });

  test('invalid-form.xml is refused at the line of the rule that depends on itself', () => {
    const xml = sample('invalid-form.xml');
    if (xml === null) return;
    expect(problemsOf(xml)).toEqual(['line 26, relevant: "q2": this depends on itself']);
  });

  test('likert_test.xml: lists that depend on answers before', () => {
    const xml = sample('likert_test.xml');
    if (xml === null) return;
    const { form } = imported(xml);
    expect(form.items.at(-1)).toMatchObject({
      items: [{ name: 'source1' }, { choice_filter: 'level1 = ${source1}' }, { name: 'target1-1' }],
    });
  });
});

test('no damage to a file makes the importer fail in any other way than saying so', async () => {
  const whole = sample('likert_test.xml') ?? xform({ body: '<input ref="/data/a"><label>A</label></input>' });
  const fragments = ['<', '>', '"', "'", '&', '/', '</input>', 'jr:itext(', '[', '\u0000', '😀', '..', '${'];
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(60), fc.constantFrom(...fragments), async (where, cut, fragment) => {
      const at = where % whole.length;
      const damaged = new TextEncoder().encode(whole.slice(0, at) + fragment + whole.slice(at + cut));
      const result = await importFormFile(new Uint8Array(damaged).buffer, 'damaged.xml');
      const messages = result.ok ? ['imported'] : result.problems.map(({ message }) => message);
      expect(messages).not.toContain('');
    }),
    { numRuns: 150 },
  );
});
