import type httpModule from "node:http";
import type httpsModule from "node:https";

/**
 * Node's HTTP client. A static import of node:http evaluates all its exports, and its WebSocket ones load a second HTTP
 * client (undici): 16 MB and 40 ms of every process, for nothing.
 */
export const http: typeof httpModule = process.getBuiltinModule("node:http");
export const https: typeof httpsModule = process.getBuiltinModule("node:https");
