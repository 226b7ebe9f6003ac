import { useState } from 'react';

/** What a call has done, and whether rows are left for the next one, which begins at the cursor. */
interface Answer {
  remaining: boolean;
  next_cursor?: string | null;
}

/**
 * Calls an action on many rows until none is left. The answers of the calls so far are its progress; they stay when a call
 * fails, and say where it stopped.
 */
export function useRepeated<Input, Result extends Answer>(
  call: (input: Input, cursor: string | undefined) => Promise<Result>,
) {
  const [answers, setAnswers] = useState<readonly Result[]>([]);
  const run = async (input: Input): Promise<readonly Result[]> => {
    const all: Result[] = [];
    setAnswers([]);
    do {
      all.push(await call(input, all.at(-1)?.next_cursor ?? undefined));
      setAnswers([...all]);
    } while (all.at(-1)?.remaining);
    return all;
  };
  return { run, answers };
}
