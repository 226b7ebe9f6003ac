interface ErrorLine {
  name: string;
  code?: string;
  constraint?: string;
  message?: string;
  at?: string[];
}

/**
 * Reduces an error to the parts that may be logged: its name, code, constraint, message and stack frames. The message
 * of a database error is omitted, because it quotes values of the row (`invalid input syntax for type date: "..."`).
 */
export function describeError(error: unknown): ErrorLine {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, severity, driverError } = error as Error & {
    code?: unknown;
    constraint?: unknown;
    severity?: unknown;
    driverError?: unknown;
  };
  if (driverError instanceof Error) return describeError(driverError);
  const isDatabaseError = typeof severity === 'string';
  const line: ErrorLine = { name: error.name };
  if (typeof code === 'string') line.code = code;
  if (typeof constraint === 'string') line.constraint = constraint;
  if (!isDatabaseError) line.message = error.message.slice(0, 500);
  const at = stackFrames(error);
  if (at.length > 0) line.at = at;
  return line;
}

/** Returns the frames after the message: the message is part of the stack, and its lines may look like frames. */
function stackFrames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((text) => /^\s+at /.test(text))
    .slice(0, 8)
    .map((text) => text.trim());
}
