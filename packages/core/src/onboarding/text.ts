/** Languages in which the first run can set things up. */
export type StarterLanguage = 'en' | 'de';

/** One text in each of them. */
export type Text = readonly [en: string, de: string];

/** The text in a language; what is neither English nor German reads English. */
export const inTongue = ([english, german]: Text, language: StarterLanguage): string =>
  language === 'de' ? german : english;
