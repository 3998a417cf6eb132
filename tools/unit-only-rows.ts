const NATIVE = 'needs a device that unlocks by finger or face; a browser journey would stand the device in too';
const CLOCK = 'a rule of time: a journey that waits so long proves nothing more';
const SHAPE = "the shape of what lies in the device's database, read from real IndexedDB records";
const RULE = 'a rule without a screen of its own; what follows from it is shown by other rows';
const OWED = 'open: a proof in the product is owed';

/**
 * Requirement rows that only unit tests name, each with why. `OWED` is no reason but a debt: the row counts as open until a browser, an
 * HTTP call or the database shows it.
 */
export const unitOnlyRows: Readonly<Record<string, string>> = {
  'R2.15': OWED,
  'R2.42': OWED,
  'R3.04': OWED,
  'R3.28': OWED,
  'R3.31': OWED,
  'R3.32': SHAPE,
  'R3.33': SHAPE,
  'R3.34': SHAPE,
  'R3.35': SHAPE,
  'R3.36': SHAPE,
  'R3.37': SHAPE,
  'R3.39': OWED,
  'R3.40': OWED,
  'R3.41': OWED,
  'R4.01': OWED,
  'R4.02': CLOCK,
  'R4.05': NATIVE,
  'R4.06': NATIVE,
  'R4.09': CLOCK,
  'R4.10': CLOCK,
  'R4.11': OWED,
  'R4.18': RULE,
  'R4.19': RULE,
  'R4.24': OWED,
  'R4.25': OWED,
  'R4.27': OWED,
  'R4.31': OWED,
  'R4.33': OWED,
  'R5.01': OWED,
  'R5.02': OWED,
  'R5.03': OWED,
  'R5.06': NATIVE,
  'R5.07': NATIVE,
  'R6.14': OWED,
  'R6.28': OWED,
  'R7.01': OWED,
  'R7.13': OWED,
  'R7.14': OWED,
  'R9.01': CLOCK,
  'R9.02': CLOCK,
  'R9.11': CLOCK,
  'R9.12': CLOCK,
  'R9.13': SHAPE,
  'R9.14': SHAPE,
  'R9.16': RULE,
  'R9.17': CLOCK,
  'R9.18': OWED,
  'R9.19': CLOCK,
  'R9.21': RULE,
  'R9.23': CLOCK,
};
