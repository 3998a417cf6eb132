import { parseExpression, printExpression, type Syntax } from '../forms/expression/expression-syntax.ts';
import { ExpressionError } from '../forms/expression/expression-tokens.ts';

/**
 * Where each node of an XForm is in the form made of it. XForms name answers by the path of their node, and their pages stand
 * in groups that need no node: both paths can differ.
 */
export class XFormPaths {
  private readonly paths = new Map<string, string>();
  private readonly root: string;
  /** Lists that expressions look something up in. */
  readonly lookedUp = new Set<string>();
  private readonly textOf: (id: string) => string;

  /** @param root the name all paths of nodes begin with; @param textOf a text of the form by its id, in its first language */
  constructor(root: string, textOf: (id: string) => string = id => id) {
    this.root = root;
    this.textOf = textOf;
  }

  /** @param node e.g. /data/group/question; @param path e.g. group.question */
  place(node: string, path: string): void {
    this.paths.set(node, path);
  }

  pathOf = (node: string): string | undefined => this.paths.get(node);

  /** The path of a node from a path that may be relative to another. */
  absolute(path: string, from: string): string {
    if (path.startsWith('/')) return path.replaceAll(/\s/g, '');
    const steps = from.split('/');
    for (const step of path.split('/')) {
      if (step === '..') steps.pop();
      else if (step !== '.' && step !== '') steps.push(step);
    }
    return steps.join('/');
  }

  /** `${name}`, or a path where that name stands for several; the node's last name where it is not in the form. */
  private reference(node: string, at: number): Syntax {
    const path = this.paths.get(node);
    const name = (path ?? node).split(/[./]/).at(-1) ?? node;
    if (path === undefined) return { kind: 'field', name, at };
    const same = [...new Set(this.paths.values())].filter(other => other === name || other.endsWith(`.${name}`));
    if (same.length === 1) return { kind: 'field', name, at };
    return { kind: 'path', up: null, steps: [this.root, ...path.split('.')], at };
  }

  /**
   * An expression of an XForm as one of ours.
   *
   * @param from the node it belongs to
   * @returns the text itself where it cannot be read: that is found, with its place, when the form is compiled
   */
  expression(source: string, from: string): string {
    try {
      return printExpression(this.convert(parseExpression(source, { anyRows: true }), from));
    } catch (error) {
      if (error instanceof ExpressionError) return source.trim();
      throw error;
    }
  }

  convert(syntax: Syntax, from: string): Syntax {
    switch (syntax.kind) {
      case 'path':
        return this.convertPath(syntax, from);
      case 'entries':
        return this.convertEntries(syntax, from);
      case 'saved':
        return { kind: 'field', name: `last-saved#${this.nameOf(`/${syntax.steps.join('/')}`)}`, at: syntax.at };
      case 'call':
        if (syntax.name === 'pulldata' && syntax.args[0]?.kind === 'text') this.lookedUp.add(syntax.args[0].value);
        if (syntax.name === 'jr:itext') return this.convertText(syntax, from);
        return { ...syntax, args: syntax.args.map(arg => this.convertArgument(syntax.name, arg, from)) };
      case 'lookup':
        this.lookedUp.add(syntax.list);
        return { ...syntax, tests: syntax.tests.map(test => this.convert(test, from)) };
      case 'negate':
        return { ...syntax, of: this.convert(syntax.of, from) };
      case 'binary':
        return { ...syntax, left: this.convert(syntax.left, from), right: this.convert(syntax.right, from) };
      default:
        return syntax;
    }
  }

  private nameOf = (node: string): string => (this.paths.get(node) ?? node).split(/[./]/).at(-1) ?? node;

  /** A condition on entries: `/data/stop[…]/driver`, whose bare names stand in the entry. */
  private convertEntries(entries: Syntax & { kind: 'entries' }, from: string): Syntax {
    const { of, test, steps } = entries;
    if (of.kind === 'field') return { ...entries, test: this.convert(test, from) };
    const base =
      of.up === null
        ? `/${of.steps.join('/')}`
        : this.absolute([...Array.from({ length: of.up }, () => '..'), ...of.steps].join('/'), from);
    const repeat = this.reference(base, of.at);
    const own = this.paths.get(base) ?? '';
    const path = this.paths.get([base, ...steps].join('/')) ?? '';
    const inside = path.startsWith(`${own}.`) ? path.slice(own.length + 1).split('.') : steps;
    return { ...entries, of: repeat as typeof of, test: this.convert(test, from), steps: inside };
  }

  /** jr:itext() of a text is that text; of a row of a list its label, which took the place of the id. */
  private convertText(call: Syntax & { kind: 'call' }, from: string): Syntax {
    const [arg] = call.args;
    if (arg?.kind === 'text') return { kind: 'text', value: this.textOf(arg.value) };
    if (arg?.kind === 'lookup') return this.convert({ ...arg, column: 'label' }, from);
    return { ...call, args: call.args.map(each => this.convert(each, from)) };
  }

  /** jr:choice-name() has its path in quotes. */
  private convertArgument(call: string, arg: Syntax, from: string): Syntax {
    if (call !== 'jr:choice-name' || arg.kind !== 'text' || !arg.value.includes('/')) return this.convert(arg, from);
    const node = this.absolute(arg.value.trim(), from);
    return { kind: 'text', value: printExpression(this.reference(node, 0)) };
  }

  private convertPath(path: Syntax & { kind: 'path' }, from: string): Syntax {
    const { up, steps, at } = path;
    if (up === null) return this.reference(`/${steps.join('/')}`, at);
    if (up === 0 && steps.length === 1) return path;
    const base = from.split('/').slice(0, from.split('/').length - up);
    const node = [...base, ...steps].join('/');
    if (steps.length > 0) return this.reference(node, at);
    // `..` alone leads to an entry: so many steps up from here, in the form's own sections.
    const [own, target] = [this.paths.get(from), this.paths.get(node)];
    if (own === undefined || target === undefined) return path;
    return { ...path, up: own.split('.').length - target.split('.').length };
  }
}
