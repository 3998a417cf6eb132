/** Languages the sentences are written in. */
type Language = 'en' | 'de';

/** What one type of notification says. `{{name}}` stands for a name from `params`; `plain` serves where one is missing. */
type Sentence = {
  full: string;
  /** Said instead when a name that `full` needs is not known. */
  plain: string;
};

const en = {
  'action.assigned': { full: '{{by}} gave you “{{title}}”', plain: '“{{title}}” is yours to do' },
  'action.critical': { full: 'Critical: {{by}} gave you “{{title}}”', plain: 'Critical: “{{title}}” is yours to do' },
  'action.due_soon': { full: '“{{title}}” is due soon', plain: 'An action item is due soon' },
  'action.overdue': { full: '“{{title}}” is overdue', plain: 'An action item is overdue' },
  'inspection.assigned': { full: '{{by}} planned “{{title}}” for you', plain: '“{{title}}” is planned for you' },
  'inspection.failed': { full: '“{{title}}” by {{by}} did not pass', plain: '“{{title}}” did not pass' },
  'inspection.sent_back': { full: '{{by}} sent “{{title}}” back to you', plain: '“{{title}}” came back to you' },
  'inspection.approved': { full: '{{by}} approved “{{title}}”', plain: '“{{title}}” is approved' },
  'inspection.rejected': { full: '{{by}} rejected “{{title}}”', plain: '“{{title}}” is rejected' },
  'inspection.due_soon': { full: '“{{title}}” is due soon', plain: 'An inspection is due soon' },
  'inspection.missed': { full: '“{{title}}” was missed', plain: 'An inspection was missed' },
  'issue.reported': { full: '{{by}} reported “{{title}}”', plain: 'Reported: “{{title}}”' },
  'issue.critical': { full: 'Critical: {{by}} reported “{{title}}”', plain: 'Critical report: “{{title}}”' },
  'issue.code_flooded': {
    full: 'Too many reports by the public code of {{title}}: it is paused',
    plain: 'A public report code is paused: too many reports',
  },
  'issue.progress': { full: 'There is news on your report “{{title}}”', plain: 'There is news on your report' },
  'sync.conflict': { full: 'One of your changes needs your choice', plain: 'One of your changes needs your choice' },
  'sync.refused': { full: 'One of your changes was not accepted', plain: 'One of your changes was not accepted' },
  'security.new_device': { full: 'New sign-in from {{agent}}', plain: 'New sign-in from another device' },
  'member.joined': { full: '{{name}} joined {{organization}}', plain: 'Somebody new joined {{organization}}' },
} as const satisfies Record<string, Sentence>;

export type NotificationType = keyof typeof en;

const de: Record<NotificationType, Sentence> = {
  'action.assigned': { full: '{{by}} hat dir „{{title}}“ gegeben', plain: '„{{title}}“ ist für dich' },
  'action.critical': {
    full: 'Kritisch: {{by}} hat dir „{{title}}“ gegeben',
    plain: 'Kritisch: „{{title}}“ ist für dich',
  },
  'action.due_soon': { full: '„{{title}}“ ist bald fällig', plain: 'Eine Maßnahme ist bald fällig' },
  'action.overdue': { full: '„{{title}}“ ist überfällig', plain: 'Eine Maßnahme ist überfällig' },
  'inspection.assigned': { full: '{{by}} hat „{{title}}“ für dich geplant', plain: '„{{title}}“ ist für dich geplant' },
  'inspection.failed': { full: '„{{title}}“ von {{by}} ist nicht bestanden', plain: '„{{title}}“ ist nicht bestanden' },
  'inspection.sent_back': {
    full: '{{by}} hat dir „{{title}}“ zurückgegeben',
    plain: '„{{title}}“ ist zu dir zurückgekommen',
  },
  'inspection.approved': { full: '{{by}} hat „{{title}}“ freigegeben', plain: '„{{title}}“ ist freigegeben' },
  'inspection.rejected': { full: '{{by}} hat „{{title}}“ abgelehnt', plain: '„{{title}}“ ist abgelehnt' },
  'inspection.due_soon': { full: '„{{title}}“ ist bald fällig', plain: 'Eine Inspektion ist bald fällig' },
  'inspection.missed': { full: '„{{title}}“ wurde versäumt', plain: 'Eine Inspektion wurde versäumt' },
  'issue.reported': { full: '{{by}} hat „{{title}}“ gemeldet', plain: 'Gemeldet: „{{title}}“' },
  'issue.critical': { full: 'Kritisch: {{by}} hat „{{title}}“ gemeldet', plain: 'Kritische Meldung: „{{title}}“' },
  'issue.code_flooded': {
    full: 'Zu viele Meldungen über den öffentlichen Code von {{title}}: Er ist angehalten',
    plain: 'Ein öffentlicher Melde-Code ist angehalten: zu viele Meldungen',
  },
  'issue.progress': {
    full: 'Es gibt Neues zu deiner Meldung „{{title}}“',
    plain: 'Es gibt Neues zu deiner Meldung',
  },
  'sync.conflict': {
    full: 'Eine deiner Änderungen braucht deine Wahl',
    plain: 'Eine deiner Änderungen braucht deine Wahl',
  },
  'sync.refused': {
    full: 'Eine deiner Änderungen wurde nicht angenommen',
    plain: 'Eine deiner Änderungen wurde nicht angenommen',
  },
  'security.new_device': { full: 'Neue Anmeldung mit {{agent}}', plain: 'Neue Anmeldung von einem anderen Gerät' },
  'member.joined': { full: '{{name}} ist jetzt bei {{organization}}', plain: 'Bei {{organization}} ist jemand Neues' },
};

const unknown: Record<Language, string> = { en: 'There is news for you', de: 'Es gibt etwas Neues für dich' };

/** Names of the modules, where a notification says no more than where it comes from. */
const modules: Record<Language, Record<string, string>> = {
  en: {
    'action-items': 'Action Items',
    field: 'Field Operations',
    sync: 'Sync & Offline',
    security: 'Security',
    people: 'People',
    wellness: 'Wellness',
    'support-circle': 'My Circle',
  },
  de: {
    'action-items': 'Maßnahmen',
    field: 'Einsatz vor Ort',
    sync: 'Abgleich & Offline',
    security: 'Sicherheit',
    people: 'Menschen',
    wellness: 'Wohlbefinden',
    'support-circle': 'Mein Kreis',
  },
};

const languageOf = (language: string): Language => (language.startsWith('de') ? 'de' : 'en');
const PLACE = /\{\{(\w+)\}\}/g;

/** Whether this version knows the type: the server may be ahead of a device. */
export const isKnownType = (type: string): type is NotificationType => Object.hasOwn(en, type);

/** What a notification says, in one line. A type this version does not know yet is announced without its content. */
export function sentenceOf(type: string, params: Readonly<Record<string, unknown>>, language: string): string {
  const lang = languageOf(language);
  if (!isKnownType(type)) return unknown[lang];
  const { full, plain } = (lang === 'de' ? de : en)[type];
  const names = withAgent(params);
  const isSayable = [...full.matchAll(PLACE)].every(([, name = '']) => typeof names[name] === 'string');
  return (isSayable ? full : plain).replaceAll(PLACE, (_, name: string) => {
    const value = names[name];
    return typeof value === 'string' ? value : '…';
  });
}

/** What a module is called; one without a name yet by its own. */
export const moduleName = (module: string, language: string): string => modules[languageOf(language)][module] ?? module;

function withAgent(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof params['agent'] === 'string' ? { ...params, agent: deviceName(params['agent']) } : params;
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux|CrOS/, 'Linux'],
] as const;

/** "Chrome, Android" from how a browser names itself; what is not known, as it came, cut short. */
function deviceName(agent: string): string {
  const known = [BROWSERS, SYSTEMS].map(list => list.find(([pattern]) => pattern.test(agent))?.[1]);
  const words = known.filter(word => word !== undefined).join(', ');
  return words === '' ? agent.slice(0, 40) : words;
}
