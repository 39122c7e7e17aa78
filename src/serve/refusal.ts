/** A request that is not answered with entities; its message is for the client and says nothing of the machine. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 404 | 405 | 408 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Refusal["status"], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
