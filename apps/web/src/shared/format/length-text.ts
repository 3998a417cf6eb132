const SECOND_MS = 1000;
const HOUR_S = 3600;

/** The length of a recording as players write it: "0:42", "1:02:05". @param ms of its length */
export function lengthText(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
