import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import type { Place } from "./admission.ts";
import { Refusal } from "./refusal.ts";
import { type TagRequest, tagRequest } from "./schemas.ts";

/** Reads a request to tag: all of its body, or none of it. */
export async function readTagRequest(incoming: IncomingMessage, place: Place, maxBytes: number): Promise<TagRequest> {
  assertJson(incoming);
  const json = jsonOf(await readBody(incoming, place, maxBytes));
  const result = tagRequest.safeParse(json);
  if (result.success) return result.data;
  throw new Refusal(422, describe(result.error));
}

function assertJson({ headers }: IncomingMessage): void {
  const [type, ...rest] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = rest.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  if (type!.trim() !== "application/json" || !/^(charset="?utf-8"?)?$/.test(charset ?? ""))
    throw new Refusal(415, "send the body with Content-Type: application/json, in UTF-8");
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw new Refusal(415, "send the body without Content-Encoding");
}

async function readBody(incoming: IncomingMessage, place: Place, maxBytes: number): Promise<Buffer> {
  const tooLarge = (): Refusal =>
    new Refusal(413, `the body may have ${maxBytes} bytes at most; nothing of it was tagged`, { Connection: "close" });
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const stop = (reason: Error): void => {
      incoming.off("data", take);
      incoming.pause();
      reject(reason);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      try {
        if (length > maxBytes) throw tooLarge();
        place.addBytes(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        stop(error as Error);
      }
    };
    incoming.on("data", take);
    incoming.once("end", () => resolve(Buffer.concat(chunks)));
    incoming.once("error", () => stop(new Refusal(400, "the body was not sent to its end")));
    incoming.once("close", () => stop(new Refusal(400, "the body was not sent to its end")));
  });
}

function jsonOf(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, "the body is not valid UTF-8");
  }
  try {
    return parseJson(text, "JSON", {});
  } catch (error) {
    if (error instanceof InputError) throw new Refusal(400, error.message);
    throw error;
  }
}

/** `parameters.minScore: Too big: expected number to be <=1`, and so on, on one line and not too long. */
function describe({ issues }: z.ZodError): string {
  const lines = issues.slice(0, 5).map((issue) => {
    const where = issue.path.map(String).join(".").slice(0, 100);
    const what = issue.code === "invalid_union" ? "expected a text or a list of texts" : issue.message;
    return `${where || "the body"}: ${what.slice(0, 200)}`;
  });
  return lines.join("; ");
}
