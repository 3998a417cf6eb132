/** ms a person takes for one answer of a form, at their quickest. */
export const PACE_MS = 60;
