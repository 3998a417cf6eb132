import { describe, expect, test } from 'vitest';
import { BANNED_ENGLISH, BANNED_GERMAN } from './banned-texts.ts';
import {
  bannedPhrases,
  flat,
  languageProblems,
  literalsOf,
  longTexts,
  unusedTexts,
  wrongPercents,
} from './text-rules.ts';

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

  test('a form for one may leave out the number where English does', () => {
    const texts = (one: string) => flat({ shell: { often_one: one, often_other: '{{count}} times' } });
    expect(languageProblems(texts('Once'), texts('Einmal'), 'de')).toEqual([]);
    expect(languageProblems(texts('{{count}} time'), texts('Einmal'), 'de')).toHaveLength(1);
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

describe('phrases that no text uses', () => {
  const english = (text: string) => bannedPhrases(flat({ shell: { text } }), BANNED_ENGLISH);
  const german = (text: string) => bannedPhrases(flat({ shell: { text } }), BANNED_GERMAN, { isCased: true });

  test('are named with what to write instead, in any case and form', () => {
    expect(english('Put away')).toEqual(['shell.text says "Put away": write archive']);
    expect(english('Your deputies')).toEqual(['shell.text says "deputies": write delegate, delegation']);
    expect(german('Von selbst, als Brief')).toEqual([
      'shell.text says "Brief": write E-Mail',
      'shell.text says "Von selbst": write automatisch, oder wer es tut',
    ]);
  });

  test('are whole words: not parts of others, not what is filled in, and in German a noun is no verb', () => {
    expect(english('Committed to {{deputy}} tillage, trayed')).toEqual([]);
    expect(english('This is no longer possible')).toEqual([]);
    expect(german('Das lässt sich belegen, im Briefing {{Brief}}')).toEqual([]);
  });

  test('may be used where they are allowed, by key', () => {
    const texts = flat({ modules: { tasks: 'Action Items' }, tasks: { title: 'Action Items' } });
    const allowed = { 'modules.tasks': ['action items?'] };
    expect(bannedPhrases(texts, BANNED_ENGLISH, { allowed })).toEqual([
      'tasks.title says "Action Items": write corrective action',
    ]);
  });

  test('are looked for in the literals of a source file too, by its language', () => {
    const source = [
      "import { tray } from 'the tray';",
      'const words = {',
      '  en: {',
      '    // the tray',
      '    subject: (name: string) => `${name} put away`,',
      '  },',
      '  de: {',
      "    subject: 'Ein Brief von Cairn',",
      '  },',
      '};',
    ].join('\n');
    expect(bannedPhrases(literalsOf(source, 'en'), BANNED_ENGLISH)).toEqual(['5 says "put away": write archive']);
    expect(bannedPhrases(literalsOf(source, 'de'), BANNED_GERMAN, { isCased: true })).toEqual([
      '8 says "Brief": write E-Mail',
    ]);
    expect(literalsOf('<title>All emails</title>', 'en')).toEqual(new Map([['1', 'All emails']]));
  });
});

describe('texts that are too long', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

  test('a sentence over 24 words, whatever its key', () => {
    expect(longTexts(flat({ shell: { text: `${words(24)}. ${words(24)}.` } }))).toEqual([]);
    expect(longTexts(flat({ shell: { text: `${words(25)}. Yes.` } }))).toEqual([
      'shell.text has 25 words in one sentence: 24 at most',
    ]);
  });

  test('a heading, a button, a label or a toast over 24 words in all', () => {
    const texts = {
      title: `${words(13)}. ${words(12)}.`,
      removed_other: words(25),
      untitled: `${words(13)}. ${words(12)}.`,
    };
    expect(longTexts(flat({ shell: texts }))).toEqual([
      'shell.title has 25 words in one text: 24 at most',
      'shell.removed_other has 25 words in one text: 24 at most',
    ]);
  });
});

test('per cent is written as each language does', () => {
  const texts = flat({ shell: { figure: '{{percent}} %', fixed: '(99%)', unit: 'Done (%)' } });
  expect(wrongPercents(texts, 'en')).toEqual(['shell.figure writes per cent otherwise than "94%"']);
  expect(wrongPercents(texts, 'de')).toHaveLength(2);
  expect(wrongPercents(flat({ shell: { figure: '{{percent}}\u00a0%' } }), 'de')).toEqual([]);
});
