import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import { SignatureDrawing } from '../../features/field-ops/answers/signature-drawing.tsx';
import { SignatureField } from '../../features/field-ops/answers/signature-pad.tsx';
import { MarkdownView } from '../../features/policies/document/markdown-view.tsx';
import type { CountersignPorts } from '../../features/support-circle/countersign-ports.ts';

/** A countersignature reads like a policy and is drawn like a signature of an inspection. */
export const countersignPorts: CountersignPorts = {
  renderWords: markdown => <MarkdownView markdown={markdown} level={3} />,
  renderSignature: (value, onChange, error) => (
    <SignatureField value={value as Signature | null} onChange={drawn => onChange(drawn)} error={error} />
  ),
  renderDrawing: (value, label) => <SignatureDrawing value={value} label={label} />,
};
