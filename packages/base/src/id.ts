import { v4, v5 } from 'uuid';

/** A fresh random id (uuid v4). */
export const newId = (): string => v4();

/**
 * An id that two devices derive alike from the same facts (uuid v5), so that doing the same thing twice makes one row.
 *
 * @param parent the uuid of the record the name is unique within
 * @param name what is derived, e.g. `answer/brakes.parking`
 */
export const derivedId = (parent: string, name: string): string => v5(name, parent);
