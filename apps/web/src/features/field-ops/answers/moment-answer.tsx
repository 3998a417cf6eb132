import { Input } from '@cairn/ui/controls/field.tsx';
import type { AnswerProps } from './answer-props.ts';

/** A date and time as the clocks here show it; kept with their offset, so that it is the same moment everywhere. */
export function MomentAnswer({ question, label, onAnswer, onLeave }: AnswerProps) {
  const value = typeof question.value === 'string' ? question.value : '';
  return (
    <Input
      label={label}
      labelHidden
      type="datetime-local"
      value={localWall(value)}
      readOnly={question.question.read_only === true}
      onBlur={onLeave}
      onChange={event => onAnswer(event.target.value === '' ? null : withOffset(event.target.value), 'now')}
    />
  );
}

/** What the control shows: the clocks of where it was entered. An instant in UTC, as a form's own now(), on those here. */
export function localWall(moment: string): string {
  if (!moment.endsWith('Z')) return moment.slice(0, 16);
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** `2026-11-21T09:30` with what the device's clocks differ from UTC at that moment: `2026-11-21T09:30+01:00`. */
export function withOffset(wall: string): string {
  const minutes = -new Date(wall).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${wall.slice(0, 16)}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}
