import type { en } from './en.ts';
import type { shellFirst } from './en/shell-first.ts';

/** The same keys as the English text, with any words. */
type Words<English> = { [Key in keyof English]: English[Key] extends string ? string : Words<English[Key]> };

/** A part of the product with texts of its own: one file per language, named like the area. */
export type Area = keyof typeof en;

/** What another language owes for one area; a missing or surplus key does not compile. */
export type TextsOf<A extends Area> = Words<(typeof en)[A]>;

/** What may be said before anybody is signed in. */
export type FirstTexts = Words<typeof shellFirst>;
