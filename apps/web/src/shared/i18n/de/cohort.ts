import type { TextsOf } from '../texts.ts';

export const cohort: TextsOf<'cohort'> = {
  title: 'Was meine Organisation sieht',
  text: 'Das ist alles: Schätzungen über Gruppen. Administratoren lesen dieselbe Seite wie alle anderen.',
  back: 'Check-ins',
  loading: 'Was die Organisation sieht, wird geladen',
  organisation: 'Organisation',
  nobody: 'Keine Organisation',
  nobodyText: 'Du gehörst hier zu keiner Firma. Niemand außer dir sieht, wie es dir geht.',
  offline: 'Für die Zahlen braucht es ein Netz',
  offlineText: 'Sie liegen nur auf dem Server. Deine Wahl oben geht auch ohne.',
  failed: 'Die Zahlen ließen sich nicht laden',
  failedText: 'Es wurde nichts geändert.',
  again: 'Noch einmal',
  people_one: 'etwa {{count}} Person gezählt',
  people_other: 'etwa {{count}} Personen gezählt',
  hidden: 'Nicht genug Personen',
  kind: { organization: 'Die ganze Organisation', site: 'Standort', team: 'Team' },
  measure: { mood: 'Gute Stimmung', energy: 'Viel Energie', stress: 'Viel Stress' },
  estimate: 'Etwa {{percent}} %, zwischen {{from}} % und {{until}} %',
  hint: {
    title: 'Mehr Stress und mehr Überfälliges',
    text: 'Viel Stress stieg in vier Wochen von etwa {{from}} % auf etwa {{to}} %, und überfällige Maßnahmen hier von {{before}} auf {{count}}. Was woran liegt, sagt das nicht.',
  },
  figures: {
    title: 'Die Zahlen',
    week: 'Vier Wochen',
    chance:
      'Das sind Schätzungen. Zufälliges Rauschen lässt die Antworten jeder Person im Zweifel. In 19 von 20 Fällen liegt der wahre Anteil im Bereich.',
    span: '{{from}} bis {{until}}',
    off: '{{organisation}} fragt nach keinen Zahlen',
    offText: 'Es wird nichts berechnet und nichts gezeigt, wer auch zustimmen würde.',
  },
  count: {
    title: 'Zähl mich mit',
    switch: 'In den Zahlen von {{organisation}} mitzählen',
    yes: 'Du hast zugestimmt. Du kannst mitzählen, sobald du zwölf Wochen hier bist und zwölf Wochen zugestimmt hast, insgesamt in höchstens {{life}} Zeiträumen von vier Wochen. Schaltest du es aus, zählt dich keine spätere Zahl mit; veröffentlichte Zahlen bleiben, wie sie sind. {{organisation}} erfährt von uns nicht, wer zugestimmt hat.',
    no: 'Keine Zahl zählt dich mit. {{organisation}} erfährt von uns nicht, wer zugestimmt hat.',
  },
  rules: {
    title: 'Was dich schützt',
    noise:
      'Zu jeder Zahl kommt zufälliges Rauschen, und auch dazu, ob sie erscheint. Von dir geht nur ein, ob vier Wochen über oder unter der Mitte lagen.',
    twelveWeeks:
      'Angenommen, jemand kennt alle anderen Antworten und liest die Zahlen von zwölf Wochen. Rät er, ob alle deine Antworten hoch oder niedrig waren, oder ob du mitmachst, liegt er höchstens {{twelveWeeks}}-mal von 100 richtig. Reines Glück gibt 50.',
    years:
      'Was Zahlen verraten, summiert sich: Nach einem Zeitraum stimmen höchstens {{one}} von 100 Vermutungen, nach einem Jahr {{year}}. Du zählst in höchstens {{life}} Zeiträumen mit; aus allen zusammen {{lifetime}}.',
    wait: 'Wir zählen nur, wer seit zwölf Wochen dabei ist und zugestimmt hat. Eine geheime Auslosung lässt jede vierte Person aus, jedes Mal neu.',
    group:
      'Keine Zahlen unter etwa {{people}} gezählten Personen. Je Zeitraum zählst du in höchstens einer Organisation, einem Standort und einem Team.',
    once: 'Wir berechnen alle vier Wochen einmal, am Mittwoch danach. Eine veröffentlichte Zahl ändert sich nie.',
    never: 'Keine Notiz, kein Stichwort, kein Schlaf und kein einzelner Check-in wird je verwendet oder gezeigt.',
  },
  settings: {
    title: 'Für Administratoren',
    text: 'Das Einschalten steht im Prüfprotokoll. Alle entscheiden selbst, ob sie mitzählen.',
    on: 'Nach Zahlen fragen, wie es den Leuten geht',
    minimum: 'Kleinste Gruppe (Personen)',
    hint: 'Nie weniger als {{count}}.',
    tooLow: 'Eine ganze Zahl von {{least}} bis {{most}}.',
    notANumber: 'Das ist keine Zahl.',
    save: 'Speichern',
    refused: 'Das war nicht erlaubt. Es wurde nichts geändert.',
  },
};
