// More than ten times what a case takes on a quiet machine: only a case that hangs reaches it. Cases that take more than
// half a minute have a timeout of their own.
jest.setTimeout(300_000);
