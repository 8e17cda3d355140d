/** A value that tells those who asked when it changes. */
export class Signal<T> {
  private listeners: ((value: T) => void)[] = [];

  constructor(private current: T) {}

  get value(): T { return this.current; }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of this.listeners) listener(next);
  }

  /** Calls `listener` at every change. */
  onChange(listener: (value: T) => void): void { this.listeners.push(listener); }

  /** Calls `listener` now and at every change. */
  watch(listener: (value: T) => void): void {
    this.listeners.push(listener);
    listener(this.current);
  }
}
