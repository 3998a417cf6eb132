/** Gives the place back; a second call does nothing. */
export type Release = () => void;

/** A place among those that may work at once. `waited`: it was not at once. */
export type Slot = { release: Release; waited: boolean };
