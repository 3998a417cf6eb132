/** Languages in which notifications are written. */
export type Language = 'en' | 'de';

/** The one a reader of this language is told in. @param language BCP 47 */
export const languageOf = (language: string): Language => (language.startsWith('de') ? 'de' : 'en');
