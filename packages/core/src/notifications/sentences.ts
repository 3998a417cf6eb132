import { oneLine } from '@cairn/base/one-line.ts';
import { circleSentences } from './circle-sentences.ts';
import { withAgent } from './device-name.ts';
import { packSentences } from './pack-sentences.ts';
import { languageOf, type Language } from './told-language.ts';

/** What one type of notification says. `{{name}}` stands for a name from `params`; `plain` serves where one is missing. */
type Sentence = {
  full: string;
  /** Said instead when a name that `full` needs is not known. */
  plain: string;
};

const en = {
  'action.assigned': { full: '{{by}} assigned “{{title}}” to you', plain: '“{{title}}” was assigned to you' },
  'action.critical': {
    full: 'Critical: {{by}} assigned “{{title}}” to you',
    plain: 'Critical: “{{title}}” was assigned to you',
  },
  'action.unassigned': {
    full: 'Critical: nobody is assigned to “{{title}}” yet',
    plain: 'Critical: nobody is assigned to a corrective action yet',
  },
  'action.due_soon': { full: '“{{title}}” is due soon', plain: 'A corrective action is due soon' },
  'action.overdue': { full: '“{{title}}” is overdue', plain: 'A corrective action is overdue' },
  'action.to_verify': {
    full: '{{by}} asks you to verify “{{title}}”',
    plain: '“{{title}}” is ready for you to verify',
  },
  'action.sent_back': { full: '{{by}} asks for more work on “{{title}}”', plain: '“{{title}}” needs more work' },
  'action.check_due': {
    full: 'Did “{{title}}” work? The effectiveness check is due',
    plain: 'An effectiveness check is due',
  },
  'action.risk_ended': { full: 'The accepted risk of “{{title}}” has expired', plain: 'An accepted risk has expired' },
  'action.escalated': {
    full: '“{{title}}” is several days overdue',
    plain: 'A corrective action is several days overdue',
  },
  'action.guest_accepted': {
    full: '{{by}} (guest) accepted “{{title}}”',
    plain: 'A guest accepted a corrective action',
  },
  'action.guest_declined': {
    full: '{{by}} (guest) declined “{{title}}”',
    plain: 'A guest declined a corrective action',
  },
  'action.guest_done': {
    full: '{{by}} (guest) reported “{{title}}” as done',
    plain: 'A guest reported a corrective action as done',
  },
  'inspection.assigned': { full: '{{by}} planned “{{title}}” for you', plain: '“{{title}}” is planned for you' },
  'inspection.failed': { full: '“{{title}}” by {{by}} did not pass', plain: '“{{title}}” did not pass' },
  'inspection.sent_back': { full: '{{by}} sent “{{title}}” back to you', plain: '“{{title}}” was sent back to you' },
  'inspection.approved': { full: '{{by}} approved “{{title}}”', plain: '“{{title}}” is approved' },
  'inspection.rejected': { full: '{{by}} rejected “{{title}}”', plain: '“{{title}}” is rejected' },
  'inspection.due_soon': { full: '“{{title}}” is due soon', plain: 'An inspection is due soon' },
  'inspection.missed': { full: '“{{title}}” was missed', plain: 'An inspection was missed' },
  'issue.reported': { full: '{{by}} reported “{{title}}”', plain: 'Reported: “{{title}}”' },
  'issue.critical': { full: 'Critical: {{by}} reported “{{title}}”', plain: 'Critical report: “{{title}}”' },
  'issue.code_flooded': {
    full: 'The public report code for {{title}} is paused after too many reports',
    plain: 'A public report code is paused after too many reports',
  },
  'issue.progress': { full: 'Your report “{{title}}” has an update', plain: 'Your report has an update' },
  'task.assigned': {
    full: '{{by}} assigned the task “{{title}}” to you',
    plain: 'The task “{{title}}” was assigned to you',
  },
  'task.due_soon': { full: 'The task “{{title}}” is due soon', plain: 'A task is due soon' },
  'task.overdue': { full: 'The task “{{title}}” is overdue', plain: 'A task is overdue' },
  'task.to_review': { full: '{{by}} asks you to review “{{title}}”', plain: '“{{title}}” needs your review' },
  'comment.mentioned': {
    full: '{{by}} mentioned you in a comment on “{{title}}”',
    plain: 'You were mentioned in a comment',
  },
  'comment.added': { full: '{{by}} commented on “{{title}}”', plain: 'There is a new comment' },
  'record.moved': { full: '“{{title}}”, which you follow, has changed', plain: 'Something you follow has changed' },
  'habit.reminder': { full: '“{{title}}” is still open today', plain: 'A habit is still open today' },
  'wellness.reminder': { full: 'How are you today?', plain: 'How are you today?' },
  'wellness.look': {
    full: 'Two weeks have passed: “{{title}}” is due again',
    plain: 'A longer questionnaire is due again',
  },
  ...circleSentences.en,
  ...packSentences.en,
  'brief.due': {
    full: 'The weekly brief of {{by}} is ready for your review',
    plain: 'A weekly brief is ready for your review',
  },
  'brief.reviewed': {
    full: '{{by}} reviewed your weekly brief. It needs your approval',
    plain: 'Your weekly brief needs your approval',
  },
  'brief.received': { full: '{{by}} sent you their weekly brief', plain: 'Someone sent you their weekly brief' },
  'approval.requested': { full: '{{by}} asks you to approve “{{title}}”', plain: '“{{title}}” needs your approval' },
  'approval.decided': { full: 'There is a decision on “{{title}}”', plain: 'There is a decision on your request' },
  'workflow.told': { full: '{{text}} (“{{title}}”)', plain: 'A workflow notified you' },
  'policy.requested': { full: 'Please read and acknowledge “{{title}}”', plain: 'A policy needs your acknowledgement' },
  'policy.due_soon': {
    full: 'Your acknowledgement of “{{title}}” is due soon',
    plain: 'Your acknowledgement of a policy is due soon',
  },
  'policy.overdue': {
    full: 'Your acknowledgement of “{{title}}” is overdue',
    plain: 'Your acknowledgement of a policy is overdue',
  },
  'policy.declined': { full: '{{by}} declined “{{title}}”', plain: 'Someone declined “{{title}}”' },
  'evidence.sent_back': { full: '{{by}} sent “{{title}}” back', plain: 'Your evidence was sent back' },
  'evidence.expiring': { full: 'The evidence “{{title}}” expires soon', plain: 'Your evidence expires soon' },
  'evidence.expired': { full: 'The evidence “{{title}}” has expired', plain: 'Your evidence has expired' },
  'finding.raised': { full: '{{by}} raised a finding: “{{title}}”', plain: 'There is a new finding' },
  'finding.answered': { full: '{{by}} answered the finding “{{title}}”', plain: 'A finding was answered' },
  'finding.reopened': { full: '{{by}} reopened the finding “{{title}}”', plain: 'A finding was reopened' },
  'finding.closed': { full: '{{by}} closed the finding “{{title}}”', plain: 'A finding was closed' },
  'sync.conflict': {
    full: 'One of your changes needs your decision',
    plain: 'One of your changes needs your decision',
  },
  'sync.refused': { full: 'One of your changes was not accepted', plain: 'One of your changes was not accepted' },
  'work.accepted': { full: '{{organization}} accepted your work', plain: 'Your work was accepted' },
  'work.declined': { full: '{{organization}} declined your work', plain: 'Your work was declined' },
  'security.new_device': { full: 'New sign-in from {{agent}}', plain: 'New sign-in from another device' },
  'member.joined': { full: '{{name}} joined {{organization}}', plain: 'Someone new joined {{organization}}' },
} as const satisfies Record<string, Sentence>;

export type NotificationType = keyof typeof en;

const de: Record<NotificationType, Sentence> = {
  'action.assigned': { full: '{{by}} hat dir „{{title}}“ zugewiesen', plain: '„{{title}}“ wurde dir zugewiesen' },
  'action.critical': {
    full: 'Kritisch: {{by}} hat dir „{{title}}“ zugewiesen',
    plain: 'Kritisch: „{{title}}“ wurde dir zugewiesen',
  },
  'action.unassigned': {
    full: 'Kritisch: „{{title}}“ ist noch niemandem zugewiesen',
    plain: 'Kritisch: Eine Korrekturmaßnahme ist noch niemandem zugewiesen',
  },
  'action.due_soon': { full: '„{{title}}“ ist bald fällig', plain: 'Eine Korrekturmaßnahme ist bald fällig' },
  'action.overdue': { full: '„{{title}}“ ist überfällig', plain: 'Eine Korrekturmaßnahme ist überfällig' },
  'action.to_verify': { full: '{{by}} bittet dich, „{{title}}“ zu prüfen', plain: '„{{title}}“ ist bereit zum Prüfen' },
  'action.sent_back': { full: '{{by}} bittet dich, „{{title}}“ nachzubessern', plain: '„{{title}}“ ist nachzubessern' },
  'action.check_due': {
    full: 'Hat „{{title}}“ gewirkt? Die Wirksamkeitskontrolle ist fällig',
    plain: 'Eine Wirksamkeitskontrolle ist fällig',
  },
  'action.risk_ended': {
    full: 'Das angenommene Risiko von „{{title}}“ ist abgelaufen',
    plain: 'Ein angenommenes Risiko ist abgelaufen',
  },
  'action.escalated': {
    full: '„{{title}}“ ist seit mehreren Tagen überfällig',
    plain: 'Eine Korrekturmaßnahme ist seit mehreren Tagen überfällig',
  },
  'action.guest_accepted': {
    full: '{{by}} (Gast) hat „{{title}}“ zugesagt',
    plain: 'Ein Gast hat eine Korrekturmaßnahme zugesagt',
  },
  'action.guest_declined': {
    full: '{{by}} (Gast) hat „{{title}}“ abgelehnt',
    plain: 'Ein Gast hat eine Korrekturmaßnahme abgelehnt',
  },
  'action.guest_done': {
    full: '{{by}} (Gast) hat „{{title}}“ als erledigt gemeldet',
    plain: 'Ein Gast hat eine Korrekturmaßnahme als erledigt gemeldet',
  },
  'inspection.assigned': { full: '{{by}} hat „{{title}}“ für dich geplant', plain: '„{{title}}“ ist für dich geplant' },
  'inspection.failed': { full: '„{{title}}“ von {{by}} ist nicht bestanden', plain: '„{{title}}“ ist nicht bestanden' },
  'inspection.sent_back': {
    full: '{{by}} hat dir „{{title}}“ zurückgegeben',
    plain: '„{{title}}“ wurde dir zurückgegeben',
  },
  'inspection.approved': { full: '{{by}} hat „{{title}}“ freigegeben', plain: '„{{title}}“ ist freigegeben' },
  'inspection.rejected': { full: '{{by}} hat „{{title}}“ abgelehnt', plain: '„{{title}}“ ist abgelehnt' },
  'inspection.due_soon': { full: '„{{title}}“ ist bald fällig', plain: 'Eine Prüfung ist bald fällig' },
  'inspection.missed': { full: '„{{title}}“ wurde versäumt', plain: 'Eine Prüfung wurde versäumt' },
  'issue.reported': { full: '{{by}} hat „{{title}}“ gemeldet', plain: 'Gemeldet: „{{title}}“' },
  'issue.critical': { full: 'Kritisch: {{by}} hat „{{title}}“ gemeldet', plain: 'Kritische Meldung: „{{title}}“' },
  'issue.code_flooded': {
    full: 'Der öffentliche Melde-Code für {{title}} ist nach zu vielen Meldungen pausiert',
    plain: 'Ein öffentlicher Melde-Code ist nach zu vielen Meldungen pausiert',
  },
  'issue.progress': { full: 'Es gibt Neues zu deiner Meldung „{{title}}“', plain: 'Es gibt Neues zu deiner Meldung' },
  'task.assigned': {
    full: '{{by}} hat dir die Aufgabe „{{title}}“ zugewiesen',
    plain: 'Die Aufgabe „{{title}}“ wurde dir zugewiesen',
  },
  'task.due_soon': { full: 'Die Aufgabe „{{title}}“ ist bald fällig', plain: 'Eine Aufgabe ist bald fällig' },
  'task.overdue': { full: 'Die Aufgabe „{{title}}“ ist überfällig', plain: 'Eine Aufgabe ist überfällig' },
  'task.to_review': {
    full: '{{by}} bittet dich, „{{title}}“ durchzusehen',
    plain: '„{{title}}“ wartet auf deine Durchsicht',
  },
  'comment.mentioned': {
    full: '{{by}} hat dich in einem Kommentar zu „{{title}}“ erwähnt',
    plain: 'Du wurdest in einem Kommentar erwähnt',
  },
  'comment.added': { full: '{{by}} hat „{{title}}“ kommentiert', plain: 'Es gibt einen neuen Kommentar' },
  'record.moved': {
    full: 'Es gibt Neues zu „{{title}}“, dem du folgst',
    plain: 'Es gibt Neues zu etwas, dem du folgst',
  },
  'habit.reminder': { full: '„{{title}}“ ist heute noch offen', plain: 'Eine Gewohnheit ist heute noch offen' },
  'wellness.reminder': { full: 'Wie geht es dir heute?', plain: 'Wie geht es dir heute?' },
  'wellness.look': {
    full: 'Zwei Wochen sind um: „{{title}}“ ist wieder an der Reihe',
    plain: 'Ein längerer Fragebogen ist wieder an der Reihe',
  },
  ...circleSentences.de,
  ...packSentences.de,
  'brief.due': {
    full: 'Der Wochenbericht von {{by}} ist bereit zur Durchsicht',
    plain: 'Ein Wochenbericht ist bereit zur Durchsicht',
  },
  'brief.reviewed': {
    full: '{{by}} hat deinen Wochenbericht durchgesehen. Er wartet auf deine Freigabe',
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
  'workflow.told': { full: '{{text}} („{{title}}“)', plain: 'Ein Ablauf hat dich benachrichtigt' },
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
  'evidence.sent_back': { full: '{{by}} hat „{{title}}“ zurückgegeben', plain: 'Dein Nachweis wurde zurückgegeben' },
  'evidence.expiring': { full: 'Der Nachweis „{{title}}“ läuft bald ab', plain: 'Dein Nachweis läuft bald ab' },
  'evidence.expired': { full: 'Der Nachweis „{{title}}“ ist abgelaufen', plain: 'Dein Nachweis ist abgelaufen' },
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
    full: 'Eine deiner Änderungen braucht deine Entscheidung',
    plain: 'Eine deiner Änderungen braucht deine Entscheidung',
  },
  'sync.refused': {
    full: 'Eine deiner Änderungen wurde nicht angenommen',
    plain: 'Eine deiner Änderungen wurde nicht angenommen',
  },
  'work.accepted': { full: '{{organization}} hat deine Arbeit angenommen', plain: 'Deine Arbeit wurde angenommen' },
  'work.declined': { full: '{{organization}} hat deine Arbeit abgelehnt', plain: 'Deine Arbeit wurde abgelehnt' },
  'security.new_device': { full: 'Neue Anmeldung mit {{agent}}', plain: 'Neue Anmeldung von einem anderen Gerät' },
  'member.joined': { full: '{{name}} ist jetzt bei {{organization}}', plain: 'Bei {{organization}} ist jemand Neues' },
};

const unknown: Record<Language, string> = {
  en: 'You have a new notification',
  de: 'Du hast eine neue Benachrichtigung',
};

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
