/** What belongs to a whole form, of the area `builder`. */
export const form = {
  title: 'Name of the form',
  passPercent: 'Passes from',
  passPercentHint: 'Per cent of the points. 100: one failed point fails it.',
  sign: 'Signed at its end',
  presence: 'Proof of presence',
  presenceHint:
    'Scan of the tag, position and time, chained and verifiable. Who inspects is told before. Whoever cannot says why; nobody is stopped for good.',
  presences: { off: 'Off', asked: 'Asked for', required: 'Required: done, or a reason' },
  languages: 'Languages',
  languagesHint: 'With none, every text is written once. With several, each text has a field for each.',
  otherLanguage: 'Another language',
  addLanguage: 'Add',
  removeLanguage: 'Remove {{name}} with its texts',
} as const;
