export const cohort = {
  title: 'What my organisation sees',
  text: 'This is all of it: estimates about groups. Administrators read the same page as everybody else.',
  back: 'Check-ins',
  loading: 'Loading what the organisation sees',
  organisation: 'Organisation',
  nobody: 'No organisation',
  nobodyText: 'You belong to no company here, so nobody but you sees how you are.',
  offline: 'The figures need a network',
  offlineText: 'They lie on the server only. Your choice above works without it.',
  failed: 'The figures could not be loaded',
  failedText: 'Nothing was changed.',
  again: 'Try again',
  people_one: 'about {{count}} person counted',
  people_other: 'about {{count}} people counted',
  hidden: 'Not enough people',
  kind: { organization: 'The whole organisation', site: 'Site', team: 'Team' },
  measure: { mood: 'Good mood', energy: 'High energy', stress: 'High stress' },
  estimate: 'About {{percent}}%, between {{from}}% and {{until}}%',
  hint: {
    title: 'More stress and more overdue work',
    text: 'High stress rose from about {{from}}% to about {{to}}% in four weeks, and overdue action items here from {{before}} to {{count}}. It says nothing about what caused what.',
  },
  figures: {
    title: 'The figures',
    week: 'Four weeks',
    chance:
      'These are estimates. Random noise keeps each person’s answers in doubt. In 19 of 20 cases the true share lies in the range.',
    span: '{{from}} to {{until}}',
    off: '{{organisation}} asks for no figures',
    offText: 'Nothing is reckoned and nothing is shown, whoever would agree to it.',
  },
  count: {
    title: 'Count me',
    switch: 'Count me in the figures of {{organisation}}',
    yes: 'You have agreed. You can be counted once you have belonged here and agreed for twelve weeks, in {{life}} four-week periods at most, ever. Switch it off and no later figure counts you; published figures stay as they are. {{organisation}} is not told who agreed.',
    no: 'No figure counts you. {{organisation}} is not told who agreed.',
  },
  rules: {
    title: 'What protects you',
    noise:
      'We add random noise to every figure, and to whether it appears. From you we use only whether four weeks were above or below the middle.',
    twelveWeeks:
      'Suppose somebody knows every other answer and reads twelve weeks of figures. They guess whether all your answers were high or low, or whether you take part, and are right at most {{twelveWeeks}} times in 100. Luck alone gives 50.',
    years:
      'What figures give away adds up: after one period at most {{one}} of 100 guesses are right, after a year {{year}}. You are counted in {{life}} periods at most; from all of them together, {{lifetime}}.',
    wait: 'We count only people who have belonged and agreed for twelve weeks. A secret draw leaves out one in four, each time anew.',
    group:
      'No figures below about {{people}} counted people. In each period you count in one organisation, one site and one team at most.',
    once: 'We calculate every four weeks once, on the Wednesday after. A published figure never changes.',
    never: 'No note, tag, sleep entry or single check-in is ever used or shown.',
  },
  settings: {
    title: 'For administrators',
    text: 'Turning the figures on is written into the audit log. Everybody decides for themselves whether they are counted.',
    on: 'Ask for figures of how people are',
    minimum: 'Fewest people in a group',
    hint: 'Never fewer than {{count}}.',
    tooLow: 'A whole number from {{least}} to {{most}}.',
    notANumber: 'That is no number.',
    save: 'Save',
    refused: 'That was not allowed. Nothing was changed.',
  },
};
