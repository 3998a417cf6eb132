import type { TextsOf } from '../texts.ts';

export const verify: TextsOf<'verify'> = {
  loading: 'Wird nachgesehen',
  known: 'Ein Nachweis hat diesen Code',
  compare:
    'Vergleiche jede Zeile mit dem Blatt oder der Datei, die du bekommen hast. Steht dort etwas anderes, wurde jene Fassung verändert.',
  status: {
    in_force: 'In Kraft',
    superseded: 'Abgelöst',
    archived: 'Außer Kraft',
    void: 'Ungültig',
  },
  statusText: {
    in_force: 'Die bestätigte Version ist in Kraft, die Bestätigung zählt also.',
    superseded:
      'Bestätigt wurde, was hier steht. Inzwischen ist eine neuere große Version in Kraft, die neu bestätigt wird.',
    archived: 'Bestätigt wurde, was hier steht. Die Richtlinie ist inzwischen außer Kraft.',
    void: 'Unterschrieben wurde, was hier steht, es kam aber an, als eine neuere Version in Kraft war. Es hat nie gezählt.',
  },
  fact: {
    organization: 'Organisation',
    policy: 'Richtlinie',
    version: 'Version',
    name: 'Bestätigt von',
    account: 'Unterschrieben vom Konto',
    received: 'Empfangen um (Serverzeit)',
    hash: 'Inhalt (SHA-256)',
  },
  nameGone: 'Das Konto dieses Menschen wurde gelöscht, und der Name mit ihm.',
  hash: {
    label: 'Eine Inhaltsprüfsumme vergleichen',
    hint: 'Füge die 64 Stellen ein, die auf dem Nachweis stehen.',
    same: 'Dieselbe',
    different: 'Eine andere: jene Fassung steht für andere Worte.',
    notOne: 'Das ist keine SHA-256: die hat 64 Stellen von 0 bis 9 und a bis f.',
  },
  unknown: 'Kein Nachweis hat diesen Code',
  unknownText:
    'Vergleiche ihn Zeichen für Zeichen mit dem Blatt: es sind 28, in sieben Vierergruppen. Ist er derselbe, wurde der Nachweis nicht hier ausgestellt, oder es gibt die Organisation nicht mehr.',
  offline: 'Dafür braucht es eine Verbindung',
  offlineText: 'Ein Nachweis wird auf dem Server nachgesehen. Die Seite versucht es von selbst, sobald es Netz gibt.',
  many: 'Nicht nachgesehen',
  manyText:
    'Aus deinem Netz wurden zu viele Codes nachgesehen, oder der Server hat zu tun. Versuch es in einigen Minuten wieder.',
  again: 'Noch einmal',
  code: 'Code auf dem Nachweis',
  codeHint: 'Wie 7Q2K-41AB-… oder die ganze Adresse',
  notACode: 'Das ist kein solcher Code: er hat 28 Buchstaben und Ziffern.',
  ask: 'Nachsehen',
  other: 'Ein anderer Nachweis',
};
