import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import type { Json } from '@cairn/schema';

/** What a signature question or the end of an inspection holds; null where it is none. */
export function asSignature(value: Json): Signature | null {
  return isSignature(value) ? value : null;
}

/** The drawing itself was made by the pad; the form's own check tells when a stored one has no strokes. */
function isSignature(value: unknown): value is Signature {
  return typeof value === 'object' && value !== null && 'strokes' in value && Array.isArray(value.strokes);
}
