import { useState, type DragEvent, type ReactNode } from 'react';
import { Upload } from 'lucide-react';
import { sortFiles, type Refusal } from './accepted-file.ts';
import { Icon } from './icon.tsx';
import './file-drop.css';

type Props = {
  /** The act: "Add photos". */
  label: string;
  /** What may come in: "Pictures or PDF, up to 10 MB each". */
  hint: string;
  /** As in `<input accept>`. */
  accept?: string;
  /** Bytes. */
  maxBytes?: number;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  /** Files left out, for the app to say which and why. */
  onRefused: (refused: Refusal[]) => void;
  error?: ReactNode;
};

/** Takes files by tap, by drop, by keyboard. */
export function FileDrop(props: Props) {
  const { label, hint, accept = '', maxBytes = Infinity, multiple = true, disabled = false, error } = props;
  const [over, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1);
    const { taken, refused } = sortFiles(files, accept, maxBytes);
    if (taken.length > 0) props.onFiles(taken);
    if (refused.length > 0) props.onRefused(refused);
  };
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault();
    setOver(inside && !disabled);
  };
  return (
    <div className="stack">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping; the input inside has the keys */}
      <label
        className={`drop ${over ? 'over' : ''}`}
        onDragOver={event => drag(event, true)}
        onDragLeave={event => drag(event, false)}
        onDrop={event => {
          drag(event, false);
          if (!disabled) take(event.dataTransfer.files);
        }}
      >
        <input
          type="file"
          className="sr"
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          onChange={event => {
            take(event.target.files);
            // The same file may be chosen again after it was removed.
            event.target.value = '';
          }}
        />
        <Icon of={Upload} size="l" />
        <span className="strong">{label}</span>
        <span className="muted sm">{hint}</span>
      </label>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
