// @vitest-environment jsdom
import i18n, { getFixedT } from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { languageOf } from './languages.ts';
import { changeLanguage, loadTexts } from './load-texts.ts';
import { startI18n } from './start-i18n.ts';

const spoken = (key: 'title') => getFixedT(null, 'field')(key);

beforeEach(async () => {
  await startI18n();
});

test('a switch of language changes what is on the screen and says so to the browser', async () => {
  await loadTexts('field');
  expect(spoken('title')).toBe('Field Operations');

  await changeLanguage('de');

  expect([spoken('title'), document.documentElement.lang]).toEqual(['Einsatz vor Ort', 'de']);
});

test('no word changes before all of them can', async () => {
  await loadTexts('field', 'actions');
  const missing: string[] = [];
  i18n.on('languageChanged', language => {
    for (const area of ['shell', 'failure', 'auth', 'field', 'actions'])
      if (!i18n.hasResourceBundle(language, area)) missing.push(area);
  });
  await changeLanguage('de');
  expect(missing).toEqual([]);
});

test('texts that were on their way during a switch arrive in the new language', async () => {
  const loading = loadTexts('dashboard');
  await changeLanguage('de');
  await loading;
  expect(getFixedT(null, 'dashboard')('today.title')).toBe('Heute');
});

test('plurals follow the language', async () => {
  await loadTexts('sync');
  await changeLanguage('de');
  const t = getFixedT(null, 'sync');
  expect([t('items', { count: 1 }), t('items', { count: 2 })]).toEqual(['1 Eintrag', '2 Einträge']);
});

test('an app that starts in German speaks it on its first screen', async () => {
  await startI18n('de');
  expect(i18n.language).toBe('de');
  expect([getFixedT(null, 'shell')('loading'), getFixedT(null, 'auth')('submit')]).toEqual([
    'Wird geladen',
    'Anmelden',
  ]);
});

test('the language of tests is longer, accented, keeps its placeholders and can run from right to left', async () => {
  await loadTexts('field');
  await changeLanguage('pseudo-rtl');
  const figure = getFixedT(null, 'field')('runner.figure', { number: 3, total: 9 });
  expect(figure).toMatch(/^\[3 öf 9( ~õ)+\]$/);
  expect(document.documentElement.dir).toBe('rtl');
});

test.each(['', 'xx', 'constructor', 'EN'])('an unknown code %j reads English', code => {
  expect(languageOf(code)).toBe('en');
});
