const CALENDARS = /\b(ethiopian|coptic|islamic|bikram-sambat|myanmar|persian)\b/;

const NOTES: [RegExp, (found: string) => string][] = [
  [
    /\bex:\S+/,
    found => `this would open another app ("${found}"), which Cairn does not: the answer is entered by hand`,
  ],
  [
    /\bprinter:\S+/,
    found => `this would print on a label printer ("${found}"), which Cairn does not: the text is shown`,
  ],
  [/\bimage-map\b/, () => 'the picture to tap on is not shown: the choices stand in a list'],
  [/(?:^|\s)map(?:\s|$)/, () => 'the choices are not shown on a map: they stand in a list'],
  [/\bbearing\b/, () => 'the compass is not read: the bearing is entered in degrees'],
  [CALENDARS, found => `the ${found} calendar is not shown: the day is chosen in the usual one`],
];

/** What an appearance asks for that this app does in another way; null where it does as asked, or looks are all it changes. */
export function appearanceNote(appearance: string | undefined): string | null {
  for (const [pattern, note] of NOTES) {
    const found = pattern.exec(appearance ?? '')?.[0];
    if (found !== undefined) return note(found);
  }
  return null;
}
