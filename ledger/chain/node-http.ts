import type * as Http from 'node:http';

/**
 * Node's own `http`. An `import` of it reads all that it exports, `WebSocket` among them, and loads
 * the whole of undici for that: a tenth of the start of a host.
 */
export const http: typeof Http = process.getBuiltinModule('node:http');
