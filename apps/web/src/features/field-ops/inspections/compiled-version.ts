import { compileForm, type CompiledForm } from '@cairn/core/forms/definition/compiled-form.ts';
import { parseFormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import type { Row } from '@cairn/schema';

/** A version never changes, and reading one of 300 questions takes longer than a frame: each is read once. */
const read = new Map<string, CompiledForm | null>();

/** The version compiled; null when this build cannot read it, or it is not here yet. */
export function compiledVersion(version: Row<'form_versions'> | undefined): CompiledForm | null {
  if (!version) return null;
  const known = read.get(version.id);
  if (known !== undefined) return known;
  const compiled = compile(version);
  read.set(version.id, compiled);
  return compiled;
}

function compile({ definition }: Row<'form_versions'>): CompiledForm | null {
  const parsed = parseFormDefinition(definition);
  if (!parsed.ok) return null;
  const result = compileForm(parsed.form);
  return result.ok ? result.compiled : null;
}
