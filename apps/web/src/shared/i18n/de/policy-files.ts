import type { TextsOf } from '../texts.ts';

export const policyFiles: TextsOf<'policyFiles'> = {
  loading: 'Datei wird geöffnet',
  original: '{{name}} · {{size}}',
  download: 'Original herunterladen',
  elsewhere: 'Die Datei ist noch nicht auf diesem Gerät',
  elsewhereText:
    'Sie kommt mit dem nächsten Netz und lässt sich danach ohne Netz öffnen. Bis dahin kann sie hier nicht bestätigt werden.',
  altered:
    'Was auf diesem Gerät liegt, ist nicht die veröffentlichte Datei. Sie wird nicht gezeigt und kann hier nicht bestätigt werden.',
  broken:
    'Diese Datei lässt sich hier nicht zeigen. Lade das Original herunter oder frag, wer dafür verantwortlich ist.',
  pages: 'Seiten der Datei',
  page: 'Seite {{number}} von {{all}}',
  seen: '{{read}} von {{all}} Seiten gesehen',
  sections: '{{read}} von {{all}} Abschnitten gelesen',
  mode: 'Seiten oder Text',
  asPages: 'Seiten',
  asWords: 'Nur Text',
  zoom: '{{percent}} %',
  smaller: 'Kleiner',
  larger: 'Größer',
  goTo: 'Seite',
  go: 'Zur Seite',
  noPage: 'Es gibt {{all}} Seiten.',
  noWords: 'Diese Seite enthält keinen Text, nur ein Bild.',
  ack: {
    notHere: 'Das kann noch nicht bestätigt werden: Die Datei ist auf diesem Gerät nicht geöffnet.',
    notHereText:
      'Du unterschreibst für das, was vor dir lag. Sobald die Datei hier geöffnet ist, auch ohne Netz, kannst du unterschreiben.',
  },
  diff: {
    noText:
      'Diese Versionen lassen sich nicht Wort für Wort vergleichen: Mindestens eine ist eine Datei ohne Text, etwa ein Scan. Öffne beide und sieh nach.',
    note: 'Verglichen wird der Text der Dateien, nicht Bilder und Gestaltung.',
  },
  upload: {
    link: 'Datei hochladen',
    title: 'PDF- oder Word-Datei hochladen',
    act: 'PDF- oder Word-Datei hochladen',
    pick: 'Datei wählen',
    hint: 'PDF oder Word (.docx), bis 25 MB. Sie wird zuerst auf diesem Gerät geprüft.',
    reading: 'Datei wird geprüft',
    field: 'Wie heißt sie?',
    fieldNeeded: 'Gib ihr zuerst einen Namen.',
    keep: 'Als Entwurf behalten',
    kept: 'Das Dokument ist hinzugefügt',
    found_one: '{{name}} · {{size}} · {{count}} Seite',
    found_other: '{{name}} · {{size}} · {{count}} Seiten',
    foundWord: '{{name}} · {{size}} · Word',
    noText:
      'Sie enthält keinen Text, nur Bilder. Sie kann gelesen und bestätigt, aber nicht durchsucht oder verglichen werden.',
    refused: '{{name}} wurde nicht angenommen',
  },
  problem: {
    empty: 'Die Datei ist leer.',
    too_large:
      'Sie ist zu groß. Eine Richtlinie darf 25 MB und 2.000 Seiten haben, damit jedes Telefon sie öffnen kann.',
    old_word:
      'Das ist eine Word-Datei der alten Art (.doc) oder eine mit Passwort. Speichere sie in Word als .docx ohne Passwort oder als PDF.',
    unknown: 'Das ist weder eine PDF- noch eine Word-Datei (.docx), wie auch immer sie heißt.',
    encrypted: 'Sie ist mit einem Passwort verschlossen. Speichere sie ohne Passwort und lade sie noch einmal hoch.',
    macros: 'Sie enthält Makros: Programme, die beim Öffnen laufen. Speichere sie als .docx ohne Makros oder als PDF.',
    active:
      'Sie enthält ein Programm, angehängte Dateien oder etwas, das von anderswo geholt wird. Drucke sie als PDF und lade dieses hoch.',
    bomb: 'Entpackt ist sie weit größer, als sie aussieht. Speichere sie neu, mit kleineren Bildern.',
    changes:
      'Sie enthält Änderungen, die niemand angenommen oder abgelehnt hat. Entscheide sie in Word (Überprüfen) und lade sie noch einmal hoch.',
    hidden:
      'Sie enthält ausgeblendeten Text, der hier zu sehen wäre. Lösche ihn in Word oder drucke die Datei als PDF.',
    formulas: 'Sie enthält Formeln, die hier nicht dargestellt werden. Drucke sie als PDF und lade dieses hoch.',
    linked:
      'Sie holt Text von anderswo aus der Datei (ein an Daten gebundenes Steuerelement oder ein eingefügtes Dokument), den Word anders zeigen kann. Wandle ihn in einfachen Text um oder drucke die Datei als PDF.',
    variants:
      'Sie enthält eine Zeichnung in zwei Varianten, die nicht dasselbe sagen. Füge sie neu als Bild ein oder drucke die Datei als PDF.',
    unshown:
      'Sie enthält etwas, das hier nicht so gezeigt werden kann wie in Word: ein Diagramm, eine Zeichnung mit Text, ein Feld, das Word selbst zeichnet, Text um Listennummern oder Text, den eine Formatvorlage durchstreicht. Drucke sie als PDF und lade dieses hoch.',
    damaged:
      'Sie ist beschädigt oder so gebaut, dass sie sich nicht prüfen lässt. Speichere oder drucke sie neu als PDF.',
  },
  card: {
    title: 'Die Datei',
    text: 'Diese Version ist die Datei unten. Gelesen wird die Datei selbst; durchsucht und verglichen wird ihr Text.',
    sending: 'Sie ist noch nicht auf dem Server. Danach kann sie zur Freigabe geschickt werden.',
    refused: 'Der Server hat sie nicht angenommen: Sie ist nicht, was sie zu sein vorgibt. Wähle eine andere Datei.',
    replace: 'Andere Datei wählen',
    remove: 'Stattdessen hier schreiben',
    removeText: 'Die Datei geht, ihr Text bleibt und kann weitergeschrieben werden.',
    cancel: 'Abbrechen',
  },
};
