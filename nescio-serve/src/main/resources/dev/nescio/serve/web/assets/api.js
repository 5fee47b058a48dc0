import {tab} from './storage.js';

const base = new URL('api/v1/', document.baseURI);
const TRIES = {429: 4, 503: 600};
const PATIENCE = 60;

/** What went wrong, with the status (0: no answer at all) and the service's own sentence. */
class ApiError extends Error {
  constructor(status, message, {requestId = null, retryAfter = null} = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

let askToken = async () => null;
let asking = null;
let onWaiting = () => {};

/** The page says here how it asks for a token and how it shows that a request waits. */
export function connect(hooks) {
  askToken = hooks.askToken;
  onWaiting = hooks.onWaiting;
}

/** The part of a path that names a node; ids may hold anything. */
export const part = (id) => encodeURIComponent(id);

/** No path can hold a dot or two alone: such an id goes behind the question mark. */
function address(path, query) {
  const parts = path.split('/');
  const dots = parts.findIndex((p) => p === '.' || p === '..');
  const id = dots < 0 ? null : parts.splice(dots, 1, '-')[0];
  const url = new URL(parts.join('/'), base);
  if (id !== null) url.searchParams.set('id', id);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(key, String(value));
  }
  return url;
}

async function once(url, {method = 'GET', json, body, headers = {}, signal, patience = PATIENCE}) {
  const all = new Headers(headers);
  const token = tab.get('token');
  if (token) all.set('Authorization', `Bearer ${token}`);
  if (json !== undefined) all.set('Content-Type', 'application/json');
  const limits = [AbortSignal.timeout(1000 * patience), ...(signal ? [signal] : [])];
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: all,
      body: json === undefined ? body : JSON.stringify(json),
      signal: AbortSignal.any(limits),
      credentials: 'omit',
      cache: 'no-store',
    });
  } catch (failure) {
    if (signal?.aborted) throw failure;
    const late = failure.name === 'TimeoutError';
    throw new ApiError(0, late ? `The service did not answer within ${patience} seconds.` : 'The service does not answer.');
  }
  if (response.ok) return response;
  throw await refusal(response);
}

async function refusal(response) {
  const told = await response.json().catch(() => null);
  const after = Number.parseFloat(response.headers.get('Retry-After') ?? '');
  return new ApiError(response.status, told?.error?.message ?? `The service answered with status ${response.status}.`, {
    requestId: response.headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(after) ? Math.min(Math.max(after, 0.2), 60) : null,
  });
}

async function freshToken(wrong) {
  asking ??= askToken(wrong).finally(() => {
    asking = null;
  });
  const token = await asking;
  if (token) tab.set('token', token);
  return token;
}

const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      {once: true},
    );
  });

/** Sends a request; reads are tried again while the service is busy or loads, writes are not. */
async function send(path, options = {}) {
  const url = address(path, options.query);
  const reads = (options.method ?? 'GET') === 'GET';
  for (let attempt = 1; ; attempt++) {
    const token = tab.get('token');
    try {
      return await once(url, options);
    } catch (error) {
      if (error.status === 401) {
        if (tab.get('token') !== token || (await freshToken(token !== null))) continue;
        throw error;
      }
      if (!reads || attempt >= (TRIES[error.status] ?? 1)) throw error;
      const seconds = error.retryAfter ?? attempt;
      onWaiting(error, seconds);
      await pause(seconds, options.signal);
    }
  }
}

/** An answer as JSON. */
export async function call(path, options) {
  const response = await send(path, options);
  try {
    return await response.json();
  } catch (failure) {
    if (options?.signal?.aborted) throw failure;
    throw new ApiError(0, 'The answer of the service could not be read.');
  }
}

/** The address of a file, and the same file with the token where one is needed. */
export const fileAddress = (path, query) => address(path, query).href;
export const needsToken = () => tab.get('token') !== null;
export async function file(path, query) {
  const response = await send(path, {query});
  return response.blob();
}

/** A key that makes sending the same thing twice harmless. */
export function idempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}
