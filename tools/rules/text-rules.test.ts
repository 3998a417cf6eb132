import { describe, expect, test } from 'vitest';
import { flat, languageProblems, unusedTexts } from './text-rules.ts';

const english = flat({
  shell: { greeting: 'Hello {{name}}', rows_one: '{{count}} row', rows_other: '{{count}} rows' },
});

describe('a language beside English', () => {
  test('one that says everything with the same placeholders has no problem', () => {
    const german = flat({
      shell: { greeting: '{{name}}, hallo', rows_one: '{{count}} Zeile', rows_other: '{{count}} Zeilen' },
    });
    expect(languageProblems(english, german, 'de')).toEqual([]);
  });

  test('a missing, an empty, a surplus and a differently filled key are each named', () => {
    const german = flat({ shell: { greeting: 'Hallo {{nmae}}', rows_one: ' ', extra: 'Mehr' } });
    expect(languageProblems(english, german, 'de')).toEqual([
      'de: shell.greeting fills in {nmae}, English {name}',
      'de: shell.rows_one is empty',
      'de: shell.rows_other is missing',
      'de: shell.extra is not in English',
    ]);
  });

  test('a language with more plural forms owes each of them', () => {
    const polish = flat({ shell: { greeting: '{{name}}', rows_one: '{{count}}', rows_other: '{{count}}' } });
    expect(languageProblems(english, polish, 'pl')).toEqual([
      'pl: shell.rows_few is missing',
      'pl: shell.rows_many is missing',
    ]);
  });
});

describe('texts that nobody can see', () => {
  const texts = flat({ shell: { open: 'Open', state: { on: 'On', off: 'Off' }, rows_one: '1', rows_other: '2' } });
  const unused = (source: string) => unusedTexts(texts, ['shell', 'other'], [source]);

  test('a key written out, a plural and a key put together are used', () => {
    expect(unused("const { t } = useTranslation('shell'); t('open'); t(`state.${x}`); t('rows', { count })")).toEqual(
      [],
    );
  });

  test('a key that stands in a file of another area is not', () => {
    expect(unused("useTranslation('other'); t('open'); t(`state.${x}`); t('rows')")).toHaveLength(texts.size);
  });

  test('a template that could be anything uses nothing', () => {
    expect(unused("useTranslation('shell'); t('rows'); key(`${a}.${b}`); path(`state/${x}`)")).toEqual([
      'shell.open',
      'shell.state.on',
      'shell.state.off',
    ]);
  });
});
