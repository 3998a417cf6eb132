/** What the types of the support circle say; see `sentences.ts`. */
export const circleSentences = {
  en: {
    'circle.message': { full: '{{by}} wrote to you', plain: 'Someone in your circle wrote to you' },
    'circle.countersign_asked': {
      full: '{{by}} asks you to countersign a principle',
      plain: 'Someone in your circle asks you to countersign a principle',
    },
    'circle.countersigned': {
      full: '{{by}} countersigned your principle',
      plain: 'Someone in your circle countersigned your principle',
    },
    'circle.countersign_declined': {
      full: '{{by}} did not countersign your principle',
      plain: 'Someone in your circle did not countersign your principle',
    },
    'circle.session': { full: '{{by}} logged your session', plain: 'Someone in your circle logged a session' },
    'circle.session_planned': {
      full: '{{by}} planned a session with you',
      plain: 'Someone in your circle planned a session with you',
    },
    'circle.session_changed': { full: '{{by}} changed a planned session', plain: 'A planned session has changed' },
    'circle.session_soon': {
      full: 'Your session with {{by}} starts within the hour',
      plain: 'A session starts within the hour',
    },
    'circle.session_due': {
      full: 'Your next session with {{by}} is due soon but not planned',
      plain: 'Your next session is due soon but not planned',
    },
  },
  de: {
    'circle.message': { full: '{{by}} hat dir geschrieben', plain: 'Jemand aus deinem Kreis hat dir geschrieben' },
    'circle.countersign_asked': {
      full: '{{by}} bittet dich, einen Grundsatz gegenzuzeichnen',
      plain: 'Jemand aus deinem Kreis bittet dich, einen Grundsatz gegenzuzeichnen',
    },
    'circle.countersigned': {
      full: '{{by}} hat deinen Grundsatz gegengezeichnet',
      plain: 'Jemand aus deinem Kreis hat deinen Grundsatz gegengezeichnet',
    },
    'circle.countersign_declined': {
      full: '{{by}} hat deinen Grundsatz nicht gegengezeichnet',
      plain: 'Jemand aus deinem Kreis hat deinen Grundsatz nicht gegengezeichnet',
    },
    'circle.session': {
      full: '{{by}} hat euer Gespräch festgehalten',
      plain: 'Jemand aus deinem Kreis hat ein Gespräch festgehalten',
    },
    'circle.session_planned': {
      full: '{{by}} hat ein Gespräch mit dir geplant',
      plain: 'Jemand aus deinem Kreis hat ein Gespräch mit dir geplant',
    },
    'circle.session_changed': {
      full: '{{by}} hat ein geplantes Gespräch geändert',
      plain: 'Ein geplantes Gespräch hat sich geändert',
    },
    'circle.session_soon': {
      full: 'Dein Gespräch mit {{by}} beginnt in der nächsten Stunde',
      plain: 'Ein Gespräch beginnt in der nächsten Stunde',
    },
    'circle.session_due': {
      full: 'Dein nächstes Gespräch mit {{by}} steht bald an, ist aber nicht geplant',
      plain: 'Dein nächstes Gespräch steht bald an, ist aber nicht geplant',
    },
  },
};
