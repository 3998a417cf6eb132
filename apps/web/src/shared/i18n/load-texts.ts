import i18n from 'i18next';
import { isPseudo, speak, type Language } from './languages.ts';
import type { Area } from './texts.ts';

type AreaTexts = Record<string, unknown>;

/** The areas every signed-in person needs at once; in each language they are one file, `first/<language>.ts`. */
const FIRST: readonly Area[] = ['shell', 'modules', 'notifications', 'sync', 'dashboard', 'welcome'];

/** Every other file of texts is a chunk of its own, so that only what is shown, in the language chosen, is fetched. */
const files = import.meta.glob<AreaTexts>(
  ['./{en,de}/*.json', '!./{en,de}/{shell,shell-first,modules,notifications,sync,dashboard,welcome}.json'],
  { import: 'default' },
);
const first = import.meta.glob<Record<string, AreaTexts>>('./first/*.ts');

/** The areas some screen has asked for: a switch of language fetches these before a word changes. */
const wanted = new Set<Area>();

/** What is said outside every route: by toasts, and on the way out to the sign-in page. */
const ALWAYS: readonly Area[] = ['shell', 'failure', 'auth'];

const fileOf = (area: Area): string => area.replaceAll(/[A-Z]/g, char => `-${char.toLowerCase()}`);

async function fetched(language: Language, area: Area): Promise<AreaTexts> {
  const folder = isPseudo(language) ? 'en' : language;
  const texts = FIRST.includes(area)
    ? (await first[`./first/${folder}.ts`]?.())?.[area]
    : await files[`./${folder}/${fileOf(area)}.json`]?.();
  if (!texts) throw new Error(`no texts of ${area} in ${folder}`);
  return isPseudo(language) ? (await import('./pseudo.ts')).pseudoTexts(texts) : texts;
}

/** What is here in full, as `<language>/<area>`. */
const loaded = new Set<string>();

async function loadFor(language: Language, areas: Iterable<Area>): Promise<void> {
  const missing = [...areas].filter(
    area => !loaded.has(`${language}/${area}`) || !i18n.hasResourceBundle(language, area),
  );
  const loads = missing.map(async area => {
    // `deep`, because the first words of `shell` are there already; they are the same.
    i18n.addResourceBundle(language, area, await fetched(language, area), true, true);
    loaded.add(`${language}/${area}`);
  });
  await Promise.all(loads);
}

const present = (): Language => (i18n.language ?? 'en') as Language;

/**
 * Fetches the texts of these areas in the language that is spoken now. A route exports the promise as `texts`, and
 * `lazyScreen` waits for it before the screen shows.
 */
export async function loadTexts(...areas: Area[]): Promise<void> {
  for (const area of areas) wanted.add(area);
  let language: Language;
  do {
    language = present();
    await loadFor(language, areas);
  } while (language !== present());
}

/** Fetches what another language would say on the screens seen so far, so that a switch to it needs no network. */
export const prepareLanguage = (language: Language): Promise<void> =>
  loadFor(language, new Set([...wanted, ...ALWAYS]));

/** Speaks another language: every text that can be on the screen is fetched first, so that it changes at once. */
export async function changeLanguage(language: Language): Promise<void> {
  if (language === present()) return;
  let known: number;
  do {
    known = wanted.size;
    await loadFor(language, new Set<Area>([...wanted, ...ALWAYS]));
  } while (known !== wanted.size);
  await i18n.changeLanguage(language);
  speak(language);
}
