import { useState } from 'react';
import { CalendarPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CalendarSheet } from './calendar-sheet.tsx';

/** Leads to the addresses for one's own calendar. */
export function CalendarAddress() {
  const { t } = useTranslation('taskFiles');
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button variant="plain" icon={CalendarPlus} onClick={() => setOpen(true)}>
        {t('calendar.open')}
      </Button>
      {open && <CalendarSheet onClose={() => setOpen(false)} />}
    </div>
  );
}
