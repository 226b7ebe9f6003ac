// Types and lint in one process: both need the types of every file, and to derive them takes most of the time of either.
// npm run typecheck and npm run lint run one of them.
import { ESLint } from 'eslint';
import { join } from 'node:path';
import ts from 'typescript';
import { parser } from 'typescript-eslint';
import { root } from './prepare.mjs';

const cache = join(root, 'node_modules', '.cache', 'portage', 'eslint');

/** The program of a tsconfig.json: the console, which runs in browsers, has one of its own. */
function readProgram(folder) {
  const path = join(folder, 'tsconfig.json');
  const { config, error } = ts.readConfigFile(path, ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    folder,
    undefined,
    path,
  );
  return ts.createProgram(fileNames, { ...options, noEmit: true }, undefined, undefined, errors);
}

/** The parser of typescript-eslint, with a program that exists already. */
const parserWith = (program) => ({
  meta: { name: 'portage-program', version: parser.meta.version },
  parseForESLint: (code, options) =>
    parser.parseForESLint(code, { ...options, project: undefined, programs: [program] }),
});

const program = readProgram(root);
const consoleProgram = readProgram(join(root, 'apps', 'console'));
const diagnostics = [program, consoleProgram].flatMap((one) => ts.getPreEmitDiagnostics(one));
process.stdout.write(
  ts.formatDiagnosticsWithColorAndContext(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  }),
);

const eslint = new ESLint({
  cwd: root,
  cache: true,
  cacheStrategy: 'content',
  cacheLocation: cache,
  overrideConfig: [
    { files: ['**/*.ts'], languageOptions: { parser: parserWith(program) } },
    { files: ['apps/console/**/*.{ts,tsx}'], languageOptions: { parser: parserWith(consoleProgram) } },
  ],
});
const results = await eslint.lintFiles('.');
const { format } = await eslint.loadFormatter('stylish');
process.stdout.write(await format(results));

const hasProblem = results.some(({ errorCount, fatalErrorCount }) => errorCount + fatalErrorCount > 0);
process.exitCode = diagnostics.length > 0 || hasProblem ? 1 : 0;
