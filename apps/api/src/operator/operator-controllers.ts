import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';

/** The controllers under /operator/v1: the classes that the files `<noun>/*.controller` beside this one export. */
export const OPERATOR_CONTROLLERS: Type[] = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: noun }) =>
    readdirSync(join(__dirname, noun))
      .filter((file) => /\.controller\.[jt]s$/.test(file))
      .flatMap((file) => {
        // oxlint-disable-next-line typescript/no-require-imports -- import() cannot load it synchronously
        const classes = require(join(__dirname, noun, file)) as Record<string, Type>;
        return Object.values(classes);
      }),
  );
