import { useState } from 'react';
import type { Json } from '@cairn/schema';

/**
 * Shows an answer from the moment it is pressed, while the form is worked out and the device keeps it. Give the control the
 * question's path as key.
 *
 * @param value the form's answer; once it changes, it counts
 */
export function usePressed(value: Json, onAnswer: (value: Json) => void) {
  const [seen, setSeen] = useState(value);
  const [pressed, setPressed] = useState<{ value: Json } | null>(null);
  // A list is the same answer as long as the form hands out the same one.
  if (seen !== value) {
    setSeen(value);
    setPressed(null);
  }
  return {
    shown: pressed ? pressed.value : value,
    press(next: Json) {
      setPressed({ value: next });
      onAnswer(next);
    },
  };
}
