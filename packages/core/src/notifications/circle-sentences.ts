/** What the types of the support circle say; see `sentences.ts`. */
export const circleSentences = {
  en: {
    'circle.message': { full: '{{by}} wrote to you', plain: 'Somebody of your circle wrote to you' },
    'circle.countersign_asked': {
      full: '{{by}} asks you to countersign a principle',
      plain: 'Somebody of your circle asks you to countersign',
    },
    'circle.countersigned': {
      full: '{{by}} countersigned your principle',
      plain: 'Somebody of your circle countersigned',
    },
    'circle.countersign_declined': {
      full: '{{by}} did not countersign your principle',
      plain: 'Somebody of your circle did not countersign',
    },
    'circle.session': { full: '{{by}} wrote down your session', plain: 'Somebody of your circle wrote down a session' },
    'circle.session_planned': {
      full: '{{by}} planned a session with you',
      plain: 'Somebody of your circle planned a session with you',
    },
    'circle.session_changed': {
      full: 'There is news from {{by}} on a planned session',
      plain: 'There is news on a planned session',
    },
    'circle.session_soon': { full: 'You talk with {{by}} within the hour', plain: 'A session begins within the hour' },
    'circle.session_due': {
      full: 'It is nearly time to talk with {{by}} again, and nothing is planned',
      plain: 'It is nearly time for the next session, and nothing is planned',
    },
  },
  de: {
    'circle.message': { full: '{{by}} hat dir geschrieben', plain: 'Jemand aus deinem Kreis hat dir geschrieben' },
    'circle.countersign_asked': {
      full: '{{by}} bittet dich, einen Grundsatz gegenzuzeichnen',
      plain: 'Jemand aus deinem Kreis bittet dich um Gegenzeichnung',
    },
    'circle.countersigned': {
      full: '{{by}} hat deinen Grundsatz gegengezeichnet',
      plain: 'Jemand aus deinem Kreis hat gegengezeichnet',
    },
    'circle.countersign_declined': {
      full: '{{by}} hat deinen Grundsatz nicht gegengezeichnet',
      plain: 'Jemand aus deinem Kreis hat nicht gegengezeichnet',
    },
    'circle.session': {
      full: '{{by}} hat euer Gespräch aufgeschrieben',
      plain: 'Jemand aus deinem Kreis hat ein Gespräch aufgeschrieben',
    },
    'circle.session_planned': {
      full: '{{by}} hat ein Gespräch mit dir geplant',
      plain: 'Jemand aus deinem Kreis hat ein Gespräch mit dir geplant',
    },
    'circle.session_changed': {
      full: 'Es gibt Neues von {{by}} zu einem geplanten Gespräch',
      plain: 'Es gibt Neues zu einem geplanten Gespräch',
    },
    'circle.session_soon': {
      full: 'In der nächsten Stunde sprichst du mit {{by}}',
      plain: 'In der nächsten Stunde beginnt ein Gespräch',
    },
    'circle.session_due': {
      full: 'Bald ist es wieder Zeit für ein Gespräch mit {{by}}, und keines ist geplant',
      plain: 'Bald ist es Zeit für das nächste Gespräch, und keines ist geplant',
    },
  },
};
