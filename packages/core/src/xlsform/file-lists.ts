import type { NamedFile } from '../files/form-package.ts';
import type { Choice } from '../forms/definition/form-definition.ts';
import { choicesFrom, fileKey, listName, readListFile, usualColumns } from '../odk/list-file.ts';
import { searchedChoices } from '../odk/searched-choices.ts';
import { parametersIn } from './xlsform-question.ts';

/** The lists of choices of a form: its own, and those of files that were chosen together with it. */
export class FileLists {
  readonly all: Record<string, Choice[]>;
  private readonly beside: readonly NamedFile[];
  private readonly taken = new Map<string, string>();

  constructor(own: Readonly<Record<string, Choice[]>>, beside: readonly NamedFile[]) {
    this.all = { ...own };
    this.beside = beside;
  }

  has = (list: string): boolean => Object.hasOwn(this.all, list);
  choices = (list: string): readonly Choice[] | undefined => (this.has(list) ? this.all[list] : undefined);

  /**
   * Takes the list of a file.
   *
   * @param isOffered a question offers its choices, rather than something is looked up in it
   * @param parameters `value=` and `label=` name its columns, where they are not the usual ones
   * @returns the name of the list, or why there is none
   */
  fromFile(file: string, parameters: string, isOffered = true): string | { problem: string } {
    const { given } = parametersIn(parameters);
    const asked = `${fileKey(file)}\n${given.get('value') ?? ''}\n${given.get('label') ?? ''}`;
    const known = this.taken.get(asked);
    if (known !== undefined) return known;
    const found = this.beside.find(({ name }) => fileKey(name) === fileKey(file));
    if (!found) return { problem: `its choices stand in the file "${file}": choose that file together with the form` };
    const read = readListFile({ ...found, name: file });
    if ('problem' in read) return { problem: read.problem };
    const usual = usualColumns(read.kind);
    const columns = { value: given.get('value') ?? usual.value, label: given.get('label') ?? usual.label };
    const isThere = (column: string) => read.rows.some(row => row.has(column));
    if (isOffered && !isThere(columns.value))
      return { problem: `"${file}" has no column "${columns.value}" to take the choices' names from` };
    if (given.has('label') && !isThere(columns.label))
      return { problem: `"${file}" has no column "${columns.label}" to take the choices' labels from` };
    const name = this.freeName(listName(file));
    this.all[name] = choicesFrom(read.rows, columns);
    this.taken.set(asked, name);
    return name;
  }

  /** Takes the rows of a file for `search()`, in the columns that the form's own list names. */
  searched(list: string, file: string): string | { problem: string } {
    const asked = `search\n${fileKey(file)}\n${list}`;
    const known = this.taken.get(asked);
    if (known !== undefined) return known;
    const choices = searchedChoices(this.choices(list) ?? [], { file, beside: this.beside });
    if ('problem' in choices) return choices;
    const name = this.freeName(list);
    this.all[name] = choices;
    this.taken.set(asked, name);
    return name;
  }

  /** Takes the files that expressions look something up in, by the name `instance()` or `pulldata()` gives them. */
  takeNamed(names: Iterable<string>): void {
    for (const name of names) {
      const file = this.has(name) ? undefined : this.beside.find(each => listName(each.name) === name);
      if (file) this.fromFile(file.name, '', false);
    }
  }

  private freeName(wanted: string): string {
    const name = wanted === '__proto__' ? 'list' : wanted;
    let free = name;
    for (let number = 2; this.has(free); number += 1) free = `${name}_${number}`;
    return free;
  }
}

/** The names of lists that expressions look something up in. @param items anything that holds expressions */
export const lookedUpIn = (items: unknown): Set<string> =>
  new Set(
    [
      ...JSON.stringify(items)
        .replaceAll(/\\[nrt]/g, ' ')
        .matchAll(/\b(?:instance|pulldata)\(\s*(?:'([^']+)'|\\"([^"\\]+)\\")/g),
    ].map(([, single, double]) => single ?? double ?? ''),
  );
