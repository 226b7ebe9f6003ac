// Tests with real servers and processes are slow on a small, busy machine. The timeout still ends one that hangs.
jest.setTimeout(120_000);
