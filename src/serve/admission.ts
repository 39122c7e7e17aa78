import { Refusal } from "./refusal.ts";

export interface AdmissionLimits {
  /** Texts that are taken and not answered. */
  readonly texts: number;
  /** Bytes of bodies that are being read or whose texts are not answered. */
  readonly bytes: number;
}

/** Room that a request takes until it is answered. */
export interface Place {
  addBytes(bytes: number): void;
  addTexts(texts: number): void;
  leave(): void;
}

/** The bounded queue: what has no room is turned away at once, with word when to come again. */
export interface Admission {
  readonly texts: number;
  readonly bytes: number;
  enter(): Place;
}

const comeAgain = { "Retry-After": "1" };

export function admission(limits: AdmissionLimits, refused: (reason: "queue" | "memory") => void): Admission {
  const taken = { texts: 0, bytes: 0 };
  return {
    get texts() {
      return taken.texts;
    },
    get bytes() {
      return taken.bytes;
    },
    enter() {
      const own = { texts: 0, bytes: 0 };
      const add = (what: "texts" | "bytes", count: number): void => {
        if (taken[what] + count > limits[what]) {
          refused(what === "texts" ? "queue" : "memory");
          throw new Refusal(429, "the server is busy, send the request again later", comeAgain);
        }
        own[what] += count;
        taken[what] += count;
      };
      return {
        addBytes: (bytes) => add("bytes", bytes),
        addTexts(texts) {
          if (texts > limits.texts)
            throw new Refusal(413, `a request may have ${limits.texts} texts at most, got ${texts}; send several`);
          add("texts", texts);
        },
        leave() {
          taken.texts -= own.texts;
          taken.bytes -= own.bytes;
          own.texts = 0;
          own.bytes = 0;
        },
      };
    },
  };
}
