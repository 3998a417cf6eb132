import { useMemo } from 'react';
import { compileForm, type CompiledForm } from '@cairn/core/field-ops/compiled-form.ts';
import { parseFormDefinition } from '@cairn/core/field-ops/form-definition.ts';
import type { Row } from '@cairn/schema';

/** The version compiled; null when this build cannot read it. Versions never change: read once for each. */
export function useFormVersion(version: Row<'form_versions'> | undefined): CompiledForm | null {
  return useMemo(() => (version ? readVersion(version) : null), [version?.id, version !== undefined]);
}

export function readVersion(version: Row<'form_versions'>): CompiledForm | null {
  const parsed = parseFormDefinition(version.definition);
  if (!parsed.ok) return null;
  const compiled = compileForm(parsed.form);
  return compiled.ok ? compiled.compiled : null;
}
