export { isLoopback } from "./guard.ts";
export { jsonLog, type Log } from "./log.ts";
export { offsetNames } from "./schemas.ts";
export { type RunningServer, type ServeOptions, serveDefaults, startServer } from "./server.ts";
