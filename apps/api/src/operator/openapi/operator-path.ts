/** The paths of the operator API. They are in its own document, and not in that of suppliers. */
export const OPERATOR_PATH = /^\/operator\/v\d+(\/|$)/;
