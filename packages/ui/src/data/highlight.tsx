import { markedParts } from './marked-parts.ts';
import './highlight.css';

/** Text with the words that were searched for standing out. */
export function Highlight({ text, query }: { text: string; query: string }) {
  return (
    <span>
      {markedParts(text, query).map((part, index) =>
        part.marked ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
      )}
    </span>
  );
}
