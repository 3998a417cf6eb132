/** Holds what is read later as it is then, without being read while a screen is drawn. */
export class LatestRef<T> {
  private value: T;

  constructor(value: T) {
    this.value = value;
  }

  set(value: T): void {
    this.value = value;
  }

  get = (): T => this.value;
}
