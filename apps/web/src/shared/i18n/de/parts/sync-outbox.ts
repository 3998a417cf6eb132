import type { TextsOf } from '../../texts.ts';

type Words = Pick<TextsOf<'sync'>, 'named' | 'more' | 'trouble' | 'aside' | 'send' | 'notRead' | 'took'>;

export const outboxTexts: Words = {
  named: '{{act}}: {{name}}',
  more: 'Mehr zeigen',
  trouble: {
    network: 'Keine Verbindung zum Server oder keine Antwort von ihm. Es geht von selbst hinaus.',
    slow: 'Die Verbindung war zu langsam: Es kam rechtzeitig keine Antwort. Es geht von selbst hinaus.',
    busy: 'Der Server war beschäftigt. Es geht gleich von selbst hinaus.',
    long: 'Der Server hat zu lange dafür gebraucht. Es geht gleich von selbst hinaus.',
    server: 'Der Server hat eine Störung. Es geht von selbst hinaus, sobald sie vorbei ist.',
    auth: 'Du musst dich neu anmelden',
    version:
      'Die App auf diesem Gerät und der Server haben verschiedene Versionen. Öffne die App mit Verbindung neu: Dann holt sie die neue Version.',
    behind:
      'Der Server wurde auf einen früheren Stand zurückgesetzt und wartet auf ältere Arbeit von anderen Geräten. Es geht von selbst hinaus, spätestens nach einem Tag.',
    anew: 'Der Server hat das Foto oder die Datei nicht ganz bekommen. Es wird von selbst noch einmal gesendet.',
    changed: 'Das Foto oder die Datei hat sich unterwegs verändert. Es wird von selbst noch einmal gesendet.',
    sorting:
      'Etwas, das zusammen damit gesendet wurde, wurde nicht angenommen. Es geht als Nächstes in kleineren Teilen.',
    full: 'Dieses Gerät ist voll, deshalb konnte es die Antwort des Servers nicht behalten. Schaffe Platz: Dann geht es von selbst hinaus.',
    interrupted: 'Das Senden wurde unterbrochen. Es geht von selbst hinaus.',
    other: 'Es ging nicht durch. Es geht von selbst hinaus; bleibt es hier, zeig jemandem die Einzelheiten.',
    staying: 'Du bleibst offline, weil du es so willst. Es wird gesendet, wenn du „Offline bleiben“ ausschaltest.',
    none: 'Noch nicht gesendet',
  },
  aside: {
    title: 'Von diesem Gerät beiseitegelegt',
    state: 'Beiseitegelegt',
    crash:
      'Die App wurde mehrmals geschlossen, während das gesendet wurde, deshalb hat dieses Gerät es beiseitegelegt. Sende es noch einmal; geschieht es wieder, zeig jemandem die Einzelheiten.',
    bytes_missing:
      'Das Foto oder die Datei selbst ist nicht mehr auf diesem Gerät und kann nicht gesendet werden. Verwirf das und nimm es neu auf, wenn du kannst.',
    not_a_member:
      'Du gehörst nicht mehr zu dieser Organisation. Was du getan hast, wird mit der nächsten Verbindung denen übergeben, die sie leiten.',
    id_collision:
      'Der Server hat unter derselben Nummer etwas anderes. Dieses Gerät gibt ihm eine neue und sendet es von selbst noch einmal.',
    reused:
      'Der Server hielt das für etwas, das er schon hat. Sichere eine Kopie, verwirf das hier und gib es noch einmal ein.',
  },
  send: {
    noSignal: 'Keine Verbindung: Es geht von selbst hinaus',
    noSignalText: 'Es bleibt auf diesem Gerät und wird gesendet, sobald es eine Verbindung gibt.',
    staying: 'Du bleibst offline, weil du es so willst',
    stayingText: 'Es bleibt auf diesem Gerät und wird gesendet, wenn du „Offline bleiben“ ausschaltest.',
  },
  notRead: {
    outbox: 'Was wartet, konnte nicht gelesen werden',
    conflicts: 'Was deine Wahl braucht, konnte nicht gelesen werden',
    receipts: 'Die Quittungen konnten nicht gelesen werden',
    text: 'Dieses Gerät hat nicht geantwortet. Nichts wurde verworfen.',
    again: 'Noch einmal versuchen',
  },
  took: {
    title: 'Deine Aufnahme verwerfen?',
    too: 'Die Fotos und Dateien darunter sind endgültig verloren: Der Server hat sie nicht.',
    photo: 'Foto sichern',
    photos: '{{number}} Fotos sichern',
    file: 'Datei sichern',
    files: '{{number}} Dateien sichern',
    notHere: 'Nicht alles konnte gesichert werden',
    notHereText: 'Ein Teil davon ist nicht mehr auf diesem Gerät.',
  },
};
