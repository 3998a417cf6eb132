/** The languages offered, each by its own name. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export const offeredLanguages = Object.keys(LANGUAGE_NAMES) as (keyof typeof LANGUAGE_NAMES)[];
