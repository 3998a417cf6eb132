import { answerControls } from './answer-controls.ts';
import type { AnswerProps } from './answer-props.ts';

/** How one question is answered, by its type. Pass and fail stand at the foot of the screen, files in their strip. */
export function AnswerControl(props: AnswerProps) {
  const Control = answerControls[props.question.question.type];
  return Control === 'foot' || Control === 'nobody' || 'files' in Control ? null : <Control {...props} />;
}
