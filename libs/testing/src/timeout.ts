// Real processes on a small machine that is busy with other tests: what never ends is still ended.
jest.setTimeout(120_000);
