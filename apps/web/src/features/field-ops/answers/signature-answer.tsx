import type { AnswerProps } from './answer-props.ts';
import { asSignature } from './as-signature.ts';
import { SignatureField } from './signature-pad.tsx';

export const SignatureAnswer = ({ question, onAnswer }: AnswerProps) => (
  <SignatureField value={asSignature(question.value)} onChange={signature => onAnswer(signature, 'now')} />
);
