import { Download } from 'lucide-react';
import { Button, type ButtonLook } from '@cairn/ui/controls/button.tsx';
import { FailureLine } from '../errors/failure-line.tsx';
import { saveFile } from './save-file.ts';
import { useAction } from '../errors/use-action.ts';
import './csv-export.css';

type Props = Pick<ButtonLook, 'size' | 'variant'> & {
  disabled?: boolean;
  label: string;
  /** What the file is called. */
  file: string;
  /** Reads what goes into it, when the button is pressed. */
  csv: () => Promise<string>;
};

/** Hands a CSV to the browser's downloads; why there is none stands below it. */
export function CsvExport({ label, file, csv, ...look }: Props) {
  const saving = useAction(async () => saveFile(file, new Blob([await csv()], { type: 'text/csv' })));
  return (
    <>
      <Button {...look} icon={Download} busy={saving.busy} onClick={() => saving.run()}>
        {label}
      </Button>
      {saving.failure && (
        <div className="csv-failure">
          <FailureLine failure={saving.failure} />
        </div>
      )}
    </>
  );
}
