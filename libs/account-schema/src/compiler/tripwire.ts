/** Thrown when a rule reads a value that failed its field check, or a required one that is missing. */
export const TRIPWIRE = new Error('The field checks found a mistake here.');

/** Makes reading `key` throw TRIPWIRE, so that a rule that uses the value reports nothing. */
export function setTripwire(container: object, key: string | number): void {
  Object.defineProperty(container, key, {
    configurable: true,
    enumerable: true,
    get() {
      throw TRIPWIRE;
    },
  });
}

/** The value of `key`, or undefined if there is a tripwire. */
export function peek(container: object, key: string | number): unknown {
  try {
    return (container as Record<string | number, unknown>)[key];
  } catch (error) {
    if (error === TRIPWIRE) return undefined;
    throw error;
  }
}
