interface ErrorLine {
  name: string;
  code?: string;
  constraint?: string;
  message?: string;
  at?: string[];
}

/**
 * What of an error may be logged: its name, code and where it arose. Messages of the database are left out, for
 * they quote the values of the row (`invalid input syntax for type date: "..."`).
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
  const fromDatabase = typeof severity === 'string';
  const line: ErrorLine = { name: error.name };
  if (typeof code === 'string') line.code = code;
  if (typeof constraint === 'string') line.constraint = constraint;
  if (!fromDatabase) line.message = error.message.slice(0, 500);
  const at = frames(error);
  if (at.length > 0) line.at = at;
  return line;
}

/** The stack begins with the message, whose own lines may look like frames: only what follows it is taken. */
function frames({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((text) => /^\s+at /.test(text))
    .slice(0, 8)
    .map((text) => text.trim());
}
