import { describe, expect, test } from 'vitest';
import { readContents, type PackContents } from './pack-contents.ts';
import {
  joined,
  keyOfOwn,
  isOfRecord,
  namedTexts,
  NO_CONTENTS,
  offeredKeys,
  withVariableTexts,
  withDocument,
  withWholeKeys,
  withoutDocument,
} from './pack-writing.ts';

const policy = (key: string, body: string) => ({ key, title: `Title ${key}`, body });
const contents: PackContents = {
  ...NO_CONTENTS,
  variables: [{ key: 'company', label: 'Name of the company', hint: 'As on the door' }],
  policies: [policy('a', '{{company}} locks'), policy('b', 'two')],
  tasks: [{ key: 't', title: 'Walk round' }],
};

describe('writing a pack', () => {
  test('a document is written anew where it stands, and taken out without the others', () => {
    const written = withDocument(contents, 'policies', policy('a', 'new'));
    expect(written.policies.map(({ body }) => body)).toEqual(['new', 'two']);
    expect(withoutDocument(written, 'policies', 'a').policies).toEqual([policy('b', 'two')]);
    expect(withoutDocument(written, 'tasks', 'a')).toEqual(written);
  });

  test('what is joined takes the place of its key, and stands after the others where there was none', () => {
    const both = joined(contents, { ...NO_CONTENTS, policies: [policy('b', 'later'), policy('c', 'three')] });
    expect(both.policies.map(({ key, body }) => [key, body])).toEqual([
      ['a', '{{company}} locks'],
      ['b', 'later'],
      ['c', 'three'],
    ]);
    expect(both).toMatchObject({ variables: contents.variables, tasks: contents.tasks });
  });

  test('every word a text names is asked for, as it was or by its name; what nothing names is not', () => {
    const named = withDocument(contents, 'policies', policy('b', 'Ask {{name_of_site}} and {{company}}'));
    expect(namedTexts(named)).toEqual(['company', 'name_of_site']);
    expect(withVariableTexts(named).variables).toEqual([
      { key: 'company', label: 'Name of the company', hint: 'As on the door' },
      { key: 'name_of_site', label: 'Name of site' },
    ]);
    expect(readContents(named)).toEqual({ ok: false, fault: 'unknown_variable' });
    expect(readContents(withVariableTexts(named)).ok).toBe(true);
    expect(withVariableTexts(withoutDocument(contents, 'policies', 'a')).variables).toEqual([]);
  });

  test('nothing yet is refused as empty; what is made of an own record has the key the server gives it', () => {
    expect(readContents(NO_CONTENTS)).toEqual({ ok: false, fault: 'empty' });
    expect(keyOfOwn('forms', '0190aabb-0000-7000-8000-000000000000')).toBe('f-0190aabb000070008000000000000000');
  });
});

describe('keys of eight letters, as packs were once made', () => {
  const DOORS = '0190aabb-0000-7000-8000-000000000001';
  const own = { policies: [DOORS, '0190ffff-0000-7000-8000-000000000002'], forms: [] };
  const twins = { policies: [DOORS, '0190aabb-1111-7000-8000-000000000003'], forms: [] };
  const [short, whole] = ['p-0190aabb', keyOfOwn('policies', DOORS)];
  const old: PackContents = { ...NO_CONTENTS, policies: [policy(short, 'old'), policy('b', 'two')] };
  const anew: PackContents = { ...NO_CONTENTS, policies: [policy(whole, 'new')] };

  test('stand for the same record: it is not in a pack twice', () => {
    expect(isOfRecord('policies', short, { id: DOORS, own })).toBe(true);
    expect(joined(old, anew, own).policies.map(({ key, body }) => [key, body])).toEqual([
      [short, 'new'],
      ['b', 'two'],
    ]);
    expect(joined(anew, anew, own)).toEqual(anew);
  });

  test('become the whole id with the next save, unless the pack was offered with them: whoever has it knows the document by its key', () => {
    const keys = (contents: PackContents, offered: ReadonlySet<string>, ids = own) =>
      withWholeKeys(contents, ids, offered).policies.map(({ key }) => key);
    expect(keys(old, new Set())).toEqual([whole, 'b']);
    expect(keys(old, offeredKeys([old]))).toEqual([short, 'b']);
    // Both are in it already: nobody but its maker says which goes.
    expect(keys({ ...old, policies: [...old.policies, policy(whole, 'new')] }, new Set())).toEqual([short, 'b', whole]);
  });

  test('are left alone where two records begin alike: which one was meant is not known', () => {
    expect(isOfRecord('policies', short, { id: DOORS, own: twins })).toBe(false);
    expect(joined(old, anew, twins).policies.map(({ key }) => key)).toEqual([short, 'b', whole]);
    expect(withWholeKeys(old, twins, new Set())).toEqual(old);
  });
});
