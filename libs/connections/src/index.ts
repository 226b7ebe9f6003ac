export { ConnectionCheck, type Session, type SessionReport } from './connection-check';
export { CONNECTION_WATCH, ConnectionWatch, type WatchLimits } from './connection-watch';
export { isLostConnection } from './lost-connection';
export { ServerClient } from './server-client';
export { NoSuitableServer, type ServerList, Servers } from './servers';
export { KEEP_ALIVE, sessionOptions, SESSION_LIMITS } from './session-limits';
