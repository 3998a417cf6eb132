import type { TextsOf } from '../../texts.ts';

/** What belongs to a whole form, of the area `builder`. */
export const form: TextsOf<'builder'>['form'] = {
  title: 'Name des Formulars',
  passPercent: 'Bestanden ab',
  passPercentHint: 'Prozent der Punkte. 100: Ein verlorener Punkt lässt sie scheitern.',
  sign: 'Am Ende wird unterschrieben',
  presence: 'Nachweis der Anwesenheit',
  presenceHint:
    'Scan des Schildes, Standort und Zeit, verkettet und prüfbar. Wer prüft, erfährt es vorher. Wer nicht kann, sagt warum; niemand wird für immer aufgehalten.',
  presences: { off: 'Aus', asked: 'Erbeten', required: 'Verlangt: getan oder begründet' },
  languages: 'Sprachen',
  languagesHint: 'Ohne Sprache wird jeder Text einmal geschrieben. Mit mehreren hat jeder Text je ein Feld.',
  otherLanguage: 'Andere Sprache',
  addLanguage: 'Hinzufügen',
  removeLanguage: '{{name}} mit allen Texten entfernen',
};
