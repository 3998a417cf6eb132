import type { SortingState } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Checkbox } from '../controls/choice.tsx';
import { Select } from '../controls/select.tsx';
import { Icon } from '../controls/icon.tsx';
import type { TableColumn } from './table-columns.ts';

type Words = { sortBy: string; ascending: (title: string) => string; descending: (title: string) => string };

type Props<Item> = {
  columns: readonly TableColumn<Item>[];
  sorting: SortingState;
  onSort: (sorting: SortingState) => void;
  words: Words;
  all: { label: string; checked: boolean; some: boolean; onChange: (on: boolean) => void } | undefined;
};

/** Titles that sort; on a phone one choice of order instead. */
export function TableHead<Item>({ columns, sorting, onSort, words, all }: Props<Item>) {
  const sorted = sorting[0];
  const press = (id: string) => onSort([{ id, desc: sorted?.id === id && !sorted.desc }]);
  return (
    <thead>
      <tr aria-rowindex={1} className="table-row head">
        {all && (
          <th scope="col" className="table-tick">
            <Checkbox label={all.label} labelHidden checked={all.checked} mixed={all.some} onChange={all.onChange} />
          </th>
        )}
        {columns.map(column => (
          <th
            key={column.id}
            scope="col"
            aria-sort={sorted?.id === column.id ? (sorted.desc ? 'descending' : 'ascending') : undefined}
            className={`cell ${column.align ?? 'start'}`}
          >
            {column.sortBy ? (
              <button type="button" className="sort-by" onClick={() => press(column.id)}>
                {column.title}
                {sorted?.id === column.id && <Icon of={sorted.desc ? ArrowDown : ArrowUp} size="s" />}
              </button>
            ) : (
              column.title
            )}
          </th>
        ))}
        <th scope="col" className="sort-choice">
          <SortChoice columns={columns} sorting={sorting} onSort={onSort} words={words} />
        </th>
      </tr>
    </thead>
  );
}

function SortChoice<Item>({ columns, sorting, onSort, words }: Omit<Props<Item>, 'all'>) {
  const sorted = sorting[0];
  const choices = columns
    .filter(column => column.sortBy)
    .flatMap(({ id, title }) => [
      { value: `${id}/up`, label: words.ascending(title) },
      { value: `${id}/down`, label: words.descending(title) },
    ]);
  return (
    <Select
      label={words.sortBy}
      labelHidden
      choices={choices}
      placeholder={words.sortBy}
      value={sorted ? `${sorted.id}/${sorted.desc ? 'down' : 'up'}` : ''}
      onChange={event => {
        const [id = '', way] = event.target.value.split('/');
        onSort(id === '' ? [] : [{ id, desc: way === 'down' }]);
      }}
    />
  );
}
