import type { TextsOf } from '../../texts.ts';

export const refused: Pick<TextsOf<'sync'>, 'failed' | 'refused' | 'discard'> = {
  failed: {
    title: 'Vom Server abgelehnt',
    retry: 'Noch einmal senden',
    retryAll: 'Alle noch einmal senden',
    discard: 'Verwerfen',
    discardAll: 'Alles davon verwerfen',
    save: 'Kopie sichern',
    within: 'In: {{name}}',
    what: 'Art',
    when: 'Gespeichert',
    attempts: 'Versuche',
    code: 'Code',
    said: 'Der Server sagte',
  },
  refused: {
    decided:
      'Es war abgeschlossen oder entschieden, bevor das ankam, und bleibt, wie es ist. Noch einmal senden ändert nichts: Sichere eine Kopie, wenn du deine Angaben behalten willst, und verwirf es dann.',
    came_with:
      'Womit es zusammen kam, war abgeschlossen oder entschieden, bevor das ankam; darum wurde es auch nicht angenommen. Sichere eine Kopie, wenn du deine Angaben behalten willst, und verwirf es dann.',
    not_allowed:
      'Du darfst das nicht mehr ändern. Frag eine Leitung dieser Organisation und sende es dann noch einmal.',
    parent_gone: 'Wozu das gehört, ist nicht angekommen oder wurde entfernt. Sende alles noch einmal.',
    exists: 'Dasselbe gibt es auf dem Server schon. Verwirf dies hier oder ändere es.',
    too_large: 'Das ist zu groß für den Server. Mach es kleiner und sende es noch einmal.',
    mismatch: 'Die Datei hat sich unterwegs verändert. Sende sie noch einmal.',
    wrong_type:
      'Diese Datei ist nicht, was sie angibt, etwa ein Foto, das kein Bild ist. Verwirf sie und nimm die richtige.',
    quiz: 'Das Quiz dieser Richtlinie wird verlangt und ist nicht bestanden. Verwirf das hier, öffne die Richtlinie, beantworte das Quiz und unterschreib noch einmal.',
    many: 'Davon gibt es schon so viele, wie es geben darf. Verwirf dies hier; sichere vorher eine Kopie, wenn du deine Angaben behalten willst.',
    photo_named:
      'Ein Foto dieser Meldung steht auch an etwas anderem und würde deinen Namen verraten. Verwirf sie und melde es mit einem neuen Foto.',
    invalid: 'Der Server nimmt einen Wert darin nicht an. Öffne es, prüfe deine Angaben und sende es noch einmal.',
    unknown: 'Der Server hat das abgelehnt. Sende es noch einmal; kommt es wieder, zeig jemandem die Einzelheiten.',
  },
  discard: {
    title: 'Diese Änderung verwerfen?',
    text: '„{{name}}“ wird wieder so, wie der Server es hat. Was du hier eingegeben hast, ist endgültig verloren.',
    all: 'Alles Abgelehnte von „{{name}}“ wird wieder so, wie der Server es hat. Was du hier eingegeben hast, ist endgültig verloren.',
    allTitle: 'Alles davon verwerfen?',
    unsent: '„{{name}}“ ist noch nie beim Server angekommen. Was du hier eingegeben hast, ist endgültig verloren.',
    choice: 'Deine Wahl wird zurückgenommen. Beide Fassungen von „{{name}}“ bleiben, und du wirst noch einmal gefragt.',
    file: 'Deine Aufnahme ist endgültig verloren. Die Stelle, für die sie gemacht wurde, bleibt leer.',
    together: 'Das gehört zusammen und geht mit:',
    maybe:
      'Es wurde schon gesendet, ohne dass eine Antwort kam. Sollte der Server es doch haben, kommt es von dort zurück.',
    late: 'Es wird gerade gesendet',
    lateText: 'Nichts wurde verworfen. Ist es gleich noch da, kannst du es dann verwerfen.',
    keep: 'Behalten',
    yes: 'Verwerfen',
  },
};
