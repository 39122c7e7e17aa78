import { once } from "node:events";
import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

/** What came back; no status where the server hung up without a word. */
export interface HostileAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const paths = ["/", "/tag", "/models/model/tag", "/models/constructor/tag", "/health", "/nowhere", "/%00", "/tag?x=%"];
const contentTypes = ["application/json", "application/json; charset=utf-8", "text/plain", "", "application/json;;;"];
const methods = ["POST", "POST", "POST", "PUT", "OPTIONS", "GET"];
/** Behind a body, so much that it is over every limit. */
const tooMuch = Buffer.alloc(3 << 19, " ");

/** Sends a body to a server in one of many ways: as it should be, in chunks, with wrong heads, cut off, too large, as raw bytes. */
export async function hostileRequest(
  port: number,
  given: Buffer,
  variant: number,
  agent: Agent,
): Promise<HostileAnswer> {
  const way = variant % 8;
  const body = way < 6 && (variant >> 3) % 64 === 5 ? Buffer.concat([given, tooMuch]) : given;
  if (way === 7) return rawBytes(port, body);
  if (way === 6) return rawBytes(port, cutOff(body, variant));
  const isPlain = way < 3;
  const pick = <T>(list: readonly T[]): T => list[(variant >> 3) % list.length]!;
  const asked = request({
    ...{ host: "127.0.0.1", port, agent },
    method: isPlain ? "POST" : pick(methods),
    path: isPlain ? "/tag" : pick(paths),
    headers: {
      "Content-Type": isPlain ? "application/json" : pick(contentTypes),
      ...(way === 5 && { "Content-Encoding": "gzip", Authorization: "Bearer \u00ff", Host: "evil.example" }),
      ...(way !== 4 && { "Content-Length": body.length }),
    },
  });
  const answered = new Promise<HostileAnswer>((resolve) => {
    asked.on("error", () => resolve({ status: undefined, headers: {}, body: "" }));
    asked.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", () => resolve({ status: undefined, headers: {}, body: "" }));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
  });
  const middle = way === 4 ? variant % (body.length + 1) : 0;
  if (middle > 0) asked.write(body.subarray(0, middle));
  asked.end(body.subarray(middle));
  return answered;
}

/** A request whose body is shorter than its head says, or longer. */
function cutOff(body: Buffer, variant: number): Buffer {
  const length = body.length + ((variant >> 3) % 7) - 3;
  const head = `POST /tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Says something and hangs up, as soon as there is an answer or soon in any case. */
async function rawBytes(port: number, bytes: Buffer): Promise<HostileAnswer> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    answer += chunk.toString("latin1");
    if (answer.includes("\r\n\r\n")) socket.end();
  });
  socket.setTimeout(50, () => socket.destroy());
  socket.write(bytes);
  await once(socket, "close");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1];
  return { status: status === undefined ? undefined : Number(status), headers: {}, body: "" };
}
