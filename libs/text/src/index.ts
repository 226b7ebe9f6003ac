export { normalizeIdentifier, readIdentifier } from './identifier';
export {
  escapeForLine,
  escapeForTerminal,
  hasInvisibleCharacter,
  INVISIBLE_CHARACTER,
  NEEDED_IN_NAMES,
  replaceInvisible,
} from './invisible-text';
