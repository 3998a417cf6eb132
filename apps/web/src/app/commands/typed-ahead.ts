/** A key that writes nothing: "Enter", "ArrowDown", "F2", "Dead". */
const NAMED_KEY = /^[A-Z][A-Za-z0-9]+$/;

/** What somebody types between asking for the palette and its first drawing: its parts come over the network once. */
export class TypeAheadBuffer {
  private typed: string | null = null;
  private told: ((text: string) => void) | null = null;

  /** What was typed until now. */
  get text(): string {
    return this.typed ?? '';
  }

  /** The palette was asked for. */
  begin(): void {
    this.typed ??= '';
  }

  /** It stands there: what is typed is told until its field has the focus, which takes it a moment longer. */
  tell(told: (text: string) => void): void {
    this.told = told;
    told(this.text);
  }

  /** It hears for itself, or is not wanted any more. */
  end(): void {
    this.typed = null;
    this.told = null;
  }

  /** Takes a key for the palette that is on its way; false while none is. */
  takes(event: KeyboardEvent): boolean {
    if (this.typed === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.target instanceof HTMLInputElement) {
      this.end();
      return false;
    }
    if (event.key === 'Backspace') this.typed = this.typed.slice(0, -1);
    else if (NAMED_KEY.test(event.key)) return false;
    else this.typed += event.key;
    event.preventDefault();
    this.told?.(this.typed);
    return true;
  }
}
