import type { TextsOf } from '../../texts.ts';

/** What each type of question is called, what it is for, and what is said of an answer that is none, of the area `field`. */
export const types: TextsOf<'field'>['types'] = {
  text: { name: 'Text', hint: 'Worte, kurz oder lang', misfit: 'Das muss ein Text sein.' },
  integer: {
    name: 'Ganze Zahl',
    hint: 'Eine Anzahl, etwa Stunden',
    misfit: 'Das muss eine ganze Zahl sein, ohne Punkt oder Komma.',
  },
  decimal: {
    name: 'Zahl',
    hint: 'Ein Maß, etwa 1,6',
    misfit: 'Das muss eine Zahl sein, ohne Zeichen zwischen den Tausendern.',
  },
  range: { name: 'Zahl auf einer Skala', hint: 'Ein Regler oder Sterne' },
  timer: { name: 'Stoppuhr', hint: 'Eine Stoppuhr oder ein Countdown', misfit: 'Das muss eine Zeit sein, etwa 1:30.' },
  select_one: { name: 'Eines aus einer Liste', hint: 'Eine von mehreren Antworten' },
  select_multiple: { name: 'Mehrere aus einer Liste', hint: 'Beliebig viele von mehreren' },
  rank: { name: 'In eine Reihenfolge bringen', hint: 'Was kommt zuerst?' },
  pass_fail: { name: 'In Ordnung, Mangel, entfällt', hint: 'Zählt für das Ergebnis' },
  acknowledge: { name: 'Zum Bestätigen', hint: 'Gesehen und bestätigt', misfit: 'Das muss bestätigt werden.' },
  barcode: {
    name: 'Strichcode oder QR-Code',
    hint: 'Was auf einem Schild steht',
    misfit: 'Das muss der Inhalt eines Codes sein.',
  },
  photo: { name: 'Foto', hint: 'Von Kamera oder Galerie' },
  audio: { name: 'Tonaufnahme', hint: 'Sprachnotiz oder Geräusch' },
  video: { name: 'Film', hint: 'Ein kurzer Film' },
  file: { name: 'Datei', hint: 'Irgendein Dokument' },
  signature: { name: 'Unterschrift', hint: 'Mit dem Finger gezeichnet', misfit: 'Das muss eine Unterschrift sein.' },
  date: { name: 'Datum', hint: 'Ein Tag', misfit: 'Das muss ein Datum sein.' },
  time: { name: 'Uhrzeit', hint: 'Eine Uhrzeit', misfit: 'Das muss eine Uhrzeit sein.' },
  datetime: { name: 'Datum und Uhrzeit', hint: 'Ein Tag mit Uhrzeit', misfit: 'Das müssen Datum und Uhrzeit sein.' },
  geopoint: { name: 'Standort', hint: 'Wo jemand steht', misfit: 'Das muss ein Ort sein.' },
  geotrace: { name: 'Weg', hint: 'Ein gegangener Weg', misfit: 'Das muss ein Weg mit mindestens zwei Orten sein.' },
  geoshape: {
    name: 'Fläche',
    hint: 'Eine umgangene Fläche',
    misfit: 'Das muss eine Fläche mit mindestens drei Ecken sein.',
  },
  note: { name: 'Text zum Lesen', hint: 'Wird gezeigt, fragt nichts' },
  calculate: { name: 'Berechnet', hint: 'Aus Antworten berechnet, nicht gezeigt' },
};
