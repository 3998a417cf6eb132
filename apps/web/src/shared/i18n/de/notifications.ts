import type { TextsOf } from '../texts.ts';

export const notifications: TextsOf<'notifications'> = {
  title: 'Mitteilungen',
  loading: 'Mitteilungen werden geladen',
  bell: {
    none: 'Mitteilungen',
    some_one: 'Mitteilungen, {{count}} ungelesen',
    some_other: 'Mitteilungen, {{count}} ungelesen',
  },
  views: { label: 'Was gezeigt wird', inbox: 'Eingang', settings: 'Was mir gesagt wird' },
  filter: { label: 'Filter', unread: 'Ungelesen' },
  markAll: 'Alle als gelesen markieren',
  marked_one: '{{count}} als gelesen markiert',
  marked_other: '{{count}} als gelesen markiert',
  undo: 'Zurücknehmen',
  read: 'Als gelesen markieren: {{what}}',
  unread: 'Als ungelesen markieren: {{what}}',
  isUnread: 'Ungelesen',
  empty: {
    inbox: 'Alles ruhig',
    inboxText: 'Was andere dir geben, was fällig ist und was du ansehen solltest, steht hier, auch ohne Netz.',
    unread: 'Alles gelesen',
    unreadText: 'Neues steht dann hier. Was du in der App liest, kommt nicht per E-Mail.',
    all: 'Alles zeigen',
  },
  arrived_one: '{{count}} neue Mitteilung',
  arrived_other: '{{count}} neue Mitteilungen',
  open: 'Öffnen',
  channels: { app: 'In der App', push: 'Push', email: 'E-Mail' },
  cadence: { off: 'Aus', immediate: 'Sofort', daily: 'Einmal am Tag' },
  always: 'Immer sofort, auch in Ruhezeiten: Hier geht es um Sicherheit.',
  choicesText:
    'Im Eingang steht immer alles. Wähle, was dich außerdem ruft, und wann. Ruhezeiten halten alles zurück, außer wenn es um Sicherheit geht.',
  choiceOf: '{{type}}: {{channel}}',
  types: {
    action: {
      assigned: 'Eine Maßnahme wird mir gegeben',
      critical: 'Eine kritische Maßnahme wird mir gegeben',
      due_soon: 'Meine Maßnahme ist in einem Tag fällig',
      overdue: 'Meine Maßnahme ist überfällig',
    },
    issue: {
      reported: 'Jemand meldet ein Problem',
      critical: 'Jemand meldet ein kritisches Problem',
      progress: 'Es gibt Neues zu meiner Meldung',
      code_flooded: 'Ein öffentlicher Melde-Code hält sich selbst an',
    },
    inspection: {
      assigned: 'Eine Inspektion wird für mich geplant',
      failed: 'Eine Inspektion ist nicht bestanden',
      sent_back: 'Eine Inspektion von mir kommt zurück',
      approved: 'Eine Inspektion von mir ist freigegeben',
      rejected: 'Eine Inspektion von mir ist abgelehnt',
      due_soon: 'Eine Inspektion ist bald fällig',
      missed: 'Eine Inspektion wurde versäumt',
    },
    sync: {
      conflict: 'Eine Änderung von mir braucht meine Wahl',
      refused: 'Eine Änderung von mir wurde nicht angenommen',
    },
    security: { new_device: 'Jemand meldet sich als ich auf einem neuen Gerät an' },
    member: { joined: 'Jemand kommt in meine Organisation' },
  },
  push: {
    title: 'Push auf diesem Gerät',
    text: 'Mitteilungen kommen auf dieses Gerät, auch wenn Cairn geschlossen ist.',
    on: 'An für dieses Gerät',
    unsupported:
      'Dieser Browser kann keine Push-Mitteilungen empfangen. Lege Cairn auf iPhone oder iPad zuerst auf den Home-Bildschirm.',
    denied:
      'Push-Mitteilungen sind für Cairn gesperrt. Erlaube Mitteilungen in den Einstellungen deines Browsers und versuche es noch einmal.',
    notConfigured: 'Dieser Server verschickt keine Push-Mitteilungen.',
    failed: 'Der Push-Dienst deines Browsers war nicht erreichbar. Versuche es noch einmal, wenn du Netz hast.',
    reminders: 'Ohne Netz erinnert dich Cairn an Fälliges, solange es offen ist.',
  },
};
