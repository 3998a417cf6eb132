import { z } from '../../shapes.ts';

/** Text for people: one text, or one per language by the language's name as the form's author wrote it. */
export const words = z.union([z.string().max(20_000), z.record(z.string(), z.string().max(20_000))]);

/** An expression of docs "expression.ts", kept as its author wrote it, e.g. `${fuel} = 'gas'`. */
export const expression = z.string().min(1).max(10_000);
