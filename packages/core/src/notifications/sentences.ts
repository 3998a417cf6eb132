import { oneLine } from '@cairn/base/one-line.ts';
import { circleSentences } from './circle-sentences.ts';
import { withAgent } from './device-name.ts';
import { languageOf, type Language } from './told-language.ts';

/** What one type of notification says. `{{name}}` stands for a name from `params`; `plain` serves where one is missing. */
type Sentence = {
  full: string;
  /** Said instead when a name that `full` needs is not known. */
  plain: string;
};

const en = {
  'action.assigned': { full: '{{by}} gave you “{{title}}”', plain: '“{{title}}” is yours to do' },
  'action.critical': { full: 'Critical: {{by}} gave you “{{title}}”', plain: 'Critical: “{{title}}” is yours to do' },
  'action.unassigned': {
    full: 'Critical: nobody has “{{title}}” yet',
    plain: 'Critical: nobody has an action item yet',
  },
  'action.due_soon': { full: '“{{title}}” is due soon', plain: 'An action item is due soon' },
  'action.overdue': { full: '“{{title}}” is overdue', plain: 'An action item is overdue' },
  'action.to_verify': { full: '{{by}} asks you to check “{{title}}”', plain: '“{{title}}” is ready to be checked' },
  'action.sent_back': { full: '{{by}} says “{{title}}” needs more work', plain: '“{{title}}” needs more work' },
  'action.check_due': {
    full: 'Did “{{title}}” work? It is time to look',
    plain: 'It is time to look whether something worked',
  },
  'action.risk_ended': { full: 'The accepted risk of “{{title}}” has run out', plain: 'An accepted risk has run out' },
  'action.escalated': { full: '“{{title}}” is late and still open', plain: 'An action item is late and still open' },
  'action.guest_accepted': {
    full: '{{by}} (outside the organisation) will do “{{title}}”',
    plain: 'Somebody outside the organisation will do an action item',
  },
  'action.guest_declined': {
    full: '{{by}} (outside the organisation) will not do “{{title}}”',
    plain: 'Somebody outside the organisation will not do an action item',
  },
  'action.guest_done': {
    full: '{{by}} (outside the organisation) says that “{{title}}” is done',
    plain: 'Somebody outside the organisation says that an action item is done',
  },
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
  'task.assigned': { full: '{{by}} gave you the task “{{title}}”', plain: 'The task “{{title}}” is yours to do' },
  'task.due_soon': { full: 'The task “{{title}}” is due soon', plain: 'A task is due soon' },
  'task.overdue': { full: 'The task “{{title}}” is overdue', plain: 'A task is overdue' },
  'task.to_review': {
    full: '{{by}} asks you to look at “{{title}}”',
    plain: '“{{title}}” waits for you to look at it',
  },
  'comment.mentioned': { full: '{{by}} named you at “{{title}}”', plain: 'You were named in a comment' },
  'comment.added': { full: '{{by}} said something at “{{title}}”', plain: 'There is a new comment' },
  'record.moved': { full: 'There is news on “{{title}}”, which you follow', plain: 'There is news on what you follow' },
  'habit.reminder': { full: '“{{title}}” is still open today', plain: 'A habit is still open today' },
  'wellness.reminder': { full: 'How are you today?', plain: 'How are you today?' },
  'wellness.look': {
    full: 'Two weeks are over: “{{title}}” is asked again',
    plain: 'A few questions more are asked again',
  },
  ...circleSentences.en,
  'brief.due': { full: 'The week of {{by}} can be reviewed', plain: 'A weekly brief can be reviewed' },
  'brief.reviewed': {
    full: '{{by}} reviewed your week: it waits for your approval',
    plain: 'Your weekly brief waits for your approval',
  },
  'brief.received': { full: '{{by}} sent you their weekly brief', plain: 'Somebody sent you their weekly brief' },
  'approval.requested': {
    full: '{{by}} asks you to approve “{{title}}”',
    plain: '“{{title}}” waits for your approval',
  },
  'approval.decided': { full: 'There is a decision on “{{title}}”', plain: 'There is a decision on your request' },
  'workflow.told': { full: '{{text}} (“{{title}}”)', plain: 'A workflow has news for you' },
  'policy.requested': {
    full: 'Please read and acknowledge “{{title}}”',
    plain: 'There is a policy for you to acknowledge',
  },
  'policy.due_soon': { full: 'Your word on “{{title}}” is due soon', plain: 'Your word on a policy is due soon' },
  'policy.overdue': { full: 'Your word on “{{title}}” is overdue', plain: 'Your word on a policy is overdue' },
  'policy.declined': { full: '{{by}} declined “{{title}}”', plain: 'Somebody declined “{{title}}”' },
  'pack.waits': { full: '“{{title}}” {{number}} waits for a review', plain: 'A pack waits for a review' },
  'pack.listed': { full: '“{{title}}” {{number}} is listed', plain: 'A pack of yours is listed' },
  'pack.sent_back': { full: '“{{title}}” {{number}} was sent back', plain: 'A pack of yours was sent back' },
  'pack.withdrawn': { full: '“{{title}}” {{number}} was withdrawn', plain: 'A pack of yours was withdrawn' },
  'pack.later': { full: 'Version {{number}} of “{{title}}” is there', plain: 'A pack you have has a later version' },
  'evidence.sent_back': { full: '{{by}} sent “{{title}}” back', plain: 'Evidence of yours was sent back' },
  'evidence.expiring': { full: 'The evidence “{{title}}” runs out soon', plain: 'Evidence of yours runs out soon' },
  'evidence.expired': { full: 'The evidence “{{title}}” has run out', plain: 'Evidence of yours has run out' },
  'finding.raised': { full: '{{by}} wrote a finding: “{{title}}”', plain: 'There is a new finding' },
  'finding.answered': { full: '{{by}} answered the finding “{{title}}”', plain: 'A finding was answered' },
  'finding.reopened': { full: '{{by}} opened the finding “{{title}}” again', plain: 'A finding is open again' },
  'finding.closed': { full: '{{by}} closed the finding “{{title}}”', plain: 'A finding is closed' },
  'sync.conflict': { full: 'One of your changes needs your choice', plain: 'One of your changes needs your choice' },
  'sync.refused': { full: 'One of your changes was not accepted', plain: 'One of your changes was not accepted' },
  'work.accepted': { full: '{{organization}} accepted work of yours', plain: 'Work of yours was accepted' },
  'work.declined': { full: '{{organization}} declined work of yours', plain: 'Work of yours was declined' },
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
  'action.unassigned': {
    full: 'Kritisch: Niemand hat bisher „{{title}}“',
    plain: 'Kritisch: Niemand hat bisher eine Maßnahme',
  },
  'action.due_soon': { full: '„{{title}}“ ist bald fällig', plain: 'Eine Maßnahme ist bald fällig' },
  'action.overdue': { full: '„{{title}}“ ist überfällig', plain: 'Eine Maßnahme ist überfällig' },
  'action.to_verify': { full: '{{by}} bittet dich, „{{title}}“ zu prüfen', plain: '„{{title}}“ ist bereit zum Prüfen' },
  'action.sent_back': {
    full: '{{by}} sagt, dass „{{title}}“ noch nicht fertig ist',
    plain: '„{{title}}“ ist noch nicht fertig',
  },
  'action.check_due': {
    full: 'Hat „{{title}}“ gewirkt? Es ist Zeit nachzusehen',
    plain: 'Es ist Zeit nachzusehen, ob etwas gewirkt hat',
  },
  'action.risk_ended': {
    full: 'Das angenommene Risiko von „{{title}}“ ist abgelaufen',
    plain: 'Ein angenommenes Risiko ist abgelaufen',
  },
  'action.escalated': {
    full: '„{{title}}“ ist überfällig und noch offen',
    plain: 'Eine Maßnahme ist überfällig und noch offen',
  },
  'action.guest_accepted': {
    full: '{{by}} (außerhalb der Organisation) übernimmt „{{title}}“',
    plain: 'Jemand außerhalb der Organisation übernimmt eine Maßnahme',
  },
  'action.guest_declined': {
    full: '{{by}} (außerhalb der Organisation) übernimmt „{{title}}“ nicht',
    plain: 'Jemand außerhalb der Organisation übernimmt eine Maßnahme nicht',
  },
  'action.guest_done': {
    full: '{{by}} (außerhalb der Organisation) meldet „{{title}}“ als erledigt',
    plain: 'Jemand außerhalb der Organisation meldet eine Maßnahme als erledigt',
  },
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
  'task.assigned': {
    full: '{{by}} hat dir die Aufgabe „{{title}}“ gegeben',
    plain: 'Die Aufgabe „{{title}}“ ist für dich',
  },
  'task.due_soon': { full: 'Die Aufgabe „{{title}}“ ist bald fällig', plain: 'Eine Aufgabe ist bald fällig' },
  'task.overdue': { full: 'Die Aufgabe „{{title}}“ ist überfällig', plain: 'Eine Aufgabe ist überfällig' },
  'task.to_review': {
    full: '{{by}} bittet dich, „{{title}}“ anzusehen',
    plain: '„{{title}}“ wartet darauf, dass du es ansiehst',
  },
  'comment.mentioned': { full: '{{by}} hat dich bei „{{title}}“ genannt', plain: 'Jemand hat dich genannt' },
  'comment.added': { full: '{{by}} hat etwas zu „{{title}}“ gesagt', plain: 'Es gibt einen neuen Kommentar' },
  'record.moved': {
    full: 'Es gibt Neues bei „{{title}}“, dem du folgst',
    plain: 'Es gibt Neues bei etwas, dem du folgst',
  },
  'habit.reminder': { full: '„{{title}}“ ist heute noch offen', plain: 'Eine Gewohnheit ist heute noch offen' },
  'wellness.reminder': { full: 'Wie geht es dir heute?', plain: 'Wie geht es dir heute?' },
  'wellness.look': {
    full: 'Zwei Wochen sind um: „{{title}}“ wird wieder gefragt',
    plain: 'Ein paar Fragen mehr sind wieder an der Reihe',
  },
  ...circleSentences.de,
  'brief.due': {
    full: 'Die Woche von {{by}} kann durchgesehen werden',
    plain: 'Ein Wochenbericht kann durchgesehen werden',
  },
  'brief.reviewed': {
    full: '{{by}} hat deine Woche durchgesehen: Sie wartet auf deine Freigabe',
    plain: 'Dein Wochenbericht wartet auf deine Freigabe',
  },
  'brief.received': {
    full: '{{by}} hat dir einen Wochenbericht gesendet',
    plain: 'Jemand hat dir einen Wochenbericht gesendet',
  },
  'approval.requested': {
    full: '{{by}} bittet dich um Freigabe von „{{title}}“',
    plain: '„{{title}}“ wartet auf deine Freigabe',
  },
  'approval.decided': {
    full: 'Über „{{title}}“ ist entschieden',
    plain: 'Über deine Anfrage ist entschieden',
  },
  'workflow.told': { full: '{{text}} („{{title}}“)', plain: 'Ein Ablauf hat Neues für dich' },
  'policy.requested': {
    full: 'Bitte lies und bestätige „{{title}}“',
    plain: 'Eine Richtlinie wartet auf deine Bestätigung',
  },
  'policy.due_soon': {
    full: 'Deine Bestätigung von „{{title}}“ ist bald fällig',
    plain: 'Deine Bestätigung einer Richtlinie ist bald fällig',
  },
  'policy.overdue': {
    full: 'Deine Bestätigung von „{{title}}“ ist überfällig',
    plain: 'Deine Bestätigung einer Richtlinie ist überfällig',
  },
  'policy.declined': { full: '{{by}} hat „{{title}}“ abgelehnt', plain: 'Jemand hat „{{title}}“ abgelehnt' },
  'pack.waits': { full: '„{{title}}“ {{number}} wartet auf eine Prüfung', plain: 'Ein Paket wartet auf eine Prüfung' },
  'pack.listed': { full: '„{{title}}“ {{number}} wird angeboten', plain: 'Ein Paket von dir wird angeboten' },
  'pack.sent_back': { full: '„{{title}}“ {{number}} kam zurück', plain: 'Ein Paket von dir kam zurück' },
  'pack.withdrawn': {
    full: '„{{title}}“ {{number}} wurde zurückgezogen',
    plain: 'Ein Paket von dir wurde zurückgezogen',
  },
  'pack.later': {
    full: 'Version {{number}} von „{{title}}“ ist da',
    plain: 'Ein Paket, das ihr habt, hat eine neuere Version',
  },
  'evidence.sent_back': { full: '{{by}} hat „{{title}}“ zurückgegeben', plain: 'Ein Nachweis von dir kam zurück' },
  'evidence.expiring': { full: 'Der Nachweis „{{title}}“ läuft bald ab', plain: 'Ein Nachweis von dir läuft bald ab' },
  'evidence.expired': { full: 'Der Nachweis „{{title}}“ ist abgelaufen', plain: 'Ein Nachweis von dir ist abgelaufen' },
  'finding.raised': { full: '{{by}} hat etwas festgestellt: „{{title}}“', plain: 'Es gibt eine neue Feststellung' },
  'finding.answered': {
    full: '{{by}} hat auf die Feststellung „{{title}}“ geantwortet',
    plain: 'Auf eine Feststellung wurde geantwortet',
  },
  'finding.reopened': {
    full: '{{by}} hat die Feststellung „{{title}}“ wieder geöffnet',
    plain: 'Eine Feststellung ist wieder offen',
  },
  'finding.closed': {
    full: '{{by}} hat die Feststellung „{{title}}“ geschlossen',
    plain: 'Eine Feststellung ist geschlossen',
  },
  'sync.conflict': {
    full: 'Eine deiner Änderungen braucht deine Wahl',
    plain: 'Eine deiner Änderungen braucht deine Wahl',
  },
  'sync.refused': {
    full: 'Eine deiner Änderungen wurde nicht angenommen',
    plain: 'Eine deiner Änderungen wurde nicht angenommen',
  },
  'work.accepted': {
    full: '{{organization}} hat Arbeit von dir angenommen',
    plain: 'Arbeit von dir wurde angenommen',
  },
  'work.declined': { full: '{{organization}} hat Arbeit von dir abgelehnt', plain: 'Arbeit von dir wurde abgelehnt' },
  'security.new_device': { full: 'Neue Anmeldung mit {{agent}}', plain: 'Neue Anmeldung von einem anderen Gerät' },
  'member.joined': { full: '{{name}} ist jetzt bei {{organization}}', plain: 'Bei {{organization}} ist jemand Neues' },
};

const unknown: Record<Language, string> = { en: 'There is news for you', de: 'Es gibt etwas Neues für dich' };

const PLACE = /\{\{(\w+)\}\}/g;

/** Whether this version knows the type: the server may be ahead of a device. */
export const isKnownType = (type: string): type is NotificationType => Object.hasOwn(en, type);

/** What a notification says, in one line. A type this version does not know yet is announced without its content. */
export function sentenceOf(type: string, params: Readonly<Record<string, unknown>>, language: string): string {
  const lang = languageOf(language);
  if (!isKnownType(type)) return unknown[lang];
  const { full, plain } = (lang === 'de' ? de : en)[type];
  const names = withAgent(params, lang);
  const isSayable = [...full.matchAll(PLACE)].every(([, name = '']) => typeof names[name] === 'string');
  return (isSayable ? full : plain).replaceAll(PLACE, (_, name: string) => {
    const value = names[name];
    // What a member named so: it breaks no line of a letter, and adds none.
    return typeof value === 'string' ? oneLine(value) : '…';
  });
}
