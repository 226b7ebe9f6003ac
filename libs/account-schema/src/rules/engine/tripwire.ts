/** Thrown by a value that cannot be relied on, so that whoever was about to use it stops. */
export const TRIPWIRE = new Error('The field checks found a mistake here.');

/** Makes reading `key` throw: a rule that would have used the value has then nothing to say. */
export function setTripwire(container: object, key: string | number): void {
  Object.defineProperty(container, key, {
    configurable: true,
    enumerable: true,
    get() {
      throw TRIPWIRE;
    },
  });
}

/** What is behind `key`, or undefined where there is a tripwire. */
export function peek(container: object, key: string | number): unknown {
  try {
    return (container as Record<string | number, unknown>)[key];
  } catch (error) {
    if (error === TRIPWIRE) return undefined;
    throw error;
  }
}
