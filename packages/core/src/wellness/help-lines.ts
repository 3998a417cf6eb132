/** Somebody to talk to. `number` as it is dialled in that country; */
export type HelpLine = { name: string; number: string };

export type CountryHelp = {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** For danger to life. */
  emergency: string;
  lines: readonly HelpLine[];
};

const of = (country: string, emergency: string, ...lines: [name: string, number: string][]): CountryHelp => ({
  country,
  emergency,
  lines: lines.map(([name, number]) => ({ name, number })),
});

/** By country. Anything that is not certain for a country is left out: then the list of findahelpline.com is offered. */
export const helpByCountry: readonly CountryHelp[] = [
  of('AT', '112', ['Telefonseelsorge', '142']),
  of('AU', '000', ['Lifeline', '13 11 14'], ['Beyond Blue', '1300 22 4636']),
  of('BE', '112', ['Zelfmoordlijn 1813', '1813'], ['Centre de Prévention du Suicide', '0800 32 123']),
  of('BR', '192', ['CVV', '188']),
  of('CA', '911', ['9-8-8 Suicide Crisis Helpline', '988']),
  of('CH', '112', ['Die Dargebotene Hand · La Main Tendue', '143']),
  of('DE', '112', ['TelefonSeelsorge', '0800 1110111'], ['TelefonSeelsorge', '116 123']),
  of('DK', '112', ['Livslinien', '70 201 201']),
  of('ES', '112', ['Línea 024', '024']),
  of('FR', '112', ['Numéro national de prévention du suicide', '3114']),
  of('GB', '999', ['Samaritans', '116 123']),
  of('IE', '112', ['Samaritans', '116 123']),
  of('IN', '112', ['Tele-MANAS', '14416']),
  of('NL', '112', ['113 Zelfmoordpreventie', '113']),
  of('NO', '112', ['Mental Helse', '116 123']),
  of('NZ', '111', ['1737, Need to talk?', '1737']),
  of('PL', '112', ['Telefon zaufania dla dorosłych', '116 123']),
  of('SE', '112', ['Mind Självmordslinjen', '90101']),
  of('US', '911', ['988 Suicide & Crisis Lifeline', '988']),
  of('ZA', '112', ['SADAG Suicide Crisis Helpline', '0800 567 567']),
];

/** A list of help lines for every other country. */
export const HELP_ELSEWHERE = 'https://findahelpline.com';

const ZONES: Readonly<Record<string, string>> = {
  'Europe/Vienna': 'AT',
  'Europe/Brussels': 'BE',
  'Europe/Zurich': 'CH',
  'Europe/Berlin': 'DE',
  'Europe/Busingen': 'DE',
  'Europe/Copenhagen': 'DK',
  'Europe/Madrid': 'ES',
  'Europe/Paris': 'FR',
  'Europe/London': 'GB',
  'Europe/Dublin': 'IE',
  'Asia/Kolkata': 'IN',
  'Asia/Calcutta': 'IN',
  'Europe/Amsterdam': 'NL',
  'Europe/Oslo': 'NO',
  'Pacific/Auckland': 'NZ',
  'Europe/Warsaw': 'PL',
  'Europe/Stockholm': 'SE',
  'Africa/Johannesburg': 'ZA',
  'America/Sao_Paulo': 'BR',
  'America/Toronto': 'CA',
  'America/Vancouver': 'CA',
  'America/New_York': 'US',
  'America/Chicago': 'US',
  'America/Denver': 'US',
  'America/Los_Angeles': 'US',
};

/**
 * The country whose help lines stand first: where the device's clock is set to, else the region of a language tag.
 * @param zone IANA name @param languages e.g. `de-AT`
 * @returns null when neither says one we know
 */
export function likelyCountry(zone: string, languages: readonly string[]): string | null {
  const byZone = ZONES[zone] ?? (zone.startsWith('Australia/') ? 'AU' : undefined);
  const regions = languages.map(language => /-([A-Z]{2})$/.exec(language)?.[1]);
  return [byZone, ...regions].find(country => helpByCountry.some(help => help.country === country)) ?? null;
}
